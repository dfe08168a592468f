// Records in the format of Claude Code 2.1, for fake agents and tests. Their ids are the same in every process.

import {openSync, writeSync} from 'node:fs'

export {setTimeout as sleep} from 'node:timers/promises'

const SESSION = '73322f5f-2739-4085-aac9-e9806978251e'
const MODEL = 'claude-opus-5-5'

/** A file for a second copy of the output, to compare with the recording. */
const copy = process.env['COPY'] === undefined ? undefined : openSync(process.env['COPY'], 'a')

let count = 0

/** @param {string | Uint8Array} bytes */
export function write(bytes) {
  const buffer = Buffer.from(bytes)
  if (copy !== undefined) writeSync(copy, buffer)
  for (let at = 0; at < buffer.length;) at += writeSync(1, buffer, at)
}

/** @param {object[]} records */
export function print(...records) {
  for (const record of records) write(`${JSON.stringify(record)}\n`)
}

/**
 * The output for records. A string is a line of its own, unchanged.
 *
 * @param {readonly (object | string)[]} records
 */
export function toStream(records) {
  return records
    .map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`)
    .join('')
}

/** @param {object} [fields] Fields that differ from the defaults. */
export function init(fields) {
  return {
    type: 'system',
    subtype: 'init',
    cwd: '/home/dev/project',
    session_id: SESSION,
    tools: ['Bash', 'Read', 'Write'],
    mcp_servers: [],
    model: MODEL,
    permissionMode: 'default',
    claude_code_version: '2.1.325',
    uuid: uuid(),
    ...fields,
  }
}

/** @param {string} text */
export function assistantText(text) {
  return assistant([{type: 'text', text}])
}

/**
 * @param {string} id
 * @param {string} name
 * @param {object} input
 */
export function toolUse(id, name, input) {
  return assistant([{type: 'tool_use', id, name, input}])
}

/**
 * @param {string} id
 * @param {string | object[]} content
 */
export function toolResult(id, content, isError = false) {
  return {
    type: 'user',
    message: {
      role: 'user',
      content: [{tool_use_id: id, type: 'tool_result', content, is_error: isError}],
    },
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: uuid(),
  }
}

/**
 * @param {string} subtype
 * @param {object} fields
 */
export function system(subtype, fields) {
  return {type: 'system', subtype, ...fields, uuid: uuid(), session_id: SESSION}
}

/**
 * @param {string} text
 * @param {object} [fields] Fields that differ from the defaults.
 */
export function result(text, fields) {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 212,
    duration_api_ms: 103,
    num_turns: 1,
    result: text,
    stop_reason: 'end_turn',
    session_id: SESSION,
    total_cost_usd: 0.0125,
    usage: usage(),
    permission_denials: [],
    uuid: uuid(),
    ...fields,
  }
}

/** @param {readonly object[]} content */
export function assistant(content) {
  return {
    type: 'assistant',
    message: {
      id: `msg_${++count}`,
      type: 'message',
      role: 'assistant',
      model: MODEL,
      content,
      stop_reason: null,
      stop_sequence: null,
      usage: usage(),
    },
    parent_tool_use_id: null,
    session_id: SESSION,
    uuid: uuid(),
  }
}

function usage() {
  return {
    input_tokens: 12,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 100,
    output_tokens: 5,
    service_tier: 'standard',
  }
}

function uuid() {
  return `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`
}

/** A number from the environment. @type {(name: string, fallback: number) => number} */
export function number(name, fallback) {
  return Number(process.env[name] ?? fallback)
}

/** Keeps the process running until it is killed. */
export function hang() {
  setInterval(() => {}, 60_000)
}
