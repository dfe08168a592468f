import {useConnectionState, useHub} from '../hub/hub.tsx'
import {Button} from '../ui/button.tsx'
import {formatClock, formatElapsed} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import styles from './lost-bar.module.css'
import {useNow} from './now.ts'

/** A shorter interruption is not shown. */
const NOTICE_DELAY_MS = 1000

/** The footer while the hub does not answer: the page shows older data. */
export function LostBar() {
  const state = useConnectionState()
  return state.kind === 'lost' ? <Lost {...state} /> : null
}

function Lost({
  since,
  lastMessageAt,
  nextTryAt,
  error,
}: Extract<ReturnType<typeof useConnectionState>, {kind: 'lost'}>) {
  const {connection} = useHub()
  const now = useNow()
  if (now - since < NOTICE_DELAY_MS) return null
  return (
    <section className={styles.lostBar} aria-label="Connection">
      <Icon name="unplug" />
      <output className={styles.explanation}>
        <b>{error === undefined ? 'The hub does not respond.' : error.message}</b> Agents keep
        running and keep being recorded.{' '}
        {lastMessageAt !== undefined && `Data as of ${formatClock(lastMessageAt)}.`}
      </output>
      <span className={styles.nextAttempt}>
        {nextTryAt === undefined
          ? 'Retrying now'
          : `Next retry in ${formatElapsed(Math.max(0, nextTryAt - now) + 999)}`}
      </span>
      <Button size="small" onClick={() => connection.tryNow()}>
        Retry now
      </Button>
    </section>
  )
}
