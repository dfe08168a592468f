import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useRunList} from '../hub/hub.tsx'
import {Link} from '../shell/link.tsx'
import {useNow} from '../shell/now.ts'
import {pathOfRun} from '../shell/router.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {LiveDot} from '../ui/live-dot.tsx'
import {describeState, needsAttention} from '../ui/state.ts'
import {WhyText} from '../ui/why-text.tsx'
import {explainState} from '../ui/why.ts'
import styles from './rail.module.css'

/** How many ended runs are listed. */
const MAX_ENDED = 12

/** The other runs, beside the current one. */
export function Rail({runId}: {runId: string}) {
  const {runs} = useRunList()
  const all = [...runs.values()].toSorted((one, other) => other.startedAt - one.startedAt)
  const live = all.filter(({state}) => state !== 'over')
  const groups = [
    ['Needs you', live.filter(needsAttention)],
    ['Live', live.filter((run) => !needsAttention(run))],
    ['Ended', all.filter(({state}) => state === 'over').slice(0, MAX_ENDED)],
  ] as const
  return (
    <nav className={styles.rail} aria-label="Runs">
      {groups.map(
        ([title, list]) =>
          list.length > 0 && (
            <section key={title}>
              <h2>{title}</h2>
              {list.map((run) => (
                <RailRow key={run.runId} run={run} isHere={run.runId === runId} />
              ))}
            </section>
          ),
      )}
    </nav>
  )
}

function RailRow({run, isHere}: {run: RunSummary; isHere: boolean}) {
  const now = useNow()
  const {tone, icon} = describeState(run)
  const [first] = explainState(run, now)
  return (
    <Link
      className={styles.run}
      href={pathOfRun(run.runId)}
      {...(isHere && {'aria-current': 'page' as const})}
    >
      <span className={styles.state} data-tone={tone}>
        {icon === 'live' ? <LiveDot /> : <Icon name={icon} />}
      </span>
      <b className={common.ellipsis}>{escapeControls(run.title)}</b>
      <small className={classNames(common.ellipsis, common.tabular)}>
        <WhyText parts={first} />
      </small>
    </Link>
  )
}
