import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {checkKilledWriter} from '../support/index-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-store-kill-'))

afterAll(() => rmSync(folder, {recursive: true, force: true}))

// test/system/hub-store.test.ts keeps three of these rounds.
test('the index keeps complete batches after SIGKILL at 20 random moments', async () => {
  expect.hasAssertions()
  const kills = Array.from({length: 20}, () => ({batches: 0, delayMs: Math.random() * 150}))
  await checkKilledWriter(join(folder, 'index.db'), kills)
}, 180_000)
