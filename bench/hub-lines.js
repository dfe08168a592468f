// Output of simulated runs in the format of Claude Code. Each line becomes one message, which contains the time and the
// sequence number of the line.

import {assistantText, init, result, toolResult, toolUse} from '../test/fake-agents/lines.js'
import {readClock} from './hub-process.js'

const WORDS =
  'the glass case holds a small index of runs that grows while agents read, edit, test and createWords; naïve 玻璃 readers wait “here” for the next line'.split(
    ' ',
  )

/** A turn of an agent, which repeats. `¤` stands for the stamp, `§` for an id. */
const turn = [
  assistantText(`¤: ${createWords(120)}`),
  toolUse('toolu_§', 'Read', {file_path: '/home/dev/project/src/store/index.ts', note: '¤'}),
  toolResult('toolu_§', `¤\n${createListing(60)}`),
  assistantText(`¤: ${createWords(700)}`),
  toolUse('toolu_§', 'Bash', {command: `npm test -- store # ¤`, description: 'Run the tests'}),
  toolResult('toolu_§', `¤ ${createWords(240)}`),
  toolUse('toolu_§', 'Grep', {pattern: '¤', path: '/home/dev/project/src', output_mode: 'content'}),
  toolResult('toolu_§', '¤: no matches', true),
  assistantText(`¤: ${createWords(1800)}`),
  toolUse('toolu_§', 'Bash', {command: `cat <<'END' > notes.md\n¤ ${createWords(500)}\nEND`}),
  toolResult('toolu_§', `¤\n${createListing(12)}`),
].map(toTemplate)

/** The first line of a run, which is not a message. */
export const firstLine = Buffer.from(`${JSON.stringify(init())}\n`)

/** The last line of a run, after the last tool has ended. */
export const lastLine = Buffer.from(`${JSON.stringify(result('Done.'))}\n`)

/** Whether the line with this number calls a tool. @param {number} seq */
export function isToolCall(seq) {
  return turn[seq % turn.length]?.some((part) => part.includes('"tool_use"')) ?? false
}

/**
 * The line that becomes the message with this number, stamped with the current time.
 *
 * @param {number} seq
 */
export function createLine(seq) {
  const template = turn[seq % turn.length] ?? []
  const stamp = `stamp ${readClock()} of ${seq}`
  // A result belongs to the call before it.
  const id = String(seq - (template.includes('tool_result"') ? 1 : 0))
  let line = ''
  for (const part of template) line += part === '¤' ? stamp : part === '§' ? id : part
  return Buffer.from(line)
}

/** The time and the sequence number in a message. */
export const STAMP = /stamp (\d+) of (\d+)/

/** @param {object} record */
function toTemplate(record) {
  const json = JSON.stringify(record).replaceAll(/(msg_|00000000-0000-4000-8000-)\d+/g, '$1§')
  // `tool_result"` is a separate part, by which createLine recognizes a result.
  return `${json}\n`.split(/(¤|§|tool_result")/).filter((part) => part !== '')
}

/** @param {number} length */
function createWords(length) {
  let text = ''
  for (let at = 0; text.length < length; at = (at * 7 + 3) % 1009)
    text += `${WORDS[at % WORDS.length]} `
  return text.trim()
}

/** @param {number} count */
function createListing(count) {
  const lines = Array.from({length: count}, (_, at) => `${at + 1}\texport const part${at} = ${at}`)
  return lines.join('\n')
}
