// Tokens, durations and ids of a turn of the scripted model.

import {createHash} from 'node:crypto'

/** @import {Turn} from './model-server.js' */

/**
 * Tokens of a turn. `context` is the length of the conversation after it.
 *
 * @typedef {{input: number, cacheRead: number, cacheWrite: number, output: number, thinking: number, context: number}} Usage
 */

const CHARACTERS_PER_TOKEN = 3.6

/**
 * Counts approximately like a provider: everything in the previous request is read from the cache.
 *
 * @param {Turn} turn
 * @param {{length: number, before: number}} request Its length in characters, and the previous length of the conversation in tokens.
 * @returns {Usage}
 */
export function measureUsage(turn, {length, before}) {
  const context = turn.contextTokens ?? Math.round(length / CHARACTERS_PER_TOKEN)
  const thinking = countTokens(turn.thinking ?? '') * 3
  const calls = (turn.tools ?? []).map(({input}) => JSON.stringify(input)).join('')
  const visible = countTokens(turn.text ?? '') + countTokens(calls) + 8
  const output = turn.outputTokens ?? thinking + visible
  const cacheRead = Math.min(before, context)
  const input = Math.min(6, context - cacheRead)
  const cacheWrite = context - cacheRead - input
  return {input, cacheRead, cacheWrite, output, thinking, context}
}

/** @param {string} text */
function countTokens(text) {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** Default delay of the first chunk. */
const FIRST_DELAY_MS = 2600
/** Duration per character. Thinking takes longer, because only a summary of it is streamed. */
const CHARACTER_MS = {thinking: 48, text: 18, tool: 9}

/**
 * The time that a model takes for a text.
 *
 * @param {keyof typeof CHARACTER_MS} kind
 * @param {string} text
 */
export function computeDuration(kind, text) {
  return Math.round(text.length * CHARACTER_MS[kind])
}

/** @param {Turn} turn */
export function computeFirstDelay({pauseMs = FIRST_DELAY_MS}) {
  return pauseMs
}

/**
 * Splits a text at spaces, like a model that streams it.
 *
 * @param {string} text
 * @param {number} size
 */
export function splitText(text, size) {
  return text.match(new RegExp(`[^]{1,${size}}(?=\\s|$)|[^]{1,${size}}`, 'g')) ?? []
}

/**
 * Creates ids like those of providers, the same for the same seed.
 *
 * @param {string} seed
 */
export function createIds(seed) {
  let count = 0
  return (/** @type {string} */ prefix) => {
    const hash = createHash('sha256').update(`${seed}/${count++}`).digest('base64')
    return prefix + hash.replaceAll(/[+/=]/g, '').slice(0, 22)
  }
}
