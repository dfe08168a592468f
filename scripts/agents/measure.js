// What a turn of the scripted model is worth: tokens, time, names.

import {createHash} from 'node:crypto'

/** @import {Turn} from './model-server.js' */

/**
 * Tokens of a turn. `context` is how long the conversation is afterwards.
 *
 * @typedef {{input: number, cacheRead: number, cacheWrite: number, output: number, thinking: number, context: number}} Usage
 */

const CHARACTERS_PER_TOKEN = 3.6

/**
 * Counts as a provider would, roughly: all that was there at the last request is read from the cache.
 *
 * @param {Turn} turn
 * @param {{length: number, before: number}} request How long it is, and how long the conversation was.
 * @returns {Usage}
 */
export function measure(turn, {length, before}) {
  const asked = turn.contextTokens ?? Math.round(length / CHARACTERS_PER_TOKEN)
  const thinking = tokensOf(turn.thinking ?? '') * 3
  const calls = (turn.tools ?? []).map(({input}) => JSON.stringify(input)).join('')
  const said = tokensOf(turn.text ?? '') + tokensOf(calls) + 8
  const output = turn.outputTokens ?? thinking + said
  const cacheRead = Math.min(before, asked)
  const input = Math.min(6, asked - cacheRead)
  const cacheWrite = asked - cacheRead - input
  return {input, cacheRead, cacheWrite, output, thinking, context: asked}
}

/** @param {string} text */
function tokensOf(text) {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN)
}

/** How long the first word is waited for. */
const FIRST_MS = 2600
/** How long each character takes. What is shown of thoughts is a summary of them. */
const CHARACTER_MS = {thinking: 48, text: 18, tool: 9}

/**
 * Says how long a model takes for a text.
 *
 * @param {keyof typeof CHARACTER_MS} kind
 * @param {string} text
 */
export function timeFor(kind, text) {
  return Math.round(text.length * CHARACTER_MS[kind])
}

/**
 * Says how long the first word of a turn is waited for.
 *
 * @param {Turn} turn
 */
export function timeToFirst({pauseMs = FIRST_MS}) {
  return pauseMs
}

/**
 * Cuts a text into pieces as a model streams it, at spaces, so that no word is torn.
 *
 * @param {string} text
 * @param {number} size
 */
export function cut(text, size) {
  return text.match(new RegExp(`[^]{1,${size}}(?=\\s|$)|[^]{1,${size}}`, 'g')) ?? []
}

/**
 * Makes names as providers have them, the same whenever they are made.
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
