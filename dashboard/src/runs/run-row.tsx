import {memo, useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useRequest} from '../hub/hub.tsx'
import {Link} from '../shell/link.tsx'
import {useKnownNow} from '../shell/known-now.ts'
import {pathOfRun} from '../shell/router.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost, formatElapsed, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {Monogram} from '../ui/monogram.tsx'
import {Pill} from '../ui/pill.tsx'
import {countDone, PlanSegments} from '../ui/plan-segments.tsx'
import {pulseOf} from '../ui/pulse-segments.ts'
import {NoOutput, Pulse} from '../ui/pulse.tsx'
import {needsAnswer} from '../ui/state.ts'
import {WhyText} from '../ui/why-text.tsx'
import {describeAspect} from '../ui/why.ts'
import {describeRequest} from './describe-request.ts'
import {describeNow} from './now-line.ts'
import {RowAnswers} from './row-answers.tsx'
import {RowStop} from './row-stop.tsx'
import styles from './run-row.module.css'
import type {RowMeasure} from './table-items.ts'

export interface RowProps {
  run: RunSummary
  /** The index of the row in the complete table, from 1. */
  rowIndex: number
  measure: RowMeasure | undefined
  isSelected: boolean
  /** Whether this row should take the focus; it calls {@link RowProps.onFocused}. */
  isWanted: boolean
  /** Whether `a`, `d` and `x` apply to this row. */
  hasKeys: boolean
  isAskingToStop: boolean
  onFocused: () => void
  onAskToStop: (runId: string | undefined) => void
}

export const RunRow = memo(function RunRow(props: RowProps) {
  return props.run.state === 'over' ? <Row {...props} now={0} /> : <TickingRow {...props} />
})

function TickingRow(props: RowProps) {
  return <Row {...props} now={useKnownNow()} />
}

function Row({
  run,
  now,
  rowIndex,
  measure,
  isSelected,
  isWanted,
  onFocused,
  ...rest
}: RowProps & {now: number}) {
  const link = useRef<HTMLAnchorElement>(null)
  const isOver = run.state === 'over'
  useEffect(() => {
    if (!isWanted) return
    link.current?.focus({preventScroll: true})
    link.current?.closest('tr')?.scrollIntoView({block: 'nearest'})
    onFocused()
  }, [isWanted, onFocused])
  const aspect = describeAspect(run, now)
  return (
    <tr
      {...measure}
      aria-rowindex={rowIndex}
      className={classNames(styles.row, isOver && styles.isOver, isSelected && styles.isSelected)}
    >
      <td className={styles.state}>
        <Pill run={run} />
        {aspect !== '' && <small className={common.tabular}>{aspect}</small>}
      </td>
      <th className={styles.about} scope="row">
        <div className={styles.title}>
          <Monogram run={run} />
          <Link
            ref={link}
            className={classNames(common.ellipsis, styles.link)}
            href={pathOfRun(run.runId)}
          >
            {escapeControls(run.title) || run.runId}
          </Link>
          <span className={classNames(common.ellipsis, styles.folder)}>{describePlace(run)}</span>
        </div>
        <Now run={run} now={now} {...rest} />
      </th>
      <td className={styles.pulse}>
        {run.isStuck && !isOver ? <NoOutput /> : <Pulse pulse={pulseOf(run)} isLive={!isOver} />}
      </td>
      <td className={classNames(styles.plan, common.tabular)}>{!isOver && <Plan run={run} />}</td>
      <td className={classNames(styles.cost, common.tabular)}>
        <b>{formatCost(run.costUsd, run.isEstimate)}</b>
      </td>
      <td className={classNames(styles.time, common.tabular)}>
        {isOver ? (
          <>
            <b>{formatTime(run.durationMs ?? 0)}</b>
            <small>{formatHour(run.endedAt)}</small>
          </>
        ) : (
          <b>{formatElapsed(now - run.startedAt)}</b>
        )}
      </td>
    </tr>
  )
}

type NowProps = Pick<RowProps, 'run' | 'hasKeys' | 'isAskingToStop' | 'onAskToStop'> & {now: number}

/** The activity or the request of the run, and its actions. */
function Now({run, now, hasKeys, isAskingToStop, onAskToStop}: NowProps) {
  const isAsking = needsAnswer(run)
  const canStop = run.state !== 'over' && (isAskingToStop || (run.isStuck && !isAsking))
  return (
    <>
      {isAsking ? (
        <Request run={run} now={now} hasKeys={hasKeys} />
      ) : (
        <Activity run={run} now={now} />
      )}
      {canStop && (
        <RowStop
          runId={run.runId}
          hasKeys={hasKeys}
          isAsking={isAskingToStop}
          onAsk={onAskToStop}
        />
      )}
    </>
  )
}

function Activity({run, now}: {run: RunSummary; now: number}) {
  const {icon, kind, parts, elapsed, isBad} = describeNow(run, now)
  return (
    <div className={classNames(styles.activity, isBad && styles.isBad)} data-kind={kind}>
      {icon !== undefined && <Icon name={icon} />}
      <span className={classNames(common.ellipsis, styles.description)}>
        <WhyText parts={parts} />
      </span>
      {elapsed !== undefined && <span className={styles.elapsed}>{elapsed}</span>}
    </div>
  )
}

/** The request of the run, complete if it is short. */
function Request({run, now, hasKeys}: {run: RunSummary; now: number; hasKeys: boolean}) {
  const request = useRequest(run)
  const line = request && describeRequest(request)
  const {parts} = describeNow(run, now)
  return (
    <>
      <div
        className={classNames(styles.activity, styles.isAsking)}
        data-kind={line?.kind ?? 'note'}
      >
        <Icon name={line?.icon ?? 'hand'} />
        {line === undefined ? (
          <WhyText parts={parts} />
        ) : (
          <span className={styles.request}>
            {line.words} <code>{line.code}</code>
            {!line.isComplete && <span className={common.muted}> and more: review first</span>}
          </span>
        )}
      </div>
      <RowAnswers run={run} line={line} hasKeys={hasKeys} />
    </>
  )
}

function Plan({run}: {run: RunSummary}) {
  const {plan} = run
  if (plan.length === 0) {
    return (
      <span className={common.muted}>
        <span className={common.visuallyHidden}>No plan</span>
        <span aria-hidden="true">—</span>
      </span>
    )
  }
  return (
    <>
      {countDone(plan)} of {plan.length}
      <PlanSegments plan={plan} className={styles.segments} />
    </>
  )
}

/** The last name of the folder, and the host of a remote run. */
function describePlace({cwd, host}: RunSummary): string {
  const folder = cwd.split(/[\\/]/).findLast((name) => name !== '') ?? cwd
  return escapeControls(host === undefined ? folder : `${folder} · ${host}`)
}

function formatHour(at: number | undefined): string {
  if (at === undefined) return ''
  return new Date(at).toLocaleTimeString('en-GB', {hour: '2-digit', minute: '2-digit'})
}
