import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, lastVerdict, readLines, type Ended, type Place} from '../support/run.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

const touch = ['Bash', {command: 'touch created', description: 'Touch'}]
const status = ['Bash', {command: 'git status', description: 'Status'}]
const remove = ['Bash', {command: 'rm -rf build', description: 'Remove'}]
const sneaky = ['Bash', {command: 'git status && rm -rf build', description: 'Both'}]
const write = ['Write', {file_path: '/home/dev/project/a.txt', content: 'a\n'}]

let count = 0

async function ask(args: string[], requests: unknown[][]): Promise<Ended & {id: string}> {
  const id = `asks-${++count}`
  const ended = await place.runFake('asks', ['--id', id, '--format', 'json', ...args], {
    agentArgs: ['-p', 'Go'],
    env: {REQUESTS: JSON.stringify(requests)},
  })
  return {...ended, id}
}

interface Answer {
  type: string
  response?: {request_id: string; response: {behavior: string; [name: string]: unknown}}
}

function answersOf(id: string): NonNullable<Answer['response']>[] {
  return (readLines(place.read(id, 'stdin').toString()) as Answer[]).flatMap(({type, response}) =>
    type === 'control_response' && response !== undefined ? response : [],
  )
}

describe('what may be done', () => {
  test.each([
    ['all', ['--permissions', 'allow'], [touch, write], 'allowed, allowed'],
    ['nothing', ['--permissions', 'deny'], [touch, write], 'denied, denied'],
    [
      'all but what a rule denies',
      ['--permissions', 'allow', '--deny', 'Bash(rm *)'],
      [touch, remove, write],
      'allowed, denied, allowed',
    ],
    [
      'nothing but what a rule allows',
      ['--permissions', 'deny', '--allow', 'Bash(git *)'],
      [touch, status, write],
      'denied, allowed, denied',
    ],
    [
      'a tool, whatever its input',
      ['--permissions', 'deny', '--allow', 'Write'],
      [touch, write],
      'denied, allowed',
    ],
    [
      'what several rules allow',
      ['--permissions', 'deny', '--allow', 'Write', '--allow', 'Bash(touch *)'],
      [touch, write, status],
      'allowed, allowed, denied',
    ],
    [
      'nothing that is denied, though it is allowed too',
      ['--permissions', 'allow', '--allow', 'Bash(git *)', '--deny', 'Bash'],
      [status, write],
      'denied, allowed',
    ],
    [
      'no other command behind one that is allowed',
      ['--permissions', 'deny', '--allow', 'Bash(git *)'],
      [status, sneaky],
      'allowed, denied',
    ],
    [
      'no command that is denied behind another',
      ['--permissions', 'allow', '--deny', 'Bash(rm *)'],
      [status, sneaky],
      'allowed, denied',
    ],
  ])('%s', async (_, args, requests, outcome) => {
    const ended = await ask(args, requests)
    expect(ended.stdout).toContain(`Outcome: ${outcome}`)
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns: 1, unknown: 0})
    expect(ended.exitCode).toBe(0)
    await place.expectNoSurvivors()
  })
})

test('the agent is told to ask, and given its prompt on stdin', async () => {
  const {id} = await ask(['--permissions', 'allow'], [touch])
  const stderr = place.read(id, 'stderr').toString()
  const argv = /^argv: (.*)$/m.exec(stderr)?.[1] ?? ''
  expect(argv).toContain('--permission-prompt-tool stdio')
  expect(argv).toContain('--input-format stream-json')
  expect(argv).toContain('--output-format stream-json')
  const user = (readLines(place.read(id, 'stdin').toString()) as Answer[]).find(
    ({type}) => type === 'user',
  )
  expect(user).toMatchObject({type: 'user', message: {role: 'user'}})
  expect(JSON.stringify(user)).toContain('"Go"')
})

test('what it was given is recorded as it was', async () => {
  const {id} = await ask(['--permissions', 'allow'], [touch, write])
  const got = place
    .read(id, 'stderr')
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('got: '))
    .map((line) => `${line.slice('got: '.length)}\n`)
  expect(got.length).toBeGreaterThan(2)
  expect(place.read(id, 'stdin').toString()).toBe(got.join(''))
})

test('what is allowed is allowed with its input as it is', async () => {
  const {id} = await ask(['--permissions', 'allow'], [touch, write])
  expect(answersOf(id)).toEqual([
    {
      subtype: 'success',
      request_id: 'request-1',
      response: {behavior: 'allow', updatedInput: touch[1]},
    },
    {
      subtype: 'success',
      request_id: 'request-2',
      response: {behavior: 'allow', updatedInput: write[1]},
    },
  ])
})

test('what is denied is denied with a reason', async () => {
  const {id} = await ask(['--permissions', 'allow', '--deny', 'Bash(rm *)'], [remove])
  const [answer] = answersOf(id)
  expect(answer).toMatchObject({request_id: 'request-1', response: {behavior: 'deny'}})
  expect(answer?.response['message']).toMatch(/\w/)
})

test('stdin is closed after the last result, so that the agent ends by itself', async () => {
  const {id, exitCode} = await ask(['--permissions', 'allow'], [touch])
  expect(place.read(id, 'stderr').toString()).toMatch(/stdin is closed\n$/)
  expect(exitCode).toBe(0)
  const listed = (await place.list()).find(({runId}) => runId === id)
  expect(listed).toMatchObject({exitCode: 0, signal: null})
})

test('denials are shown', async () => {
  const {stdout} = await place.runFake('asks', ['--permissions', 'deny'], {agentArgs: ['-p', 'Go']})
  expect(stdout).toMatch(/denied/i)
})

test('nobody can be asked where there is no terminal: nothing is allowed, and it says why', async () => {
  const ended = await ask(['--permissions', 'ask'], [touch])
  expect(`${ended.stdout}${ended.stderr}`).toMatch(/terminal/i)
  expect(ended.stdout).not.toContain('Outcome: allowed')
  // Refused from the start, or denied when it asks.
  expect(ended.exitCode === 2 || ended.stdout.includes('Outcome: denied')).toBe(true)
  await place.expectNoSurvivors()
})

test('rules still hold where nobody can be asked', async () => {
  const ended = await ask(['--permissions', 'ask', '--allow', 'Bash(touch *)'], [touch])
  expect(ended.exitCode === 2 || ended.stdout.includes('Outcome: allowed')).toBe(true)
})
