// What a case is made of, and what most of them need to say what they expect.

/** @import {Program} from './programs.js' */
/** @import {Script} from './model-server.js' */
/** @import {Seen} from './try-case.js' */
/** @import {Tongue} from './tongues.js' */

/**
 * Records a problem unless the condition holds.
 *
 * @typedef {(what: string, isSo: unknown, seen?: unknown) => void} Check
 */

/**
 * Where a case runs. `mark` is a word that occurs nowhere else on this machine.
 *
 * @typedef {{cwd: string, home: string, mark: string, dataDir: string, hubUrl: string, program: Program}} Place
 */

/**
 * How the agent is started for a case. The paths of `files` are relative to the working folder, those of `settings` to the home.
 *
 * @typedef {object} Setup
 * @property {string | null} [prompt] Instead of the usual one; empty for a prompt on stdin, null for messages in JSON on stdin (Claude).
 * @property {string[]} [args] More arguments of the agent.
 * @property {string} [stdin] Forwarded to `vitrine run` and closed; without it stdin is closed from the start.
 * @property {Record<string, string>} [env]
 * @property {Record<string, string>} [files]
 * @property {Record<string, string>} [settings]
 */

/**
 * @typedef {object} Case
 * @property {string} name
 * @property {string} title
 * @property {string} about What is checked, for readers of the results.
 * @property {(tongue: Tongue, program: Program) => boolean} [isFor] Whether an agent can do this; all can, unless set.
 * @property {(tongue: Tongue, place: Place) => Script} script
 * @property {(tongue: Tongue, place: Place) => Setup} [setup]
 * @property {string[]} [options] Options of `vitrine run`.
 * @property {number} [speed] How much faster than a real model the scripted one is; practically no delay, unless set.
 * @property {boolean} [isUntraced] Whether the processes that it starts would keep strace from ending.
 * @property {boolean} [isEstimateLow] Whether requests are not in the stream, so that the estimate before the result is too low.
 * @property {boolean} [isAsked] Whether the agent has to ask before it acts.
 * @property {(seen: Seen) => Promise<void>} [meanwhile] What happens from outside while it runs.
 * @property {string} [verdict] `succeeded`, unless set.
 * @property {(seen: Seen, check: Check) => void | Promise<void>} [check]
 */

/** An answer that ends a turn. */
export const BYE = {text: 'That is done.'}

/**
 * A command that does not end by itself.
 *
 * @param {string} mark
 */
export function waiting(mark) {
  return `tail -f /dev/null ${mark}`
}

/**
 * All that an agent said, whether it came whole or in pieces.
 *
 * @param {Seen['events']} events
 */
export function saidIn(events) {
  return joined(events, 'text')
}

/**
 * @param {Seen['events']} events
 * @param {'text' | 'thinking'} kind
 */
export function joined(events, kind) {
  return events
    .filter(({type, parentToolId}) => [kind, `${kind}-delta`].includes(type) && !parentToolId)
    .map(({text}) => text)
    .join('')
}

/** @param {Seen['messages']} messages */
export function contentOf(messages) {
  return messages.map(({content = ''}) => content).join('')
}
