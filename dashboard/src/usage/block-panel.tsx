import {formatClock} from '../../../src/core/text/figures.ts'
import type {UsageBlock} from '../hub/usage-api.ts'
import {useNow} from '../shell/now.ts'
import {
  formatElapsed,
  formatCost,
  formatRemaining,
  formatShare,
  formatTokens,
} from '../ui/figures.ts'
import {LiveDot} from '../ui/live-dot.tsx'
import {Meter} from '../ui/meter.tsx'
import {drawBlock, projectShare} from './block-layout.ts'
import styles from './block-panel.module.css'
import {Cost} from './cost.tsx'
import {formatTokenTotal} from './figures.ts'
import {Panel} from './panel.tsx'

/** The current five-hour block of Claude Code. */
export function BlockPanel({block}: {block: UsageBlock}) {
  const {from, to, costUsd, isEstimate, projectedUsd, burnUsdPerHour} = block
  const {burnTokensPerMinute, tokens} = block
  const now = useNow()
  const isOpen = block.isOpen && now < to
  return (
    <Panel
      title={isOpen ? 'Current 5-hour block' : 'Last 5-hour block'}
      fact="Claude Code"
      side={
        isOpen && (
          <span className={styles.left}>
            <LiveDot />
            {formatRemaining(to - now)} left
          </span>
        )
      }
    >
      <div className={styles.body}>
        <dl className={styles.facts}>
          <div>
            <dt>
              Spend, {formatClock(from)} to {formatClock(to)}
            </dt>
            <dd>
              <Cost usd={costUsd} isEstimate={isEstimate} />
            </dd>
          </div>
          <div>
            <dt>At the end of the block</dt>
            <dd>
              <Cost usd={projectedUsd} isEstimate={isEstimate} />
            </dd>
          </div>
          <div>
            <dt>Burn rate, last 30 min</dt>
            <dd>
              <Cost usd={burnUsdPerHour} isEstimate={isEstimate} />
              {burnUsdPerHour !== null && <small> / h</small>}
            </dd>
          </div>
          <div>
            <dt>Tokens</dt>
            <dd>
              {formatTokenTotal(tokens)}
              {burnTokensPerMinute !== null && (
                <small> {formatTokens(burnTokensPerMinute)} / min</small>
              )}
            </dd>
          </div>
        </dl>
        <BlockChart block={block} now={Math.floor(now / MINUTE_MS) * MINUTE_MS} />
        <Limit block={block} now={now} />
      </div>
    </Panel>
  )
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WIDTH = 388
const HEIGHT = 68

function BlockChart({block, now}: {block: UsageBlock; now: number}) {
  const {from, to, costUsd, projectedUsd} = block
  const {line, area, projection, end} = drawBlock(block, {width: WIDTH, height: HEIGHT}, now)
  const hours = Math.round((to - from) / HOUR_MS)
  const soFar = `${formatCost(costUsd, true)} after ${formatElapsed(Math.max(0, Math.min(now, to) - from))}`
  const expected =
    projectedUsd === null
      ? ''
      : `, ${formatCost(projectedUsd, true)} expected at ${formatClock(to)}`
  const naming = {role: 'img', 'aria-label': `Spend in this block: ${soFar}${expected}`}
  return (
    <div className={styles.chart}>
      <div className={styles.plot}>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" {...naming}>
          <path className={styles.area} d={area} />
          <path className={styles.line} d={line} />
          <path className={styles.projection} d={projection} />
          <line className={styles.baseline} x1="0" x2={WIDTH} y1={HEIGHT - 0.5} y2={HEIGHT - 0.5} />
        </svg>
        <i
          className={styles.end}
          style={{left: `${(end.x / WIDTH) * 100}%`, top: `${(end.y / HEIGHT) * 100}%`}}
        />
      </div>
      <div className={styles.hours} aria-hidden="true">
        {Array.from({length: hours + 1}, (_, hour) => (
          <span key={hour}>{formatClock(from + hour * HOUR_MS)}</span>
        ))}
      </div>
    </div>
  )
}

/** The share of the limit, if Claude Code reported one. */
function Limit({block, now}: {block: UsageBlock; now: number}) {
  const {usedShare, reportedAt} = block
  if (usedShare === null) return null
  const share = projectShare(block)
  return (
    <div className={styles.limit}>
      <div className={styles.limitHead}>
        <span>Five-hour limit</span>
        <b>{formatShare(usedShare)}</b>
      </div>
      <Meter
        share={usedShare}
        label={`${formatShare(usedShare)} of the five-hour limit used`}
        className={styles.meter}
      />
      <p className={styles.source}>
        Reported by Claude Code
        {reportedAt !== null && ` ${formatRemaining(Math.max(MINUTE_MS, now - reportedAt))} ago`}.
        {share !== undefined && ` At this rate the block ends at ${formatShare(share)}.`}
      </p>
    </div>
  )
}
