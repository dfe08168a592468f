import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe, expect, test} from 'vitest'
import {TRANSCRIPTS} from '../../../test/support/transcripts.ts'
import {createFacts, type TranscriptSource} from '../../core/events/transcript.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {readAnswerLine} from './transcript-lines.ts'
import {createScanner} from './transcript-scan.ts'

const folder = join(TRANSCRIPTS, 'claude/projects')
const files = readdirSync(folder, {recursive: true, encoding: 'utf8'}).filter((name) =>
  name.endsWith('.jsonl'),
)
const lines = files.flatMap((name) =>
  readFileSync(join(folder, name), 'latin1').split('\n').filter(Boolean),
)

const source: TranscriptSource = {
  path: 'project/session.jsonl',
  file: {storage: 'lines', sessionId: 'session'},
  readText: () => undefined,
  listFiles: () => [],
  query: () => [],
}

/** The facts of lines; with lines that need not be parsed, their number. */
function scan(given: readonly string[], isFast: boolean) {
  const facts = createFacts()
  const scanner = createScanner(facts, source)
  for (const line of given) {
    if (!isFast || scanner.readLine?.(line) !== true) scanner.read(JSON.parse(line) as JsonObject)
  }
  return facts
}

const answer =
  lines.find((line) => line.includes('"name":"Read"') && readAnswerLine(line) !== undefined) ?? ''

describe('the line of an answer', () => {
  test.each(files)('gives the same facts as its parsed row: %s', (name) => {
    const given = readFileSync(join(folder, name), 'latin1').split('\n').filter(Boolean)
    expect(scan(given, true)).toEqual(scan(given, false))
  })

  test('is not parsed when the current version wrote it', () => {
    const answers = lines.filter(
      (line) => line.includes('"output_tokens"') && line.includes('"version":"2.1.325"'),
    )
    expect(answers.filter((line) => readAnswerLine(line) === undefined).length).toBeLessThan(
      answers.length / 10,
    )
  })

  test('has its call', () => {
    expect(readAnswerLine(answer)?.toolIds).toEqual([/"id":"(toolu_\w+)"/.exec(answer)?.[1]])
  })

  test.each([
    ['spaces', JSON.stringify(JSON.parse(answer), null, 1).replaceAll('\n', '')],
    ['an end that is missing', answer.slice(0, -20)],
    ['another type', answer.replace('"type":"assistant"', '"type":"user"')],
    ['damaged counts', answer.replace(/"output_tokens":\d+/, '"output_tokens":-5')],
    ['counts of another type', answer.replace(/"output_tokens":\d+/, '"output_tokens":"5"')],
    [
      'several calls',
      answer.replace('"content":[', '"content":[{"type":"tool_use","id":"toolu_2"},'),
    ],
    [
      'its fields in another order',
      answer.replace(/("input_tokens":\d+),("cache_creation_input_tokens":\d+)/, '$2,$1'),
    ],
    ['a cost', answer.replace(',"version"', ',"costUSD":0.5,"version"')],
    ['a name that is not ASCII', answer.replace(/"model":"[^"]+"/, '"model":"mödel"')],
  ])('is parsed when it has %s', (_, line) => {
    expect(line).not.toBe(answer)
    expect(readAnswerLine(line)).toBe(undefined)
  })

  test.each([
    ['usage in its content', '"input":{"usage":{"input_tokens":1,"output_tokens":999},"x":1,'],
    ['the end of a content in its content', '"input":{"a":["b"],"stop_reason":"c","x":1,'],
    [
      'quotes in its content',
      '"input":{"text":"\\"usage\\":{\\"output_tokens\\":9}],\\"stop_reason\\":","x":1,',
    ],
  ])('gives the same facts with %s', (_, input) => {
    const line = answer.replace('"input":{', input)
    expect(line).not.toBe(answer)
    const first = lines.find((given) => given.includes('"cwd"')) ?? ''
    expect(scan([first, line], true)).toEqual(scan([first, line], false))
  })
})
