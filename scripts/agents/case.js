// The types of a case, and helpers that most cases share.

/** @import {Program} from './programs.js' */
/** @import {Script} from './model-server.js' */
/** @import {Seen} from './try-case.js' */
/** @import {AgentProfile} from './profiles.js' */

/**
 * Records a problem unless the condition is truthy.
 *
 * @typedef {(expectation: string, condition: unknown, actual?: unknown) => void} Check
 */

/**
 * The surroundings of a case. `mark` is a word that no other process on this machine has in its command line.
 *
 * @typedef {{cwd: string, home: string, mark: string, dataDir: string, hubUrl: string, program: Program}} Place
 */

/**
 * How the agent is started for a case. Paths of `files` are relative to the working directory, those of `settings` to the
 * home directory.
 *
 * @typedef {object} Setup
 * @property {string | null} [prompt] Replaces the default; empty: the prompt is on stdin; null: JSON messages are on stdin (Claude).
 * @property {string[]} [args] Additional arguments of the agent.
 * @property {string} [stdin] Forwarded to `vitrine run` and closed; without it stdin is closed from the start.
 * @property {Record<string, string>} [env]
 * @property {Record<string, string>} [files]
 * @property {Record<string, string>} [settings]
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {string} about A description for docs/compatibility.md.
 * @property {(profile: AgentProfile, program: Program) => boolean} [isFor] Whether the case applies to an agent; default: to all.
 * @property {(profile: AgentProfile, place: Place) => Script} script
 * @property {(profile: AgentProfile, place: Place) => Setup} [setup]
 * @property {string[]} [options] Options of `vitrine run`.
 * @property {number} [speed] How much faster than a real model the scripted one is; default: almost no delay.
 * @property {boolean} [isUntraced] Whether strace would not end because of processes that the agent starts.
 * @property {boolean} [isEstimateLow] Whether some requests are not in the stream, so that the estimate before the result is too low.
 * @property {boolean} [isAsked] Whether the agent has to request permissions.
 * @property {(seen: Seen) => Promise<void>} [meanwhile] Actions from outside during the run.
 * @property {string} [verdict] The expected verdict; default: `succeeded`.
 * @property {(seen: Seen, check: Check) => void | Promise<void>} [check]
 */

/** The last turn of the model. */
export const DONE = {text: 'That is done.'}

/**
 * A command that runs until it is killed.
 *
 * @param {string} mark
 */
export function toWaitingCommand(mark) {
  return `tail -f /dev/null ${mark}`
}

/**
 * The text of the main agent, from complete texts and from deltas.
 *
 * @param {Seen['events']} events
 */
export function joinText(events) {
  return joinDeltas(events, 'text')
}

/**
 * @param {Seen['events']} events
 * @param {'text' | 'thinking'} kind
 */
export function joinDeltas(events, kind) {
  return events
    .filter(({type, parentToolId}) => [kind, `${kind}-delta`].includes(type) && !parentToolId)
    .map(({text}) => text)
    .join('')
}

/** @param {Seen['messages']} messages */
export function joinContent(messages) {
  return messages.map(({content = ''}) => content).join('')
}
