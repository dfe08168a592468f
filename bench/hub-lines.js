// What simulated runs print: lines as Claude Code prints them, each of which becomes one message, with the time and a
// number in the part of it that is told.

import {assistantText, init, result, toolResult, toolUse} from '../test/fake-agents/lines.js'
import {clock} from './hub-process.js'

const WORDS =
  'the glass case holds a small index of runs that grows while agents read, edit, test and talk; naïve 玻璃 readers wait “here” for the next line'.split(
    ' ',
  )

/** A turn of an agent, as it repeats. */
const turn = [
  assistantText(`¤: ${talk(120)}`),
  toolUse('toolu_§', 'Read', {file_path: '/home/dev/project/src/store/index.ts', note: '¤'}),
  toolResult('toolu_§', `¤\n${listing(60)}`),
  assistantText(`¤: ${talk(700)}`),
  toolUse('toolu_§', 'Bash', {command: `npm test -- store # ¤`, description: 'Run the tests'}),
  toolResult('toolu_§', `¤ ${talk(240)}`),
  toolUse('toolu_§', 'Grep', {pattern: '¤', path: '/home/dev/project/src', output_mode: 'content'}),
  toolResult('toolu_§', '¤: no matches', true),
  assistantText(`¤: ${talk(1800)}`),
  toolUse('toolu_§', 'Bash', {command: `cat <<'END' > notes.md\n¤ ${talk(500)}\nEND`}),
  toolResult('toolu_§', `¤\n${listing(12)}`),
].map(toTemplate)

/** What a run prints before anything becomes a message. */
export const firstLine = Buffer.from(`${JSON.stringify(init())}\n`)

/** What a run prints last, when no tool is at work. */
export const lastLine = Buffer.from(`${JSON.stringify(result('All of it is done.'))}\n`)

/** Whether the line of that number calls a tool. @param {number} seq */
export function isCall(seq) {
  return turn[seq % turn.length]?.some((part) => part.includes('"tool_use"')) ?? false
}

/**
 * The line of a run that becomes its message of that number, printed now.
 *
 * @param {number} seq
 */
export function lineOf(seq) {
  const template = turn[seq % turn.length] ?? []
  const stamp = `stamp ${clock()} of ${seq}`
  // A result is that of the call before it.
  const id = String(seq - (template.includes('tool_result"') ? 1 : 0))
  let line = ''
  for (const part of template) line += part === '¤' ? stamp : part === '§' ? id : part
  return Buffer.from(line)
}

/** The time and the number in a message. */
export const STAMP = /stamp (\d+) of (\d+)/

/** @param {object} record */
function toTemplate(record) {
  const json = JSON.stringify(record).replaceAll(/(msg_|00000000-0000-4000-8000-)\d+/g, '$1§')
  // The mark of what is a result is a part of its own.
  return `${json}\n`.split(/(¤|§|tool_result")/).filter((part) => part !== '')
}

/** @param {number} length */
function talk(length) {
  let text = ''
  for (let at = 0; text.length < length; at = (at * 7 + 3) % 1009)
    text += `${WORDS[at % WORDS.length]} `
  return text.trim()
}

/** @param {number} count */
function listing(count) {
  const lines = Array.from({length: count}, (_, at) => `${at + 1}\texport const part${at} = ${at}`)
  return lines.join('\n')
}
