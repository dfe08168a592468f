import {spawn, spawnSync} from 'node:child_process'
import {stripVTControlCharacters} from 'node:util'
import {describe} from 'vitest'
import {fake, placeTest as test, readLines, sleep, until, type Place} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

// `script` of util-linux creates a pseudo-terminal.
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true

/** Keys are ignored for 300 ms after a question appears, so that a key pressed before it is no answer. */
const READING_MS = 320

interface Session {
  /** All output so far, without colours. */
  text(): string
  /** All output so far. */
  bytes(): string
  /** Waits until a text is shown and keys are accepted, then presses keys. */
  press(after: string, keys: string): Promise<void>
  ended: Promise<number | null>
}

function open(
  place: Place,
  args: string[],
  env: Record<string, string> = {},
  columns = 100,
): Session {
  const words = [process.execPath, bin, 'run', '--data-dir', place.dataDir, ...args]
  const command = words.map((word) => `'${word}'`).join(' ')
  const child = spawn(
    'script',
    ['-qfec', `stty cols ${columns} rows 30; ${command}`, '/dev/null'],
    {
      cwd: place.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: place.folder,
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        ...place.env,
        ...env,
      },
    },
  )
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const session: Session = {
    text: () => stripVTControlCharacters(shown).replaceAll('\r', ''),
    bytes: () => shown,
    async press(after, keys) {
      await until(() => session.text().includes(after))
      await sleep(READING_MS)
      child.stdin.write(keys)
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
  }
  return session
}

function options(...labels: string[]) {
  return labels.map((label) => ({label, description: `About ${label}`}))
}

const requests = JSON.stringify([['Bash', {command: 'touch created', description: 'Touch'}]])

function answersOf(place: Place, id: string): unknown[] {
  return readLines(place.read(id, 'stdin').toString()).filter((line) => {
    return (line as {type: string}).type === 'control_response'
  })
}

describe.skipIf(!hasTerminal).concurrent('on a terminal', () => {
  test('wide characters are cut to the width of the terminal', async ({place, expect}) => {
    const env = {TEXT: '玻璃 '.repeat(60)}
    const {text, ended} = open(place, ['--agent', 'claude', '--', fake('prints-text')], env)
    expect(await ended).toBe(0)
    expect(text()).toContain('玻璃')
    expect(text()).toContain('Succeeded')
  })

  test('the status line is below the steps and the verdict comes last', async ({place, expect}) => {
    const {text, bytes, ended} = open(place, ['--agent', 'claude', '--', fake('background')])
    expect(await ended).toBe(0)
    expect(text()).toContain('◔ Background: Background job')
    expect(text()).toMatch(/✓ Succeeded +\$0\.04 · 3 turns · [\d.]+s\n/)
    expect(bytes()).toContain('\u001b[36mBash\u001b[0m')
    const rows = stripVTControlCharacters(bytes()).split(/[\r\n]+/)
    expect(rows.filter((row) => row.length > 100)).toEqual([])
  })

  test('a terminal of 0 columns counts as one of 80 columns', async ({place, expect}) => {
    const {text, ended} = open(place, ['--agent', 'claude', '--', fake('happy')], {}, 0)
    expect(await ended).toBe(0)
    expect(text()).toMatch(/✓ Succeeded +\$0\.01 · 2 turns/)
    expect(text()).not.toMatch(/^…$/m)
  })

  test('NO_COLOR prints no colours and TERM=dumb no status line', async ({place, expect}) => {
    const plain = open(place, ['--agent', 'claude', '--', fake('happy')], {NO_COLOR: '1'})
    const dumb = open(place, ['--agent', 'claude', '--', fake('happy')], {TERM: 'dumb'})
    expect(await plain.ended).toBe(0)
    // oxlint-disable-next-line no-control-regex
    expect(plain.bytes()).not.toMatch(/\u001b\[[\d;]*m/)
    expect(await dumb.ended).toBe(0)
    expect(dumb.bytes()).not.toContain('\u001b')
    expect(dumb.text()).toContain('[vitrine] Succeeded: ')
  })

  test.for([
    ['a', 'Allowed by you: touch created', {behavior: 'allow'}],
    [
      'd',
      'Denied by you: touch created',
      {behavior: 'deny', message: 'The user denied this request.'},
    ],
    ['Dnot now\r', 'Denied by you: touch created', {behavior: 'deny', message: 'not now'}],
    // Enter alone is ignored.
    ['\r\n a', 'Allowed by you: touch created', {behavior: 'allow'}],
  ] as const)('a question is answered with %j', async ([keys, line, response], {place, expect}) => {
    const id = `asked-${keys.replaceAll(/\W/g, '')}-${keys.length}`
    const args = ['--id', id, '--permissions', 'ask', '--agent', 'claude', '--', fake('asks')]
    const session = open(place, [...args, '-p', 'Go'], {REQUESTS: requests})
    await session.press('NEEDS YOU', keys)
    expect(await session.ended).toBe(0)
    expect(session.text()).toContain(line)
    expect(session.bytes().split('\u0007').length - 1).toBe(1)
    expect(answersOf(place, id)).toMatchObject([{response: {response}}])
  })

  test('questions of the agent are answered with options, several of them, and other text', async ({
    place,
    expect,
  }) => {
    const questions = [
      {question: 'Which database?', header: 'Database', options: options('SQLite', 'PostgreSQL')},
      {question: 'Which checks?', multiSelect: true, options: options('Types', 'Lint', 'Tests')},
      {question: 'Which name?', options: options('vitrine', 'glass')},
    ]
    const args = ['--id', 'question', '--permissions', 'ask', '--agent', 'claude', '--']
    const session = open(place, [...args, fake('asks'), '-p', 'Go'], {
      REQUESTS: JSON.stringify([['AskUserQuestion', {questions}]]),
    })
    await session.press('[2] PostgreSQL', '2')
    await session.press('[1] ( ) Types', '13\r')
    await session.press('Which name?', 'oshowcase\r')
    expect(await session.ended).toBe(0)
    expect(session.text()).toContain('About SQLite')
    expect(session.text()).toContain(
      'Answered by you: Database: PostgreSQL; Which checks?: Types, ',
    )
    const answers = {
      'Which database?': 'PostgreSQL',
      'Which checks?': 'Types, Tests',
      'Which name?': 'showcase',
    }
    expect(answersOf(place, 'question')).toMatchObject([
      {response: {response: {behavior: 'allow', updatedInput: {questions, answers}}}},
    ])
  })

  test('a request that matches a rule allowed for the run is not asked again', async ({
    place,
    expect,
  }) => {
    const twice = JSON.stringify([
      ['Bash', {command: 'git commit -m a'}],
      ['Bash', {command: 'git commit -m b'}],
    ])
    const args = ['--id', 'rule', '--permissions', 'ask', '--no-bell', '--agent', 'claude', '--']
    const session = open(place, [...args, fake('asks'), '-p', 'Go'], {REQUESTS: twice})
    await session.press('[A] allow "git commit *" for this run', 'A')
    expect(await session.ended).toBe(0)
    expect(session.text()).toContain('Allowed by rule Bash(git commit *): git commit -m b')
    expect(session.bytes()).not.toContain('\u0007')
    expect(answersOf(place, 'rule')).toHaveLength(2)
  })

  test('a question without an answer within --answer-timeout is denied', async ({
    place,
    expect,
  }) => {
    const args = ['--id', 'late', '--permissions', 'ask', '--answer-timeout', '300ms']
    const session = open(place, [...args, '--agent', 'claude', '--', fake('asks'), '-p', 'Go'], {
      REQUESTS: requests,
    })
    expect(await session.ended).toBe(0)
    expect(answersOf(place, 'late')).toMatchObject([{response: {response: {behavior: 'deny'}}}])
  })

  test.for(['x', '\u0003'])('%j stops the run', async (key, {place, expect}) => {
    const id = key === 'x' ? 'stop-x' : 'stop-c'
    const args = ['--id', id, '--permissions', 'ask', '--agent', 'claude', '--', fake('asks')]
    const session = open(place, [...args, '-p', 'Go'], {REQUESTS: requests})
    await session.press('NEEDS YOU', key)
    expect(await session.ended).toBe(130)
    expect(session.text()).toContain('■ Stopped by you')
  })
})
