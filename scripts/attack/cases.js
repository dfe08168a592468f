// All cases in their order.

import {abuseCases} from './abuse-cases.js'
import {loadCases} from './load-cases.js'
import {unreadCases} from './unread-cases.js'

/** @typedef {import('./hub.js').AttackedHub} AttackedHub */

/**
 * One attack on a fresh hub.
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {string} tried The attack in a few words, with counts.
 * @property {(dataDir: string) => void} [prepare] Fills the data folder before the hub starts.
 * @property {number} [maxFiles] The `ulimit -n` of the hub.
 * @property {number} [maxGrowthMb] The maximum growth of memory.
 * @property {number} [maxStallMs] The maximum duration of a request of another client. Default: 2,000.
 * @property {(attack: Attack) => Promise<string[]>} run Returns the problems.
 */

/**
 * @typedef {object} Attack
 * @property {AttackedHub} hub
 * @property {string} bin
 * @property {(figure: string) => void} note Adds a figure to the row of the case.
 */

/** @type {readonly Case[]} */
export const cases = [...abuseCases, ...unreadCases, ...loadCases]
