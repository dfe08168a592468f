import {useConnectionState} from '../hub/hub.tsx'
import {useNow} from './now.ts'

/** The time up to which anything is known: now, or when the hub was heard of last. What it does not tell is not guessed. */
export function useKnownNow(): number {
  const now = useNow()
  const state = useConnectionState()
  return state.kind === 'lost' ? (state.lastNewsAt ?? now) : now
}
