import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {checkRandomDamage, writeSampleIndex} from '../support/index-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-index-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

test('random damage of the index never ends the process, and a new index works afterwards', () => {
  expect.hasAssertions()
  const path = join(folder, 'index.db')
  checkRandomDamage(path, writeSampleIndex(path), {numRuns: 300})
})
