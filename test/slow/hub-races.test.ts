import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {lockDataDir} from '../../src/hub/lock.ts'

const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href

/** A process that executes one command per line of its stdin. */
const RACER = `
  import {readFileSync, writeFileSync} from 'node:fs'
  import {join} from 'node:path'
  import {createInterface} from 'node:readline'
  import {lockDataDir} from '${built('hub/lock.js')}'
  import {openToken} from '${built('hub/auth/tokens.js')}'
  let lock
  const tryLock = async (dir) => {
    try {
      lock = await lockDataDir(dir)
      return 'won'
    } catch (error) {
      return error.code
    }
  }
  const commands = {
    token: openToken,
    lock: tryLock,
    release: () => lock.release(),
    // Takes the lock again and again, and records when another process had it at the same time.
    async loop(dir) {
      const path = join(dir, 'holder')
      console.log('looping')
      for (;;) {
        if ((await tryLock(dir)) !== 'won') continue
        writeFileSync(path, String(process.pid))
        const until = performance.now() + Math.random() * 2
        while (performance.now() < until);
        if (readFileSync(path, 'utf8') !== String(process.pid)) writeFileSync(join(dir, 'violated'), '')
        if (Math.random() < 0.5) lock.release()
        else process.kill(process.pid, 'SIGKILL')
      }
    },
  }
  for await (const line of createInterface({input: process.stdin})) {
    const [command, dir] = JSON.parse(line)
    console.log(await commands[command](dir))
  }
`

interface Racer {
  child: ChildProcess
  ask: (command: string) => Promise<string>
}

let dataDir: string
let children: ChildProcess[] = []

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-races-'))
})

afterEach(() => {
  for (const child of children) child.kill('SIGKILL')
  children = []
  rmSync(dataDir, {recursive: true, force: true})
})

function startRacer(): Racer {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', RACER], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  children.push(child)
  const answers = createInterface({input: child.stdout})
  return {
    child,
    ask: async (command) => {
      child.stdin.write(`${JSON.stringify([command, dataDir])}\n`)
      const [answer] = await once(answers, 'line')
      return String(answer)
    },
  }
}

/** The files in the folder, without the drafts of processes that were killed while they wrote. */
function listFiles(): string[] {
  return readdirSync(dataDir).filter((name) => !name.includes('.new-'))
}

// Many processes, on a machine that may be busy.
vi.setConfig({testTimeout: 180_000})

describe('ten processes that start at the same moment', () => {
  test('get the same token', async () => {
    const racers = Array.from({length: 10}, startRacer)
    for (let round = 0; round < 20; round++) {
      const tokens = await Promise.all(racers.map(({ask}) => ask('token')))
      expect(new Set(tokens).size).toBe(1)
      expect(tokens[0]).toMatch(/^vitrine_[\w-]{43}$/)
      expect(readdirSync(dataDir)).toEqual(['token'])
      rmSync(join(dataDir, 'token'))
    }
  })

  test('lock the folder for one of them, also when the last holder was killed', async () => {
    const racers = Array.from({length: 10}, startRacer)
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(racers.map(({ask}) => ask('lock')))
      const losers = Array.from({length: 9}, () => 'already-running')
      expect(answers.toSorted()).toEqual([...losers, 'won'])
      expect(listFiles()).toEqual(['hub.json'])
      const index = answers.indexOf('won')
      const winner = racers[index] ?? startRacer()
      const file: unknown = JSON.parse(readFileSync(join(dataDir, 'hub.json'), 'utf8'))
      expect(file).toMatchObject({pid: winner.child.pid})
      if (round % 4 === 3) {
        await winner.ask('release')
      } else {
        winner.child.kill('SIGKILL')
        await once(winner.child, 'exit')
        racers[index] = startRacer()
      }
    }
  })
})

test('a folder is locked by one process at a time while processes are killed at any moment', async () => {
  let deaths = 0
  const keepOneRunning = async (): Promise<void> => {
    while (deaths < 40) {
      const {child, ask} = startRacer()
      const exited = once(child, 'exit')
      await Promise.race([ask('loop'), exited])
      await Promise.race([exited, sleep(Math.random() * 60)])
      child.kill('SIGKILL')
      await exited
      deaths += 1
    }
  }
  await Promise.all(Array.from({length: 5}, keepOneRunning))
  expect(existsSync(join(dataDir, 'violated'))).toBe(false)
  const lock = await lockDataDir(dataDir)
  expect(listFiles().toSorted()).toEqual(['holder', 'hub.json'])
  lock.release()
})
