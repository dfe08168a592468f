import {describe} from 'vitest'
import {lastVerdict, placeTest as test, readLines, type Ended, type Place} from '../support/run.ts'

const touch: Request = ['Bash', {command: 'touch created', description: 'Touch'}]
const status: Request = ['Bash', {command: 'git status', description: 'Status'}]
const remove: Request = ['Bash', {command: 'rm -rf build', description: 'Remove'}]
const sneaky: Request = ['Bash', {command: 'git status && rm -rf build', description: 'Both'}]
const write: Request = ['Write', {file_path: '/home/dev/project/a.txt', content: 'a\n'}]

type Request = readonly [name: string, input: Record<string, unknown>]

/** Runs the fake agent that asks for permissions; the run has the id `asks`. */
function ask(place: Place, args: readonly string[], requests: readonly Request[]): Promise<Ended> {
  return place.runFake('asks', ['--id', 'asks', '--format', 'json', ...args], {
    agentArgs: ['-p', 'Go'],
    env: {REQUESTS: JSON.stringify(requests)},
  })
}

interface Answer {
  type: string
  response?: {request_id: string; response: {behavior: string; [name: string]: unknown}}
}

function answersOf(place: Place): NonNullable<Answer['response']>[] {
  return (readLines(place.read('asks', 'stdin').toString()) as Answer[]).flatMap(
    ({type, response}) => (type === 'control_response' && response !== undefined ? response : []),
  )
}

describe.concurrent('--permissions', () => {
  const cases = [
    ['allow: allows everything', ['--permissions', 'allow'], [touch, write], 'allowed, allowed'],
    ['deny: denies everything', ['--permissions', 'deny'], [touch, write], 'denied, denied'],
    [
      'allow with --deny: denies only what a rule matches',
      ['--permissions', 'allow', '--deny', 'Bash(rm *)'],
      [touch, remove, write],
      'allowed, denied, allowed',
    ],
    [
      'deny with --allow: allows only what a rule matches',
      ['--permissions', 'deny', '--allow', 'Bash(git *)'],
      [touch, status, write],
      'denied, allowed, denied',
    ],
    [
      'deny with --allow of a tool: allows every input of it',
      ['--permissions', 'deny', '--allow', 'Write'],
      [touch, write],
      'denied, allowed',
    ],
    [
      'deny with several --allow: allows what any of them matches',
      ['--permissions', 'deny', '--allow', 'Write', '--allow', 'Bash(touch *)'],
      [touch, write, status],
      'allowed, allowed, denied',
    ],
    [
      '--deny wins over --allow',
      ['--permissions', 'allow', '--allow', 'Bash(git *)', '--deny', 'Bash'],
      [status, write],
      'denied, allowed',
    ],
    [
      '--allow does not allow a second command after a matching one',
      ['--permissions', 'deny', '--allow', 'Bash(git *)'],
      [status, sneaky],
      'allowed, denied',
    ],
    [
      '--deny denies a matching command after another one',
      ['--permissions', 'allow', '--deny', 'Bash(rm *)'],
      [status, sneaky],
      'allowed, denied',
    ],
  ] as const

  test.for(cases)('%s', async ([, args, requests, outcome], {place, expect}) => {
    const ended = await ask(place, args, requests)
    expect(ended.stdout).toContain(`Outcome: ${outcome}`)
    // The model answers the prompt and every decision.
    const turns = requests.length + 1
    expect(lastVerdict(ended)).toMatchObject({verdict: 'succeeded', turns, unknown: 0})
    expect(ended.exitCode).toBe(0)
    await place.expectNoSurvivors()
  })

  test('allow: the agent gets flags, prompt and answers on stdin, and stdin is recorded', async ({
    place,
    expect,
  }) => {
    const {exitCode} = await ask(place, ['--permissions', 'allow'], [touch, write])
    const stderr = place.read('asks', 'stderr').toString()
    const stdin = place.read('asks', 'stdin').toString()

    const argv = /^argv: (.*)$/m.exec(stderr)?.[1] ?? ''
    expect(argv).toContain('--permission-prompt-tool stdio')
    expect(argv).toContain('--input-format stream-json')
    expect(argv).toContain('--output-format stream-json')
    const user = (readLines(stdin) as Answer[]).find(({type}) => type === 'user')
    expect(user).toMatchObject({type: 'user', message: {role: 'user'}})
    expect(JSON.stringify(user)).toContain('"Go"')

    const got = stderr
      .split('\n')
      .filter((line) => line.startsWith('got: '))
      .map((line) => `${line.slice('got: '.length)}\n`)
    expect(got.length).toBeGreaterThan(2)
    expect(stdin).toBe(got.join(''))

    expect(answersOf(place)).toEqual([
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

    // Stdin is closed after the last result, so the agent ends by itself.
    expect(stderr).toMatch(/stdin is closed\n$/)
    expect(exitCode).toBe(0)
    const listed = (await place.list()).find(({runId}) => runId === 'asks')
    expect(listed).toMatchObject({exitCode: 0, signal: null})
  })

  test('allow with --deny: the agent gets a reason for a denial', async ({place, expect}) => {
    await ask(place, ['--permissions', 'allow', '--deny', 'Bash(rm *)'], [remove])
    const [answer] = answersOf(place)
    expect(answer).toMatchObject({request_id: 'request-1', response: {behavior: 'deny'}})
    expect(answer?.response['message']).toMatch(/\w/)
  })

  test.for(['allow', 'deny'])(
    '%s: a question to the user is denied, and both the agent and the log get the reason',
    async (mode, {place, expect}) => {
      const question: Request = ['AskUserQuestion', {questions: [{question: 'Which one?'}]}]
      const {stdout, stderr} = await ask(place, ['--permissions', mode], [question, touch])
      expect(stdout).toContain(`Outcome: denied, ${mode === 'allow' ? 'allowed' : 'denied'}`)
      expect(stderr).toContain('not answered, only --permissions ask asks the user: Which one?')
      expect(answersOf(place)[0]?.response).toMatchObject({
        behavior: 'deny',
        message: expect.stringContaining('No user can answer questions in this run.'),
      })
    },
  )

  test('deny: denials are printed', async ({place, expect}) => {
    const {stdout} = await place.runFake('asks', ['--permissions', 'deny'], {
      agentArgs: ['-p', 'Go'],
    })
    expect(stdout).toMatch(/denied/i)
  })

  test('ask: without a terminal nothing is allowed, and the reason is printed', async ({
    place,
    expect,
  }) => {
    const ended = await ask(place, ['--permissions', 'ask'], [touch])
    expect(`${ended.stdout}${ended.stderr}`).toMatch(/terminal/i)
    expect(ended.stdout).not.toContain('Outcome: allowed')
    // Rejected before the start, or denied when the agent asks.
    expect(ended.exitCode === 2 || ended.stdout.includes('Outcome: denied')).toBe(true)
    await place.expectNoSurvivors()
  })

  test('ask with --allow: without a terminal the rules still apply', async ({place, expect}) => {
    const ended = await ask(place, ['--permissions', 'ask', '--allow', 'Bash(touch *)'], [touch])
    expect(ended.exitCode === 2 || ended.stdout.includes('Outcome: allowed')).toBe(true)
  })
})
