import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'
import {maskSecrets} from '../../src/secrets/mask-secrets.ts'

const HOSTILE_UNITS = JSON.parse(
  readFileSync(new URL('../../bench/hostile-units.json', import.meta.url), 'utf8'),
) as string[]

// Work in proportion to the square of the length would take minutes, so no clock is needed to notice it.
test.each(HOSTILE_UNITS)('masks a million characters of nothing but %j', (unit) => {
  const text = unit.repeat(Math.ceil(1e6 / unit.length))
  const masked = maskSecrets(text)
  expect(maskSecrets(masked)).toBe(masked)
})
