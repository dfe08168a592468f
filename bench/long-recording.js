// The recording of a long run of Claude Code: text, successful and failed tools, sub-agents.

import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {createRunRecord, createRunResult} from '../test/support/run-record.js'

/**
 * Writes a recording with at least `events` events.
 *
 * @param {string} dataDir
 * @param {string} runId
 * @param {{events: number, isOver?: boolean, startedAt?: number, durationMs?: number}} options
 * @returns {{lines: number, bytes: number, dir: string}}
 */
export function writeLongRecording(dataDir, runId, options) {
  const {events, isOver = true, durationMs = 2 * 60 * 60 * 1000} = options
  const startedAt = options.startedAt ?? Date.now() - durationMs
  const dir = join(dataDir, 'runs', runId)
  mkdirSync(dir, {recursive: true, mode: 0o700})
  const lines = createLines(events)
  const step = durationMs / lines.length
  let end = 0
  /** @type {string[]} */
  const timing = []
  for (const [index, line] of lines.entries()) {
    end += Buffer.byteLength(line) + 1
    if (index % 3 === 0 || index === lines.length - 1) {
      timing.push(`[${Math.round(startedAt + index * step)},"out",${end}]`)
    }
  }
  writeFileSync(join(dir, 'stdout'), `${lines.join('\n')}\n`)
  writeFileSync(join(dir, 'stderr'), '')
  writeFileSync(join(dir, 'timing.ndjson'), `${timing.join('\n')}\n`)
  const prompt = 'Move the whole code base to the new API'
  const record = createRunRecord(runId, {
    argv: ['claude', '-p', prompt],
    cwd: '/home/dev/ledger-api',
    prompt,
    startedAt,
    supervisor: {pid: process.pid},
    ...(isOver && {
      endedAt: startedAt + durationMs,
      sizes: {stdout: end, stderr: 0, timing: Buffer.byteLength(`${timing.join('\n')}\n`)},
      result: createRunResult(runId, {
        startedAt,
        durationMs,
        toolCount: Math.floor(events / 3),
        costUsd: 12.5,
        tokens: {input: 90_000, output: 400_000, cacheRead: 9_000_000, cacheWrite: 800_000},
        failedToolCount: Math.floor(events / 60),
        lines: lines.length,
        fileCount: 120,
        added: 4000,
        removed: 1800,
      }),
    }),
  })
  writeFileSync(join(dir, 'run.json'), JSON.stringify(record, null, 2))
  return {lines: lines.length, bytes: end, dir}
}

/**
 * Lines with at least `events` events.
 *
 * @param {number} events
 * @param {number} [first] The number of the first round, which makes the ids of later lines unique.
 * @returns {string[]}
 */
export function createLines(events, first = 0) {
  /** @type {string[]} */
  const lines = []
  if (first === 0) {
    lines.push(
      encode({
        type: 'system',
        subtype: 'init',
        cwd: '/home/dev/ledger-api',
        tools: ['Bash', 'Edit', 'Grep', 'Read', 'Task'],
        model: 'claude-opus-5-5',
        permissionMode: 'default',
        claude_code_version: '2.1.325',
      }),
    )
  }
  let count = 1
  /** @type {string | null} */
  let parent = null
  for (let round = first; count < events; round++) {
    if (round % 200 === 100) {
      parent = `task${round}`
      const input = {
        description: `Look into part ${round}`,
        prompt: 'Find it.',
        subagent_type: 'Explore',
      }
      lines.push(assistantLine(round, null, [{type: 'tool_use', id: parent, name: 'Task', input}]))
      count++
    }
    lines.push(
      assistantLine(round, parent, [
        {type: 'text', text: `Step ${round}: ${WORDS.slice(0, 60 + (round % 200))}`},
      ]),
    )
    const id = `toolu_${round}`
    const {name, input, output} = createToolUse(round)
    lines.push(assistantLine(round, parent, [{type: 'tool_use', id, name, input}]))
    const isError = round % 20 === 7
    lines.push(
      userLine(parent, [
        {type: 'tool_result', tool_use_id: id, content: output, is_error: isError},
      ]),
    )
    count += 3
    if (name === 'Edit' && !isError) count++
    if (round % 200 === 120 && parent !== null) {
      lines.push(
        userLine(null, [
          {type: 'tool_result', tool_use_id: parent, content: 'Found it.', is_error: false},
        ]),
      )
      parent = null
      count++
    }
  }
  return lines
}

const WORDS =
  'the handler reads the event, claims its id with an insert and answers at once when another request was first; '.repeat(
    4,
  )
const OUTPUT = Array.from(
  {length: 40},
  (_, row) => ` ✓ tests/part-${row}.test.ts (${row + 3} tests) ${row * 7} ms`,
).join('\n')

/** @param {number} round */
function createToolUse(round) {
  const path = `/home/dev/ledger-api/src/part-${round % 120}.ts`
  switch (round % 4) {
    case 0:
      return {name: 'Read', input: {file_path: path}, output: OUTPUT.slice(0, 900)}
    case 1:
      return {name: 'Bash', input: {command: `npm test -- part-${round}`}, output: OUTPUT}
    case 2:
      return {
        name: 'Edit',
        input: {
          file_path: path,
          old_string: `const a = ${round}\n`,
          new_string: `const a = ${round + 1}\nconst b = a\n`,
        },
        output: `The file ${path} has been updated.`,
      }
    default:
      return {
        name: 'Grep',
        input: {pattern: `claim(${round})`, path: 'src'},
        output: `${path}:1:x\n`.repeat(8),
      }
  }
}

/**
 * @param {number} round
 * @param {string | null} parent
 * @param {object[]} content
 */
function assistantLine(round, parent, content) {
  const usage = {
    input_tokens: 4,
    output_tokens: 40 + (round % 90),
    cache_read_input_tokens: 20_000 + (round % 1000) * 100,
    cache_creation_input_tokens: 400,
  }
  const message = {
    id: `msg_${round}`,
    type: 'message',
    role: 'assistant',
    model: 'claude-opus-5-5',
    content,
    usage,
  }
  return encode({type: 'assistant', message, parent_tool_use_id: parent})
}

/**
 * @param {string | null} parent
 * @param {object[]} content
 */
function userLine(parent, content) {
  return encode({type: 'user', message: {role: 'user', content}, parent_tool_use_id: parent})
}

/** @param {object} value */
function encode(value) {
  return JSON.stringify({...value, session_id: '00000000-0000-4000-8000-000000000001'})
}
