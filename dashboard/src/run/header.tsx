import {useState} from 'react'
import type {PlanItem} from '../../../src/core/events/events.ts'
import {countTokens} from '../../../src/core/run/ledger.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useNow} from '../shell/now.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost, formatElapsed, formatTime, formatTokens} from '../ui/figures.ts'
import {nameFolder} from '../ui/folder-names.ts'
import {Icon} from '../ui/icon.tsx'
import {Kind} from '../ui/kind.tsx'
import {Meter} from '../ui/meter.tsx'
import {Monogram} from '../ui/monogram.tsx'
import {Pill} from '../ui/pill.tsx'
import {countDone, PlanSegments} from '../ui/plan-segments.tsx'
import {isRun} from '../ui/state.ts'
import {Tag} from '../ui/tag.tsx'
import {WhyText} from '../ui/why-text.tsx'
import {explainState} from '../ui/why.ts'
import styles from './header.module.css'
import {RunMenu} from './run-menu.tsx'
import {StopButton} from './stop-button.tsx'
import {contextAt} from './summary-at.ts'
import type {RunAt} from './use-run-at.ts'

/** The title and the state of a run. */
export function Header({
  runAt: {run, snapshot, until},
  canAct,
  onReplay,
}: {
  runAt: RunAt
  canAct: boolean
  /** Starts or ends a replay. */
  onReplay: (() => void) | undefined
}) {
  const isReplay = until !== undefined
  const context = contextAt(snapshot.spending, until ?? Number.POSITIVE_INFINITY)
  const maxCostUsd = snapshot.start?.limits?.maxCostUsd
  return (
    <header className={styles.header} data-part="run-header">
      <div className={styles.titleLine}>
        <Monogram run={run} />
        <h1 className={classNames(common.ellipsis, styles.title)}>
          {escapeControls(run.title) || (!isRun(run) && 'Untitled session')}
        </h1>
        <Kind kind={run.kind} className={styles.kind} />
        <span className={classNames(common.ellipsis, styles.origin)}>{describeWho(run)}</span>
        <span className={common.grow} />
        {isReplay && <Tag tone="wait">Replay</Tag>}
        {onReplay !== undefined && (
          <Button
            // On a phone the word does not fit.
            aria-label={isReplay ? 'End replay' : 'Replay'}
            onClick={onReplay}
          >
            <Icon name={isReplay ? 'stop' : 'play'} />
            <span className={styles.replayWord}>{isReplay ? 'End replay' : 'Replay'}</span>
          </Button>
        )}
        {canAct && !isReplay && isRun(run) && run.state !== 'over' && (
          <StopButton runId={run.runId} className={styles.stopQuestion} />
        )}
        <RunMenu run={run} />
      </div>
      <dl className={styles.readings}>
        <Why run={run} at={until} />
        {run.plan.length > 0 && <Plan plan={run.plan} />}
        <div>
          <dt>Cost</dt>
          <dd>
            {formatCost(run.costUsd, run.isEstimate)}{' '}
            {maxCostUsd !== undefined && <small>of {formatCost(maxCostUsd)}</small>}
          </dd>
          {maxCostUsd !== undefined && run.costUsd !== null && (
            <Meter
              share={run.costUsd / maxCostUsd}
              label="of the budget"
              className={styles.meter}
            />
          )}
        </div>
        {run.tokens !== null && (
          <div className={styles.tokens}>
            <dt>Tokens</dt>
            <dd title="in, out, read from a cache, written to it">
              {formatTokens(countTokens(run.tokens))}
            </dd>
          </div>
        )}
        {context !== undefined && (
          <div className={styles.context}>
            <dt>Context</dt>
            <dd>{formatTokens(context)}</dd>
          </div>
        )}
        <div className={styles.turns}>
          <dt>{run.turns === 1 ? 'Turn' : 'Turns'}</dt>
          <dd>{run.turns}</dd>
        </div>
        <Time run={run} at={until} />
      </dl>
    </header>
  )
}

function describeWho({cwd, model, host}: RunSummary): string {
  return [nameFolder(cwd), escapeControls(model ?? ''), escapeControls(host ?? '')]
    .filter((part) => part !== '')
    .join(' · ')
}

function Why({run, at}: {run: RunSummary; at: number | undefined}) {
  const now = useNow()
  const [first, second] = explainState(run, at ?? now)
  return (
    <div className={styles.state}>
      <dt className={common.visuallyHidden}>State</dt>
      <dd>
        <Pill run={run} />
        <div className={styles.reason}>
          <b className={common.ellipsis}>
            <WhyText parts={first} />
          </b>
          {second !== '' && <p className={common.ellipsis}>{second}</p>}
        </div>
      </dd>
    </div>
  )
}

function Plan({plan}: {plan: readonly PlanItem[]}) {
  const done = countDone(plan)
  const current =
    plan.find(({status}) => status === 'in-progress') ??
    plan.find(({status}) => status === 'pending')
  return (
    <div className={styles.plan}>
      <dt>
        Plan{' '}
        <span>
          {done} of {plan.length}
        </span>
      </dt>
      <dd className={common.ellipsis}>
        {current === undefined ? 'All done' : escapeControls(current.text)}
      </dd>
      <PlanSegments plan={plan} className={styles.meter} />
    </div>
  )
}

function Time({run, at}: {run: RunSummary; at: number | undefined}) {
  const now = useNow()
  const [isExact] = useState(run.durationMs !== undefined && run.durationMs < 10_000)
  // An idle session takes no time.
  const end = at ?? (isRun(run) ? now : (run.writtenAt ?? now))
  const took = (at === undefined ? run.durationMs : undefined) ?? end - run.startedAt
  return (
    <div className={styles.time}>
      <dt>Time</dt>
      <dd>{isExact && at === undefined ? formatTime(took) : formatElapsed(took)}</dd>
    </div>
  )
}
