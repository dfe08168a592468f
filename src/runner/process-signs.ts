import type {RunState} from '../core/run/run-state.ts'
import type {ProcessSigns} from '../core/run/waiting.ts'
import {modifiedAt} from '../recording/completeness.ts'
import type {Recording} from '../recording/run-record.ts'
import {countMessages} from './count-messages.ts'
import {findLateCommand, isSuspended} from './process.ts'

/** Reads facts about the process of an agent that its stream does not contain. */
export interface SignReader {
  readonly signs: ProcessSigns
  /** Updates the signs; cheap enough to be called several times a second. */
  read(state: RunState, now: number): void
}

/** How often processes are listed after a turn. */
const LIST_INTERVAL_MS = 1000

export function createSignReader(
  {pid, marker}: {pid: number; marker: string},
  {stdin, stdout}: Pick<Recording, 'stdin' | 'stdout'>,
): SignReader {
  let signs: ProcessSigns = {messageCount: countMessages(stdin)}
  let listedAt = 0
  return {
    get signs() {
      return signs
    },
    read({status}, now) {
      const suspendedAt = isSuspended(pid) ? (signs.suspendedAt ?? now) : undefined
      let command = status === 'idle' ? signs.command : undefined
      if (status === 'idle' && now - listedAt >= LIST_INTERVAL_MS) {
        listedAt = now
        command = findLateCommand(pid, marker, modifiedAt(stdout))
      }
      const commandSeenAt = command === undefined ? signs.commandSeenAt : now
      signs = {...signs, suspendedAt, command, commandSeenAt}
    },
  }
}
