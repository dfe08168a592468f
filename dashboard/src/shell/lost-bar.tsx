import {useConnectionState, useHub} from '../hub/hub.tsx'
import {formatElapsed} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {useNow} from './now.ts'

/** A shorter interruption is not shown. */
const PATIENCE_MS = 1000

/** The footer while the hub does not answer: the page shows older data. */
export function LostBar() {
  const state = useConnectionState()
  return state.kind === 'lost' ? <Lost {...state} /> : null
}

function Lost({
  since,
  lastNewsAt,
  nextTryAt,
  trouble,
}: Extract<ReturnType<typeof useConnectionState>, {kind: 'lost'}>) {
  const {connection} = useHub()
  const now = useNow()
  if (now - since < PATIENCE_MS) return null
  return (
    <section className="lost" aria-label="Connection">
      <Icon name="unplug" />
      <output className="grow">
        <b>{trouble === undefined ? 'The hub does not answer.' : trouble.message}</b> Agents keep
        running and keep being recorded.{' '}
        {lastNewsAt !== undefined && `This is what was known at ${formatClock(lastNewsAt)}.`}
      </output>
      <span className="t2 num next">
        {nextTryAt === undefined
          ? 'Trying now'
          : `Next try in ${formatElapsed(Math.max(0, nextTryAt - now) + 999)}`}
      </span>
      <button type="button" className="btn sm" onClick={() => connection.tryNow()}>
        Try now
      </button>
    </section>
  )
}

function formatClock(at: number): string {
  return new Date(at).toLocaleTimeString('en-GB')
}
