#!/usr/bin/env node
// Requests permission on stdout for each tool of REQUESTS, reads the answers from stdin and ends when stdin is closed.
// Prints its arguments and each line from stdin to stderr.

import {writeSync} from 'node:fs'
import {createInterface} from 'node:readline'
import {assistantText, init, print, result, toolResult, toolUse} from './lines.js'

/** @type {[name: string, input: Record<string, unknown>][]} */
const requests = JSON.parse(
  process.env['REQUESTS'] ?? '[["Bash",{"command":"touch created","description":"Touch"}]]',
)
/** @type {string[]} */
const outcomes = []
let isAsked = false

writeSync(2, `argv: ${process.argv.slice(2).join(' ')}\n`)
for await (const line of createInterface({input: process.stdin})) {
  writeSync(2, `got: ${line}\n`)
  const record = JSON.parse(line)
  if (record.type === 'control_request') answer(record)
  if (record.type === 'user' && !isAsked) begin()
  if (record.type === 'control_response') settle(record.response)
}
writeSync(2, 'stdin is closed\n')
process.exit(isAsked && outcomes.length === requests.length ? 0 : 3)

function begin() {
  isAsked = true
  print(init())
  ask()
}

/** @param {{request_id: string}} request */
function answer({request_id}) {
  const response = {commands: [], agents: [], output_style: 'default', models: []}
  print({type: 'control_response', response: {subtype: 'success', request_id, response}})
}

function ask() {
  const request = requests[outcomes.length]
  if (request === undefined) {
    print(
      assistantText(`Outcome: ${outcomes.join(', ')}`),
      result(`Outcome: ${outcomes.join(', ')}`),
    )
    return
  }
  const [tool_name, input] = request
  const tool_use_id = `toolu_${outcomes.length + 1}`
  print(toolUse(tool_use_id, tool_name, input), {
    type: 'control_request',
    request_id: `request-${outcomes.length + 1}`,
    request: {
      subtype: 'can_use_tool',
      tool_name,
      display_name: tool_name,
      input,
      permission_suggestions: [],
      tool_use_id,
    },
  })
}

/** @param {{request_id: string, response?: {behavior: string, message?: string, updatedInput?: {answers?: unknown}}}} answered */
function settle({request_id, response}) {
  if (request_id !== `request-${outcomes.length + 1}`) return
  const isAllowed = response?.behavior === 'allow'
  outcomes.push(isAllowed ? 'allowed' : 'denied')
  const id = `toolu_${outcomes.length}`
  const answers = response?.updatedInput?.answers
  const ok = answers === undefined ? 'ok' : JSON.stringify(answers)
  print(isAllowed ? toolResult(id, ok) : toolResult(id, response?.message ?? 'denied', true))
  ask()
}
