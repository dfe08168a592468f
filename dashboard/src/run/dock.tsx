import {useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useNow} from '../shell/now.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatCost, formatTime} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {describeState, isRun} from '../ui/state.ts'
import {WhyText} from '../ui/why-text.tsx'
import {explainState} from '../ui/why.ts'
import styles from './dock.module.css'
import {PermissionDock} from './permission-dock.tsx'
import {StopButton} from './stop-button.tsx'

/** The place for requests and results at the foot of the feed, so that nothing above shifts. */
export function Dock({
  run,
  canAct,
  onShowEvidence,
}: {
  run: RunSummary
  /** Whether there is a hub to send commands to. */
  canAct: boolean
  onShowEvidence(): void
}) {
  // A session has no verdict, and is answered in its own terminal.
  if (!isRun(run)) return null
  if (run.state === 'over') return <Verdict run={run} onShowEvidence={onShowEvidence} />
  if (run.requests.length > 0 && canAct) return <PermissionDock run={run} />
  if (run.isStuck) return <Stuck run={run} canAct={canAct} />
  return null
}

function Stuck({run, canAct}: {run: RunSummary; canAct: boolean}) {
  const now = useNow()
  const [first, second] = explainState(run, now)
  return (
    <div className={styles.dock}>
      <div className={classNames(styles.card, styles.verdict)} data-tone="bad">
        <Icon name="stuck" />
        <div className={styles.text}>
          <h2>May be stuck</h2>
          <p>
            <WhyText parts={first} />. {second}
          </p>
        </div>
        {canAct && <StopButton runId={run.runId} />}
      </div>
    </div>
  )
}

/** Longer texts are collapsed. */
const MAX_TEXT_LENGTH = 240

function Verdict({run, onShowEvidence}: {run: RunSummary; onShowEvidence(): void}) {
  const {tone, icon} = describeState(run)
  const [first] = explainState(run, 0)
  const [isOpen, setOpen] = useState(false)
  const figures = describeFigures(run)
  const isLong = Math.max(figures.length, run.reason?.length ?? 0) > MAX_TEXT_LENGTH
  return (
    <div className={styles.dock}>
      <div className={classNames(styles.card, styles.verdict)} data-tone={tone} data-part="verdict">
        <Icon name={icon === 'live' ? 'stop' : icon} />
        <div className={classNames(styles.text, isLong && !isOpen && styles.isClamped)}>
          <h2>
            <WhyText parts={first} />
          </h2>
          <p className={common.tabular}>{figures}</p>
        </div>
        {isLong && (
          <Button kind="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Show less' : 'Show all'}
          </Button>
        )}
        <Button onClick={onShowEvidence}>Show the evidence</Button>
      </div>
    </div>
  )
}

function describeFigures(run: RunSummary): string {
  const {failedToolCount, fileCount, costUsd, durationMs, exitCode, signal} = run
  const facts = [
    count(run.turns, 'turn'),
    `${count(run.toolCount, 'tool')}${failedToolCount > 0 ? `, ${failedToolCount} failed` : ''}`,
    fileCount === 0 ? 'no file changed' : `${count(fileCount, 'file')} changed`,
  ]
  if (run.verdict !== 'succeeded') {
    if (costUsd !== null) facts.push(formatCost(costUsd, run.isEstimate))
    if (durationMs !== undefined) facts.push(formatTime(durationMs))
  }
  if (typeof exitCode === 'number') facts.push(`exit code ${exitCode}`)
  else if (typeof signal === 'string') facts.push(`ended by ${signal}`)
  const why = run.evidence?.find((text) => !text.startsWith('exit code'))
  return `${facts.join(' · ')}.${why === undefined ? '' : ` ${why}`}`
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`
}
