import {useConnectionState} from '../hub/hub.tsx'
import {useNow} from './now.ts'

/** The time up to which the state is known: now, or the last message of the hub. */
export function useKnownNow(): number {
  const now = useNow()
  const state = useConnectionState()
  return state.kind === 'lost' ? (state.lastMessageAt ?? now) : now
}
