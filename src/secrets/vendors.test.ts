import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {maskSecrets} from './mask-secrets.ts'
import {VENDOR_KEYS} from './vendors.ts'

/** Random texts of a shape, the same in every run. */
const samples = (source: string, count = 40) =>
  fc.sample(fc.stringMatching(new RegExp(`^${source}$`)), {seed: 42, numRuns: count})

describe.each(VENDOR_KEYS)('a key of %s', (_vendor, start, rest) => {
  test('is masked after its public start', () => {
    for (const key of samples(start + rest)) {
      const shown = maskSecrets(`value ${key} end`)
      expect(shown).toMatch(new RegExp(`^value (?:${start})?\\S{0,12}\\*\\*\\* end$`))
      expect(maskSecrets(JSON.stringify({text: key}))).not.toContain(key.slice(-8))
      expect(maskSecrets(shown)).toBe(shown)
    }
  })

  test('is not masked when it is too short or part of another word', () => {
    for (const key of samples(start + rest, 10)) {
      const [found = ''] = new RegExp(`^(?:${start})`).exec(key) ?? []
      for (const text of [found, key.slice(0, found.length + 6), `a word such as ${found}name`]) {
        expect(maskSecrets(text)).toBe(text)
      }
    }
  })
})
