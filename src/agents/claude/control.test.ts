import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import type {Decision} from '../../core/events/adapter.ts'
import type {PermissionEvent} from '../../core/events/events.ts'
import {isRecord, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {parseRule} from '../../permissions/rules.ts'
import {readPermissionRequest} from '../messages-api/permission.ts'
import {control} from './control.ts'

function readLines(name: string): JsonObject[] {
  const text = readFileSync(new URL(`fixtures/${name}.jsonl`, import.meta.url), 'utf8')
  const lines = text.split('\n').filter((line) => line !== '')
  return lines.map((line) => JSON.parse(line) as unknown).filter(isRecord)
}

function requestsIn(name: string): PermissionEvent[] {
  return readLines(name)
    .flatMap((record) => readPermissionRequest(record))
    .flatMap((draft) =>
      draft.type === 'permission-request' ? [{...draft, line: 1, at: 1, agent: 'claude'}] : [],
    )
}

const FLAGS = ['--input-format', 'stream-json', '--permission-prompt-tool', 'stdio']

describe('prepare', () => {
  test.each([
    [['-p', 'x'], [...FLAGS, '-p'], 'x'],
    [['x', '-p'], [...FLAGS, '-p'], 'x'],
    [['x'], ['-p', ...FLAGS], 'x'],
    [['--print', '--model', 'm', 'x'], [...FLAGS, '--print', '--model', 'm'], 'x'],
    [['-p', '--tools', 'Bash', '--', '-x'], [...FLAGS, '-p', '--tools', 'Bash'], '-x'],
    [['-p', '--', 'x', 'y'], [...FLAGS, '-p', '--', 'y'], 'x'],
    [['-p', '--tools', 'Bash', 'x'], [...FLAGS, '-p', '--tools', 'Bash', 'x'], undefined],
    [['-p'], [...FLAGS, '-p'], undefined],
    [['-p', ''], [...FLAGS, '-p'], undefined],
    [['-p', ...FLAGS, 'x'], ['-p', ...FLAGS], 'x'],
    [
      ['-p', '--input-format=stream-json', '--permission-mode', 'plan', 'x'],
      [...FLAGS.slice(2), '-p', '--input-format=stream-json', '--permission-mode', 'plan'],
      'x',
    ],
  ])('turns %j into %j and %j', (given, args, prompt) => {
    expect(control.prepare(given)).toEqual({args, prompt})
  })

  test.each([
    ['--dangerously-skip-permissions', []],
    ['--permission-mode', ['bypassPermissions']],
    ['--permission-mode', ['dontAsk']],
    ['--permission-prompts', ['none']],
    ['--permission-prompt-tool', ['mcp__a__b']],
    ['--input-format', ['text']],
    ['--output-format', ['json']],
  ])('rejects %s %j with a hint', (option, values) => {
    expect(() => control.prepare(['-p', option, ...values, 'x'])).toThrow(
      /[a-zN]\. (?:Remove|Use) .*\bremove --permissions$/,
    )
    expect(control.prepare(['-p', 'x', '--', option]).prompt).toBe('x')
  })

  test('rejects arguments that start no run', () => {
    expect(() => control.prepare(['mcp', 'list'])).toThrow('does not start a run')
    expect(() => control.prepare(['--help'])).toThrow('does not start a run')
  })

  test('passes deny rules in the syntax of Claude Code', () => {
    const rules = [
      'Bash(git push *)',
      'Edit(/etc/**)',
      'Read(~/.ssh/**)',
      'Bash(/bin/rm *)',
      'WebFetch',
    ]
    const odd = ['Bash(echo (x))', 'Bash(a\nb)']
    expect(control.prepare(['-p', 'x'], [...rules, ...odd].map(parseRule)).args).toEqual([
      ...FLAGS,
      '--disallowedTools=Bash(git push *)',
      '--disallowedTools=Edit(//etc/**)',
      '--disallowedTools=Read(~/.ssh/**)',
      '--disallowedTools=Bash(/bin/rm *)',
      '--disallowedTools=WebFetch',
      '-p',
    ])
  })
})

describe('written lines equal those of real recordings', () => {
  const versions = ['1.0.128', '2.1.197', '2.1.325']

  test.each(versions)('writes the handshake of %s', (version) => {
    const [initialize, prompt] = readLines(`${version}/control-allow.stdin`)
    const [ours, theirs] = linesOf(control.open('Go'))
    expect(ours).toEqual({...initialize, request_id: 'vitrine-initialize'})
    expect(theirs).toEqual(prompt)
  })

  const answers: [string, Decision[]][] = versions.flatMap((version) => [
    [
      `${version}/control-allow`,
      [{allow: true, input: {command: 'echo rewritten', description: 'Touch'}}],
    ],
    [
      `${version}/control-deny`,
      [
        {allow: false, message: 'Not this one'},
        {allow: false, message: 'Stop now', stop: true},
      ],
    ],
  ])

  test.each(answers)('writes the answers to the requests of %s', (name, decisions) => {
    const recorded = readLines(`${name}.stdin`).filter(({type}) => type === 'control_response')
    const requests = requestsIn(name)
    expect(requests).toHaveLength(decisions.length)
    const ours = requests.flatMap((request, index) =>
      linesOf(control.answer(request, decisions[index] ?? {allow: true})),
    )
    expect(ours).toEqual(recorded)
  })
})

test('finds the request that a line cancels', () => {
  expect(control.findCancelled?.({type: 'control_cancel_request', request_id: 'a'})).toBe('a')
  expect(control.findCancelled?.({type: 'control_request', request_id: 'a'})).toBeUndefined()
})

test('an allowed request contains the input, because old versions require it', () => {
  const [request] = requestsIn('2.1.325/control-allow')
  if (request === undefined) throw new Error('no request')
  const updated = (event: PermissionEvent) =>
    objectAt(objectAt(linesOf(control.answer(event, {allow: true}))[0], 'response'), 'response')[
      'updatedInput'
    ]
  expect(updated(request)).toEqual(request.input)
  expect(updated({...request, input: undefined})).toEqual({})
  expect(() => control.answer({...request, requestId: undefined}, {allow: true})).toThrow(TypeError)
})

test('the answers to a question of the model are in the input of its tool', () => {
  const [request] = requestsIn('2.1.325/control-allow')
  if (request === undefined) throw new Error('no request')
  const questions = [{question: 'Which database?'}, {question: 'Which checks?', multiSelect: true}]
  const asked = {...request, name: 'AskUserQuestion', input: {questions, metadata: {source: 'x'}}}
  const given = [['SQLite, in one file'], ['Types', 'Lint, "strict"']]
  const [line] = linesOf(control.answer(asked, {allow: true, answers: given}))
  expect(objectAt(objectAt(objectAt(line, 'response'), 'response'), 'updatedInput')).toEqual({
    questions,
    metadata: {source: 'x'},
    answers: {
      'Which database?': 'SQLite, in one file',
      'Which checks?': String.raw`Types, "Lint, \"strict\""`,
    },
  })
})

test('other requests are rejected, so that the agent does not wait', () => {
  const records = readLines('2.1.325/control-misc')
  const refused = records.flatMap((record) => linesOf(control.refuse?.(record) ?? ''))
  const questions = records.filter(
    (record) =>
      record['type'] === 'control_request' &&
      textAt(objectAt(record, 'request'), 'subtype') !== 'can_use_tool',
  )
  expect(questions.length).toBeGreaterThan(0)
  expect(refused.map((record) => objectAt(record, 'response')['request_id'])).toEqual(
    questions.map((record) => record['request_id']),
  )
  expect(objectAt(refused[0], 'response')).toMatchObject({
    subtype: 'error',
    error: 'Vitrine does not support mcp_message',
  })
  expect(control.refuse?.({type: 'control_request', request: {subtype: 'x'}})).toBeUndefined()
})

function linesOf(text: string): JsonObject[] {
  expect(text === '' || text.endsWith('\n')).toBe(true)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as unknown)
    .filter(isRecord)
}
