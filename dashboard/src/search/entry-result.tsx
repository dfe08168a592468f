import {memo} from 'react'
import {escapeControls} from '../../../src/core/text/text.ts'
import type {SearchEntry, SearchMoment} from '../hub/history-api.ts'
import {Link} from '../shell/link.tsx'
import {pathOfRun} from '../shell/router.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatNumber, formatOffset, formatWhen} from '../ui/figures.ts'
import {nameFolder} from '../ui/folder-names.ts'
import {Icon, type IconName} from '../ui/icon.tsx'
import {Kind} from '../ui/kind.tsx'
import {Monogram} from '../ui/monogram.tsx'
import {WORK, type WorkKind} from '../ui/work.ts'
import {splitMarks} from './marks.ts'
import {pathOfMoment} from './path-of-moment.ts'
import styles from './search-results.module.css'
import type {ResultPlace} from './use-result-keys.ts'

/** A run or session with its first matches. */
export const EntryResult = memo(function EntryResult({
  entry,
  selected,
  onPoint,
}: {
  entry: SearchEntry
  /** The index of the selected match, if it is in this run. */
  selected: number | undefined
  onPoint: (place: ResultPlace) => void
}) {
  const {runId, title, project, kind, startedAt, matches, moments} = entry
  const noun = kind === 'run' ? 'run' : 'session'
  return (
    <article className={classNames(styles.entry, selected !== undefined && styles.isSelected)}>
      <div className={styles.title}>
        <Monogram run={entry} />
        <h2 className={common.ellipsis}>
          <Link href={pathOfRun(runId)}>{escapeControls(title) || `Untitled ${noun}`}</Link>
        </h2>
        <span className={styles.folder}>{nameFolder(project)}</span>
        <span className={styles.facts}>
          <Kind kind={kind} />
          <span className={common.tabular}>{formatDate(startedAt)}</span>
        </span>
      </div>
      <ul className={styles.moments}>
        {moments.map((moment, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- matches have no identity, and stay in their order
          <li key={index} onPointerDown={() => onPoint({runId, index})}>
            <Moment entry={entry} moment={moment} isSelected={selected === index} />
          </li>
        ))}
      </ul>
      {matches > moments.length && (
        <p className={styles.rest}>
          <Link href={pathOfRun(runId)}>
            {formatNumber(matches - moments.length)} more in this {noun}
          </Link>
        </p>
      )}
    </article>
  )
})

function Moment({
  entry,
  moment,
  isSelected,
}: {
  entry: SearchEntry
  moment: SearchMoment
  isSelected: boolean
}) {
  const {role, label, offsetMs, text, marks} = moment
  const {icon, kind, isCode} = ROLES[role]
  const offset = formatOffset(offsetMs)
  return (
    <Link
      className={classNames(styles.moment, isSelected && styles.isChosen)}
      href={pathOfMoment(entry, moment)}
      data-kind={kind}
      {...(isSelected && {'data-selected': true})}
    >
      <Icon name={icon} size={14} />
      <span className={styles.where}>
        <span className={common.ellipsis}>{escapeControls(label)}</span>{' '}
        <span className={common.tabular}>{offset}</span>
      </span>
      <span className={classNames(styles.text, isCode && common.mono)}>
        {splitMarks(text, marks).map(({start, words, isMarked}) =>
          isMarked ? <mark key={start}>{words}</mark> : <span key={start}>{words}</span>,
        )}
      </span>
      <span className={styles.jump}>Jump to {offset}</span>
    </Link>
  )
}

/** How each kind of match looks. */
const ROLES: Readonly<
  Record<SearchMoment['role'], {icon: IconName; kind: WorkKind | 'think'; isCode: boolean}>
> = {
  prompt: {icon: 'user', kind: 'note', isCode: false},
  reply: {icon: 'text', kind: 'note', isCode: false},
  thinking: {icon: 'think', kind: 'think', isCode: false},
  command: {...WORK.Bash, isCode: true},
  edit: {...WORK.Edit, isCode: true},
  read: {...WORK.Read, isCode: true},
  output: {...WORK.Bash, isCode: true},
  error: {icon: 'fail', kind: 'note', isCode: true},
  other: {...WORK.Other, isCode: true},
}

/** Formats the start: `today 14:02`, `3 Nov 10:15`. */
function formatDate(startedAt: number): string {
  const words = formatWhen(startedAt)
  return words.includes(' ') ? words : `today ${words}`
}
