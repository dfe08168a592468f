import {memo, useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {Link} from '../shell/link.tsx'
import {useKnownNow} from '../shell/known-now.ts'
import {pathOfRun} from '../shell/router.ts'
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
import {describeNow} from './now-line.ts'
import {RowAnswers, useRequestLine} from './row-answers.tsx'
import {RowStop} from './row-stop.tsx'
import type {RowMeasure} from './rows-props.ts'

/** Props of a row besides its run. */
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
  onAskToStop: (runId: string, isAsking: boolean) => void
}

/** A run in the list. */
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
    link.current?.closest('.row')?.scrollIntoView({block: 'nearest'})
    onFocused()
  }, [isWanted, onFocused])
  const aspect = describeAspect(run, now)
  return (
    <tr
      {...measure}
      aria-rowindex={rowIndex}
      className={`row${isOver ? ' ended' : ''}${isSelected ? ' sel' : ''}`}
    >
      <td className="st">
        <Pill run={run} />
        {aspect !== '' && <small className="num">{aspect}</small>}
      </td>
      <th className="about" scope="row">
        <div className="ttl">
          <Monogram run={run} />
          <Link ref={link} className="cut open" href={pathOfRun(run.runId)}>
            {escapeControls(run.title) || run.runId}
          </Link>
          <span className="dir cut">{describePlace(run)}</span>
        </div>
        <Now run={run} now={now} {...rest} />
      </th>
      <td className="pu">
        {run.isStuck && !isOver ? <NoOutput /> : <Pulse pulse={pulseOf(run)} isLive={!isOver} />}
      </td>
      <td className="pl num">{!isOver && <Plan run={run} />}</td>
      <td className="cost r num">
        <b>{formatCost(run.costUsd, run.isEstimate)}</b>
      </td>
      <td className="tm r num">
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

/** The activity of the run, and its actions. */
function Now(props: NowProps) {
  const {run, now, hasKeys, isAskingToStop, onAskToStop} = props
  if (needsAnswer(run)) return <Asking {...props} />
  const {icon, kind, parts, elapsed, isBad} = describeNow(run, now)
  const canStop = run.state !== 'over' && (run.isStuck || isAskingToStop)
  return (
    <>
      <div className={`now k-${kind}${isBad ? ' bad' : ''}`}>
        {icon !== undefined && <Icon name={icon} />}
        <span className="cut">
          <WhyText parts={parts} />
        </span>
        {elapsed !== undefined && <span className="e num">{elapsed}</span>}
      </div>
      {canStop && (
        <RowStop
          run={run}
          hasKeys={hasKeys}
          isAsking={isAskingToStop}
          onAsk={(isAsking) => onAskToStop(run.runId, isAsking)}
        />
      )}
    </>
  )
}

/** The request of the run, complete if it is short. */
function Asking({run, now, hasKeys, isAskingToStop, onAskToStop}: NowProps) {
  const line = useRequestLine(run)
  const {parts} = describeNow(run, now)
  return (
    <>
      <div className={`now asks k-${line?.kind ?? 'note'}`}>
        <Icon name={line?.icon ?? 'hand'} />
        {line === undefined ? (
          <WhyText parts={parts} />
        ) : (
          <span className="wish">
            {line.words} <code>{line.code}</code>
            {!line.isWhole && <span className="t3"> and more: look first</span>}
          </span>
        )}
      </div>
      <RowAnswers run={run} line={line} hasKeys={hasKeys} />
      {isAskingToStop && (
        <RowStop
          run={run}
          hasKeys={hasKeys}
          isAsking
          onAsk={(isAsking) => onAskToStop(run.runId, isAsking)}
        />
      )}
    </>
  )
}

function Plan({run}: {run: RunSummary}) {
  const {plan} = run
  if (plan.length === 0) {
    return (
      <span className="t3">
        <span className="sr">No plan</span>
        <span aria-hidden="true">—</span>
      </span>
    )
  }
  return (
    <>
      {countDone(plan)} of {plan.length}
      <PlanSegments plan={plan} />
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
