import {memo, useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {useRequest} from '../hub/hub.tsx'
import {Link} from '../shell/link.tsx'
import {useKnownNow} from '../shell/known-now.ts'
import {useNow} from '../shell/now.ts'
import {pathOfRun} from '../shell/router.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost, formatMinutes, formatTime, formatTokens} from '../ui/figures.ts'
import {describeDeletion} from '../ui/deletion.ts'
import {nameFolder} from '../ui/folder-names.ts'
import {Icon} from '../ui/icon.tsx'
import {Kind} from '../ui/kind.tsx'
import {Monogram} from '../ui/monogram.tsx'
import {Pill} from '../ui/pill.tsx'
import {hasPulse, pulseOf} from '../ui/pulse-segments.ts'
import {NoOutput, Pulse} from '../ui/pulse.tsx'
import {isRun, needsAnswer} from '../ui/state.ts'
import {WhyText} from '../ui/why-text.tsx'
import {countTokens} from '../../../src/core/run/ledger.ts'
import {describeRequest} from './describe-request.ts'
import {formatStart} from './format-start.ts'
import {describeNow, describeUnderState} from './now-line.ts'
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
  const under = describeUnderState(run, now)
  return (
    <tr
      {...measure}
      aria-rowindex={rowIndex}
      className={classNames(styles.row, isOver && styles.isOver, isSelected && styles.isSelected)}
    >
      <td className={styles.state}>
        <Pill run={run} />
        {under !== '' && <small className={common.tabular}>{under}</small>}
        <Kind kind={run.kind} className={styles.kindBeside} />
      </td>
      <th className={styles.about} scope="row">
        <div className={styles.title}>
          <Monogram run={run} />
          <Link
            ref={link}
            className={classNames(common.ellipsis, styles.link)}
            href={pathOfRun(run.runId)}
          >
            {escapeControls(run.title) || (isRun(run) ? run.runId : 'Untitled session')}
          </Link>
          <span className={classNames(common.ellipsis, styles.folder)}>{describePlace(run)}</span>
        </div>
        <Now run={run} now={now} {...rest} />
      </th>
      <td className={styles.kind}>
        <Kind kind={run.kind} />
      </td>
      <td className={styles.pulse}>
        {run.isStuck && isRun(run) && !isOver ? (
          <NoOutput />
        ) : isOver && !hasPulse(run) ? (
          <span className={common.muted}>—</span>
        ) : (
          <Pulse pulse={pulseOf(run)} isLive={!isOver} />
        )}
      </td>
      <td className={classNames(styles.tokens, common.tabular)}>
        {run.tokens === null ? '—' : formatTokens(countTokens(run.tokens))}
      </td>
      <td className={classNames(styles.cost, common.tabular)}>
        <b>{formatCost(run.costUsd, run.isEstimate)}</b>
        {run.costUsd === null && run.tokens !== null && isOver && <small>no price</small>}
      </td>
      <td className={classNames(styles.time, common.tabular)}>
        {isOver ? (
          <>
            <b>{formatTook(run.durationMs ?? 0)}</b>
            <small>{formatStart(run.startedAt)}</small>
          </>
        ) : (
          <b>{formatMinutes(now - run.startedAt)}</b>
        )}
      </td>
    </tr>
  )
}

type NowProps = Pick<RowProps, 'run' | 'hasKeys' | 'isAskingToStop' | 'onAskToStop'> & {now: number}

/** The activity or the request of the run, and its actions. */
function Now({run, now, hasKeys, isAskingToStop, onAskToStop}: NowProps) {
  const isAsking = needsAnswer(run)
  const canStop =
    isRun(run) && run.state !== 'over' && (isAskingToStop || (run.isStuck && !isAsking))
  return (
    <>
      {isAsking && isRun(run) ? (
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
      {run.deletedAt !== undefined && <Deletion run={run} />}
    </div>
  )
}

function Deletion({run}: {run: RunSummary}) {
  const words = describeDeletion(run, useNow())
  return words === undefined ? null : <span className={styles.deletion}>{words}</span>
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

/** The last name of the folder, and the host of a remote run. */
function describePlace({cwd, host}: RunSummary): string {
  const folder = nameFolder(cwd)
  return host === undefined ? folder : `${folder} · ${escapeControls(host)}`
}

function formatTook(ms: number): string {
  return ms < 60_000 ? formatTime(ms) : formatMinutes(ms)
}
