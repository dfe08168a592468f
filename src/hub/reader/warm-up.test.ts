import {existsSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, expect, test} from 'vitest'
import {findAgent} from '../../agents/find-agent.ts'
import {warmUp} from './warm-up.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-warm-up-'))

afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

test('builds a message for every line of the synthetic run and leaves no files', async () => {
  const count = await warmUp({dataDir, findAgent, mayContinue: () => true})
  // 60 times the start of the run and 40 turns of 5 messages.
  expect(count).toBe(60 * (1 + 40 * 5))
  expect(existsSync(join(dataDir, 'runs'))).toBe(false)
})

test('stops as soon as there is real work', async () => {
  let asked = 0
  const count = await warmUp({dataDir, findAgent, mayContinue: () => ++asked < 3})
  expect(asked).toBe(3)
  expect(count).toBeGreaterThan(0)
  expect(count).toBeLessThanOrEqual(2 * 500)
})
