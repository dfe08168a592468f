// Takes out of what an agent printed what tells of the machine that it ran on, and the times at which it did.

import {createHash} from 'node:crypto'
import {parse} from './join.js'
import {ORIGIN, TIME, toMs} from './times.js'

/** @import {Json, JsonObject} from './join.js' */

/**
 * Makes a function for the lines of a run, in their order: names that were made up by chance are the same each time.
 *
 * @param {{name: string, root: string, startedAt: number}} run `root` is the folder in whose `home/dev` all was done.
 * @returns {(text: string) => string}
 */
export function createScrubber({name, root, startedAt}) {
  /** @type {Map<string, string>} */
  const names = new Map()
  const rename = (/** @type {string} */ found) => {
    const known = names.get(found)
    if (known !== undefined) return known
    const digits = createHash('sha256').update(`${name}/${names.size}`).digest('hex')
    let index = 0
    const made = found.replaceAll(/[\da-z]/g, () => digits[index++ % 64] ?? '0')
    names.set(found, made)
    return made
  }
  const dashed = root.replaceAll('/', '-')
  return (text) =>
    shorten(text)
      .replaceAll(root, '')
      .replaceAll(dashed, '')
      .replaceAll(/\/tmp\/claude-\d+\//g, '/tmp/claude-1000/')
      .replaceAll(/\/tmp\/cc-socks\/\d+/g, '/tmp/cc-socks/1000')
      .replaceAll(/(?<=T\d\d:\d\d:\d\d\.\d{3})\+00:00/g, 'Z')
      .replaceAll(/(?:http:\/\/)?127\.0\.0\.1:\d+/g, (url) =>
        url.startsWith('http') ? `https://${HOST}` : HOST,
      )
      .replaceAll(TIME, (time) => {
        const told = ORIGIN + toMs(time) - startedAt
        return time.includes('T') ? new Date(told).toISOString() : `${told}`
      })
      .replaceAll(NAMES, rename)
}

/** In the place of the model server. */
const HOST = 'models.example.com'

/** UUIDs, and what Claude calls its tasks, but for the first letter, and their runs. */
const NAMES =
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|(?<=\ba)[\da-f]{16}\b|(?<=(?:"task_id":"|ID: |tasks\/|<task-id>)b)[\da-z]{8}\b|(?<="run_id":")[\w-]+/g

/**
 * What Claude tells of itself when it is greeted is long, and nobody reads it.
 *
 * @param {string} text
 */
function shorten(text) {
  if (!text.startsWith('{"type":"control_response"')) return text
  const record = parse(text)
  const response = objectIn(objectIn(record, 'response'), 'response')
  if (response === undefined) return text
  for (const [key, value] of Object.entries(response)) {
    if (Array.isArray(value)) response[key] = value.slice(0, 2).map(withoutDescription)
  }
  delete response['account']
  delete response['pid']
  return JSON.stringify(record)
}

/**
 * @param {JsonObject | undefined} record
 * @param {string} key
 */
function objectIn(record, key) {
  const value = record?.[key]
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined
}

/**
 * @param {Json} item
 * @returns {Json}
 */
function withoutDescription(item) {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return item
  return 'description' in item ? {...item, description: '…'} : item
}
