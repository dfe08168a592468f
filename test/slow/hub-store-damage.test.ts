import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {checkRandomDamage, writeSampleIndex} from '../support/sqlite-store.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-store-damage-'))

afterAll(() => rmSync(folder, {recursive: true, force: true}))

// test/system/hub-store.test.ts keeps two of these runs, with a fixed seed.
test('random damage never makes the store return a message that differs from the written one', async () => {
  expect.hasAssertions()
  const path = join(folder, 'index.db')
  await checkRandomDamage(path, await writeSampleIndex(path), {numRuns: 20})
}, 180_000)
