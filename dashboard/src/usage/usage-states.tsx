import {useEffect, useState} from 'react'
import type {HubError} from '../hub/api.ts'
import {useHub} from '../hub/hub.tsx'
import type {UsageOverview} from '../hub/usage-api.ts'
import {Logo} from '../shell/logo.tsx'
import message from '../shell/message.module.css'
import {Button} from '../ui/button.tsx'
import {formatCount} from '../ui/figures.ts'
import {formatSpan, type Day, type DaySpan} from './days.ts'
import type {NearestDays} from './nearest-days.ts'
import {choosePreset, clearFilters} from './use-controls.ts'
import styles from './usage-states.module.css'

/** A shorter delay is not shown. */
const NOTICE_DELAY_MS = 400

/** The page while the first figures load. */
export function LoadingUsage() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), NOTICE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return <output className={styles.loading}>{isLate && 'Loading usage…'}</output>
}

/** The page when the first request failed. */
export function FailedUsage({error, onRetry}: {error: HubError; onRetry: () => void}) {
  const {connection} = useHub()
  return (
    <div className={message.message}>
      <h2 className={styles.title}>Usage could not be loaded</h2>
      <p role="alert">
        {error.code === 'not-found'
          ? 'This hub is older than the page and does not report usage. Restart it with the installed version.'
          : error.message}
      </p>
      <Button
        onClick={() => {
          connection.tryNow()
          onRetry()
        }}
      >
        Try again
      </Button>
    </div>
  )
}

/** The page without any session: where Vitrine looked. */
export function EmptyUsage({folders}: {folders: UsageOverview['folders']}) {
  return (
    <div className={message.message}>
      <Logo className={message.logo} />
      <h2 className={styles.title}>No usage yet</h2>
      <p>Vitrine reads the session files that coding agents keep on this machine. It found none.</p>
      {folders.length > 0 && (
        <table className={styles.folders}>
          <tbody>
            {folders.map((folder) => (
              <tr key={`${folder.agent} ${folder.path}`}>
                <th scope="row">{folder.label}</th>
                <td>
                  <code>{folder.path}</code>
                </td>
                <td>{describeFolder(folder)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <p>
        Use an agent once, or check the folders with <code>vitrine doctor</code>.
      </p>
    </div>
  )
}

/** The page when the range has no usage, but another one has. */
export function NoUsage({
  span,
  nearest,
  isFiltered,
  today,
}: {
  span: DaySpan
  /** The nearest days with usage, as far as they are known. */
  nearest: NearestDays
  isFiltered: boolean
  today: Day
}) {
  const {before, after} = nearest
  return (
    <div className={message.message}>
      <h2 className={styles.title}>
        {span.from === span.to ? 'No usage' : 'No usage from'} {formatSpan(span, today)}
      </h2>
      <p>
        {before !== undefined &&
          `The last usage before is from ${formatSpan(toSpan(before), today)}.`}{' '}
        {after !== undefined &&
          `The first usage after is from ${formatSpan(toSpan(after), today)}.`}{' '}
        {before === undefined && after === undefined && 'There is none in the days around it.'}
      </p>
      <p className={styles.ways}>
        <Button onClick={() => choosePreset(90)}>Show the last 90 days</Button>
        {isFiltered && <Button onClick={clearFilters}>Show all agents and projects</Button>}
      </p>
    </div>
  )
}

function describeFolder({state, sessions}: UsageOverview['folders'][number]): string {
  if (state === 'missing') return 'not found'
  if (state === 'unreadable') return 'cannot be read'
  return sessions === 0 ? 'empty' : formatCount(sessions, 'session')
}

function toSpan(day: Day): DaySpan {
  return {from: day, to: day}
}
