// Creates a large history of Claude Code, the same in every run. The rows are those of a session of the tests with other
// ids, times, tokens and contents, in the proportions of long sessions of real work:
//
// - Tool results are most of a file. They contain parts of this repository's source, once for the model and once for the
//   program, most of a few kB, one of 250 more than 100 kB. There is a row with usage for every 7 kB.
// - An answer has one to three rows with the same usage: thinking, text, a tool call, whose input can be a whole file.
// - Files differ in size by a factor of a thousand. A fifth is of sub-agents. One session of 40 is the fork of another.

import {mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/** @typedef {Record<string, any>} Row */
/** @typedef {{sessionId: string, agentId?: string, day: number, folder: number}} Identity */

const root = fileURLToPath(new URL('..', import.meta.url))
const fixture =
  'test/transcripts/claude/projects/-home-dev-project/8d72923b-837c-4288-b6e4-fc4264014c9f.jsonl'
const FOLDERS = 40
const DAYS = 60
const DAY_MS = 86_400_000
const LAST_DAY = Date.UTC(2026, 10, 16)
const MAX_CONTENT = 200_000
const MODELS = ['claude-opus-5-5', 'claude-sonnet-5-5', 'claude-haiku-5-5']

/**
 * Writes transcripts into a home folder that have about this size together.
 *
 * @param {{home: string, files: number, megabytes: number}} options
 * @returns {number} The number of bytes.
 */
export function createHistoryCorpus({home, files, megabytes}) {
  const random = createRandom(22)
  const writer = createSessionWriter(random)
  const weights = Array.from({length: files}, () => random.skewed(1, 1.5))
  let weightLeft = weights.reduce((sum, weight) => sum + weight, 0)
  let bytes = 0
  /** @type {Identity} */
  let session = {sessionId: '', day: 0, folder: 0}
  /** @type {string[]} */
  let before = []
  for (const [index, weight] of weights.entries()) {
    const isSubAgent = index % 5 === 4
    if (!isSubAgent) {
      const day = LAST_DAY - random.below(DAYS) * DAY_MS
      session = {sessionId: random.uuid(), day, folder: random.below(FOLDERS)}
    }
    const identity = isSubAgent ? {...session, agentId: random.hex(17)} : session
    const isFork = index % 40 === 1
    const copied = isFork ? before.map((row) => withSession(row, session.sessionId)) : []
    const bytesLeft = megabytes * 1e6 - bytes - (files - index) * writer.openingBytes
    const size = (weight / weightLeft) * bytesLeft - sizeOf(copied)
    const rows = [...copied, ...writer.write(identity, size)]
    weightLeft -= weight
    if (!isSubAgent) before = rows.slice(0, 200)
    const text = `${rows.join('\n')}\n`
    bytes += Buffer.byteLength(text)
    writeTranscript(home, identity, text)
  }
  return bytes
}

/**
 * Writes a session with this many rows.
 *
 * @param {{home: string, lines: number}} options
 * @returns {{sessionId: string, path: string}}
 */
export function createLongSession({home, lines}) {
  const random = createRandom(23)
  const identity = {sessionId: random.uuid(), day: LAST_DAY, folder: 0}
  const rows = createSessionWriter(random).write(identity, lines * 4000)
  return {
    sessionId: identity.sessionId,
    path: writeTranscript(home, identity, `${rows.slice(0, lines).join('\n')}\n`),
  }
}

/**
 * @param {string} home
 * @param {Identity} identity
 * @param {string} text
 */
function writeTranscript(home, {sessionId, agentId, day, folder}, text) {
  const project = join(home, '.claude', 'projects', `-home-dev-project-${folder}`)
  const isMain = agentId === undefined
  const path = isMain ? project : join(project, sessionId, 'subagents')
  mkdirSync(path, {recursive: true})
  const name = isMain ? sessionId : `agent-${agentId}`
  const file = join(path, `${name}.jsonl`)
  writeFileSync(file, text)
  // A session that was written just now is live.
  utimesSync(file, (day + DAY_MS) / 1000, (day + DAY_MS) / 1000)
  if (!isMain) writeFileSync(join(path, `${name}.meta.json`), '{"agentType":"general-purpose"}')
  return file
}

/** @param {readonly string[]} rows */
function sizeOf(rows) {
  return rows.reduce((sum, row) => sum + row.length, 0)
}

/**
 * A row as a fork copies it.
 *
 * @param {string} row
 * @param {string} sessionId
 */
function withSession(row, sessionId) {
  return row.replace(/"sessionId":"[^"]+"/, `"sessionId":"${sessionId}"`)
}

/** @param {ReturnType<typeof createRandom>} random */
function createSessionWriter(random) {
  const rows = readRows()
  const isAnswer = (/** @type {Row} */ {type}) => type === 'assistant'
  const opening = rows.slice(0, rows.findIndex(isAnswer))
  const [prompt, answer] = [rows.find(({type}) => type === 'user') ?? {}, rows.find(isAnswer) ?? {}]
  const result = rows.find(({toolUseResult}) => toolUseResult?.file !== undefined) ?? {}
  const aroundRequests = ['api-request', 'tools-used'].map(
    (name) => rows.find(({type}) => type === name) ?? {},
  )
  const afterTurns = ['last-prompt', 'cost-state'].map(
    (name) => rows.find(({type}) => type === name) ?? {},
  )
  const source = readSource()
  return {write, openingBytes: sizeOf(opening.map((row) => JSON.stringify(row)))}

  /**
   * @param {Identity} identity
   * @param {number} size The size without the opening.
   */
  function write({sessionId, agentId, day, folder}, size) {
    /** @type {string[]} */
    const written = []
    let length = 0
    let at = day + random.below(DAY_MS / 2)
    let context = 8000
    const sidechain = agentId === undefined ? {isSidechain: false} : {isSidechain: true, agentId}
    const common = {cwd: `/home/dev/project-${folder}`, sessionId}
    const model = MODELS[random.below(MODELS.length)]
    for (const row of opening) add(row)
    length = 0
    const isFull = () => length >= size
    while (!isFull()) {
      add({...prompt, message: {role: 'user', content: sample(300)}})
      for (let call = random.below(12); call >= 0 && !isFull(); call--) addRequest(call === 0)
      for (const row of afterTurns) add(row)
    }
    return written

    /** @param {boolean} isLast */
    function addRequest(isLast) {
      for (const row of aroundRequests) add(row)
      const [id, requestId] = [`msg_01${random.hex(22)}`, `req_011${random.hex(21)}`]
      const toolId = `toolu_01${random.hex(22)}`
      const added = 100 + random.below(2000)
      const usage = {
        ...answer['message']?.usage,
        input_tokens: 1 + random.below(10),
        cache_creation_input_tokens: added,
        cache_read_input_tokens: context,
        output_tokens: 20 + random.below(1500),
        cache_creation: {ephemeral_1h_input_tokens: 0, ephemeral_5m_input_tokens: added},
      }
      context = (context + added) % 150_000
      const blocks = [
        ...(random.below(3) === 0
          ? [{type: 'thinking', thinking: sample(300), signature: random.hex(800)}]
          : []),
        ...(isLast || random.below(3) === 0 ? [{type: 'text', text: sample(400)}] : []),
        ...(isLast ? [] : [toolCall(toolId)]),
      ]
      const stop_reason = isLast ? 'end_turn' : 'tool_use'
      for (const block of blocks) {
        add({
          ...answer,
          requestId,
          message: {...answer['message'], id, model, content: [block], stop_reason, usage},
        })
      }
      if (!isLast) addResult(toolId)
    }

    /** @param {string} toolId */
    function addResult(toolId) {
      const content = sample(900)
      const block = {...result['message']?.content[0], tool_use_id: toolId, content}
      const {file} = result['toolUseResult'] ?? {}
      const toolUseResult = {type: 'text', file: {...file, content}}
      add({...result, message: {role: 'user', content: [block]}, toolUseResult})
    }

    /** @param {Row} row */
    function add(row) {
      at += random.below(4000)
      const renewed = {
        ...row,
        ...('isSidechain' in row && sidechain),
        ...('uuid' in row && {uuid: random.uuid(), parentUuid: random.uuid()}),
        ...('timestamp' in row && {timestamp: new Date(at).toISOString()}),
        ...('cwd' in row && common),
        ...('sessionId' in row && {sessionId}),
      }
      const text = JSON.stringify(renewed)
      written.push(text)
      length += text.length + 1
    }
  }

  /** @param {string} id */
  function toolCall(id) {
    const isEdit = random.below(4) === 0
    const input = isEdit
      ? {
          file_path: '/home/dev/project/src/greet.js',
          old_string: sample(300),
          new_string: sample(400),
        }
      : {command: sample(60), description: 'Run it'}
    return {type: 'tool_use', id, name: isEdit ? 'Edit' : 'Bash', input}
  }

  /** @param {number} middle Half of the texts are shorter. */
  function sample(middle) {
    const length = Math.min(MAX_CONTENT, Math.ceil(random.skewed(middle, 1.5)))
    const start = random.below(source.length - length)
    return source.slice(start, start + length)
  }
}

/** @returns {Row[]} */
function readRows() {
  const lines = readFileSync(join(root, fixture), 'utf8').split('\n')
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line))
}

function readSource() {
  const folder = join(root, 'src')
  const names = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
    name.endsWith('.ts'),
  )
  const texts = names.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'))
  // A part must not begin or end within a character.
  return texts.join('').replaceAll(/[\u{10000}-\u{10ffff}]/gu, '')
}

/** Random values that are the same in every run. @param {number} seed */
function createRandom(seed) {
  let state = seed
  return {below, skewed, hex, uuid}

  /** From 0 to 1. */
  function next() {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }

  /** @param {number} limit */
  function below(limit) {
    return Math.floor(next() * limit)
  }

  /**
   * A size of which few are very large.
   *
   * @param {number} middle
   * @param {number} spread
   */
  function skewed(middle, spread) {
    const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
    return middle * Math.exp(spread * normal)
  }

  /** @param {number} length */
  function hex(length) {
    let text = ''
    while (text.length < length)
      text += below(2 ** 32)
        .toString(16)
        .padStart(8, '0')
    return text.slice(0, length)
  }

  function uuid() {
    return `${hex(8)}-${hex(4)}-4${hex(3)}-a${hex(3)}-${hex(12)}`
  }
}
