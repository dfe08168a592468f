// Removes paths, ids and times of the recording machine from the output of an agent.

import {createHash} from 'node:crypto'
import {parseObject} from './join.js'
import {ORIGIN, TIME, parseTime} from './times.js'

/** @import {Json, JsonObject} from './join.js' */

/**
 * Creates a function for the lines of a run in order. Random ids become the same in every recording.
 *
 * @param {{name: string, root: string, startedAt: number}} run `root`: the folder that contains `home/dev`.
 * @returns {(text: string) => string}
 */
export function createScrubber({name, root, startedAt}) {
  /** @type {Map<string, string>} */
  const ids = new Map()
  const replaceId = (/** @type {string} */ found) => {
    const known = ids.get(found)
    if (known !== undefined) return known
    const digits = createHash('sha256').update(`${name}/${ids.size}`).digest('hex')
    let index = 0
    const replaced = found.replaceAll(/[\da-z]/g, () => digits[index++ % 64] ?? '0')
    ids.set(found, replaced)
    return replaced
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
        const replaced = ORIGIN + parseTime(time) - startedAt
        return time.includes('T') ? new Date(replaced).toISOString() : `${replaced}`
      })
      .replaceAll(IDS, replaceId)
}

/** Replaces the address of the model server. */
const HOST = 'models.example.com'

/** UUIDs, ids of Claude's tasks without their first letter, and ids of their runs. */
const IDS =
  /\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b|(?<=\ba)[\da-f]{16}\b|(?<=(?:"task_id":"|ID: |tasks\/|<task-id>)b)[\da-z]{8}\b|(?<="run_id":")[\w-]+/g

/**
 * Shortens the long reply of Claude to the `initialize` request.
 *
 * @param {string} text
 */
function shorten(text) {
  if (!text.startsWith('{"type":"control_response"')) return text
  const record = parseObject(text)
  const response = readObject(readObject(record, 'response'), 'response')
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
function readObject(record, key) {
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
