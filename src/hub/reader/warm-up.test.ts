import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {findAgent} from '../../agents/find-agent.ts'
import {warmUp} from './warm-up.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-rehearse-'))

afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

test('every line of the rehearsal becomes a message, and nothing is left of it', async () => {
  const count = await warmUp({dataDir, findAgent, mayGoOn: () => true})
  // The beginning of the run, and 40 turns of 5 messages, 60 times.
  expect(count).toBe(60 * (1 + 40 * 5))
  expect(existsSync(join(dataDir, 'runs'))).toBe(false)
})

test('it ends as soon as there is something to do', async () => {
  let asked = 0
  const count = await warmUp({dataDir, findAgent, mayGoOn: () => ++asked < 3})
  expect(asked).toBe(3)
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(2 * 500)
})
