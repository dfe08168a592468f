import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {existsSync, mkdtempSync, readdirSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {createInterface} from 'node:readline'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {toProcessId, isAlive} from '../../src/recording/process-id.ts'
import {lockDataDir} from '../../src/hub/lock.ts'

const built = (path: string) => new URL(`../../dist/${path}`, import.meta.url).href

/** What a racer does when it is told to. */
const RACER = `
  import {readFileSync, writeFileSync} from 'node:fs'
  import {join} from 'node:path'
  import {createInterface} from 'node:readline'
  import {claimDataDir} from '${built('hub/lock.js')}'
  import {openToken} from '${built('hub/auth/tokens.js')}'
  import {identify, isAlive} from '${built('recording/process-id.js')}'
  const options = {self: identify(process.pid), isAlive}
  let claim
  const tryClaim = (dir) => {
    try {
      claim = claimDataDir(dir, options)
      return 'won'
    } catch (error) {
      return error.code
    }
  }
  const commands = {
    token: openToken,
    claim: tryClaim,
    release: () => claim.release(),
    // Claims without end; whoever has the folder must be alone with it.
    loop(dir) {
      const path = join(dir, 'holder')
      console.log('looping')
      for (;;) {
        if (tryClaim(dir) !== 'won') continue
        writeFileSync(path, String(process.pid))
        const until = performance.now() + Math.random() * 2
        while (performance.now() < until);
        if (readFileSync(path, 'utf8') !== String(process.pid)) writeFileSync(join(dir, 'violated'), '')
        if (Math.random() < 0.5) claim.release()
        else process.kill(process.pid, 'SIGKILL')
      }
    },
  }
  for await (const line of createInterface({input: process.stdin})) {
    const [command, dir] = JSON.parse(line)
    console.log(commands[command](dir))
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

/** What is in the folder, but for the drafts of those who were killed while they wrote them. */
function listFiles(): string[] {
  return readdirSync(dataDir).filter((name) => !name.includes('.new-'))
}

// Many processes, on a machine that may be busy with others.
vi.setConfig({testTimeout: 180_000})

describe('of ten processes that come at the same moment', () => {
  test('all get the same token', async () => {
    const racers = Array.from({length: 10}, startRacer)
    for (let round = 0; round < 20; round++) {
      const tokens = await Promise.all(racers.map(({ask}) => ask('token')))
      expect(new Set(tokens).size).toBe(1)
      expect(tokens[0]).toMatch(/^vitrine_[\w-]{43}$/)
      expect(readdirSync(dataDir)).toEqual(['token'])
      rmSync(join(dataDir, 'token'))
    }
  })

  test('one gets the folder, also when the last who had it was killed', async () => {
    const racers = Array.from({length: 10}, startRacer)
    for (let round = 0; round < 20; round++) {
      const answers = await Promise.all(racers.map(({ask}) => ask('claim')))
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

test('whoever has the folder has it alone, while others are killed at any moment', async () => {
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
  const claim = lockDataDir(dataDir, {self: toProcessId(process.pid), isAlive})
  expect(listFiles().toSorted()).toEqual(['holder', 'hub.json'])
  claim.release()
})
