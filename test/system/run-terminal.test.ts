import {spawn, spawnSync} from 'node:child_process'
import {stripVTControlCharacters} from 'node:util'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPlace, fake, readLines, sleep, type Place} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

// A terminal of our own: `script` makes one on Linux.
const hasTerminal = spawnSync('script', ['--version']).stdout?.includes('util-linux') === true

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

interface Session {
  /** All that was shown so far, without colours. */
  text(): string
  /** The same as it came. */
  bytes(): string
  /** Waits until a text is shown, then presses keys. */
  press(after: string, keys: string): Promise<void>
  ended: Promise<number | null>
}

function open(args: string[], env: Record<string, string> = {}): Session {
  const words = [process.execPath, bin, 'run', '--data-dir', place.dataDir, ...args]
  const command = words.map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qfec', `stty cols 100 rows 30; ${command}`, '/dev/null'], {
    cwd: place.folder,
    env: {PATH: process.env['PATH'], HOME: place.folder, TERM: 'xterm', LANG: 'C.UTF-8', ...env},
  })
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const session: Session = {
    text: () => stripVTControlCharacters(shown).replaceAll('\r', ''),
    bytes: () => shown,
    async press(after, keys) {
      await expect.poll(() => session.text(), {timeout: 20_000}).toContain(after)
      // Keys that come before the question could be read are no answer.
      await sleep(500)
      child.stdin.write(keys)
    },
    ended: new Promise((resolve) => child.once('close', resolve)),
  }
  return session
}

const requests = JSON.stringify([['Bash', {command: 'touch created', description: 'Touch'}]])

function answersOf(id: string): unknown[] {
  return readLines(place.read(id, 'stdin').toString()).filter((line) => {
    return (line as {type: string}).type === 'control_response'
  })
}

describe.skipIf(!hasTerminal)('on a terminal', () => {
  test('what it does is below, and how it ended is last', async () => {
    const {text, bytes, ended} = open(['--agent', 'claude', '--', fake('background')])
    expect(await ended).toBe(0)
    expect(text()).toContain('◔ Background: Background job')
    expect(text()).toMatch(/✓ Succeeded +\$0\.04 · 2 turns · [\d.]+s\n/)
    expect(bytes()).toContain('\u001b[36mBash\u001b[0m')
    const rows = stripVTControlCharacters(bytes()).split(/[\r\n]+/)
    expect(rows.filter((row) => row.length > 100)).toEqual([])
  })

  test('NO_COLOR has no colours, and a dumb one no status line', async () => {
    const plain = open(['--agent', 'claude', '--', fake('happy')], {NO_COLOR: '1'})
    expect(await plain.ended).toBe(0)
    // oxlint-disable-next-line no-control-regex
    expect(plain.bytes()).not.toMatch(/\u001b\[[\d;]*m/)
    const dumb = open(['--agent', 'claude', '--', fake('happy')], {TERM: 'dumb'})
    expect(await dumb.ended).toBe(0)
    expect(dumb.bytes()).not.toContain('\u001b')
    expect(dumb.text()).toContain('[vitrine] Succeeded: ')
  })

  test.each([
    ['a', 'Allowed by you: touch created', {behavior: 'allow'}],
    ['d', 'Denied by you: touch created', {behavior: 'deny', message: 'The user said no.'}],
    ['Dnot now\r', 'Denied by you: touch created', {behavior: 'deny', message: 'not now'}],
    // Enter alone is no answer.
    ['\r\n a', 'Allowed by you: touch created', {behavior: 'allow'}],
  ])('a question is answered with %j', async (keys, line, response) => {
    const id = `asked-${keys.replaceAll(/\W/g, '')}-${keys.length}`
    const args = ['--id', id, '--permissions', 'ask', '--agent', 'claude', '--', fake('asks')]
    const session = open([...args, '-p', 'Go'], {REQUESTS: requests})
    await session.press('NEEDS YOU', keys)
    expect(await session.ended).toBe(0)
    expect(session.text()).toContain(line)
    expect(session.bytes().split('\u0007').length - 1).toBe(1)
    expect(answersOf(id)).toMatchObject([{response: {response}}])
  })

  test('what was allowed for the run is not asked again', async () => {
    const twice = JSON.stringify([
      ['Bash', {command: 'git push -u origin a'}],
      ['Bash', {command: 'git push -u origin b'}],
    ])
    const args = ['--id', 'rule', '--permissions', 'ask', '--no-bell', '--agent', 'claude', '--']
    const session = open([...args, fake('asks'), '-p', 'Go'], {REQUESTS: twice})
    await session.press('[A] allow "git push *" for this run', 'A')
    expect(await session.ended).toBe(0)
    expect(session.text()).toContain('Allowed by rule Bash(git push *): git push -u origin b')
    expect(session.bytes()).not.toContain('\u0007')
    expect(answersOf('rule')).toHaveLength(2)
  })

  test('no answer in time is a no', async () => {
    const args = ['--id', 'late', '--permissions', 'ask', '--answer-timeout', '300ms']
    const session = open([...args, '--agent', 'claude', '--', fake('asks'), '-p', 'Go'], {
      REQUESTS: requests,
    })
    expect(await session.ended).toBe(0)
    expect(answersOf('late')).toMatchObject([{response: {response: {behavior: 'deny'}}}])
  })

  test.each(['x', '\u0003'])('%j stops the run', async (key) => {
    const id = key === 'x' ? 'stop-x' : 'stop-c'
    const args = ['--id', id, '--permissions', 'ask', '--agent', 'claude', '--', fake('asks')]
    const session = open([...args, '-p', 'Go'], {REQUESTS: requests})
    await session.press('NEEDS YOU', key)
    expect(await session.ended).toBe(130)
    expect(session.text()).toContain('■ Stopped by you')
  })
})
