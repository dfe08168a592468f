import type {RunEntry, StoredMessage} from '../store.ts'

/** One change of the index. */
export type Change =
  | {type: 'append'; runId: string; messages: StoredMessage[]}
  | {type: 'put'; entry: RunEntry}
  | {type: 'remove'; runId: string}

/** The run that a change is about. */
export function runIdOf(change: Change): string {
  return change.type === 'put' ? change.entry.runId : change.runId
}
