import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {maskSecrets} from './mask-secrets.ts'
import {createStreamMasker} from './stream-masker.ts'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
const some = (length: number) =>
  Array.from({length}, (_, at) => LETTERS[(at * 17 + 5 + (at >> 2)) % LETTERS.length]).join('')
const cut = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
const KEY_LINES = Array.from({length: 26}, (_, at) => some(64 + at).slice(at))
const PEM = ['-----BEGIN RSA PRIVATE KEY-----', ...KEY_LINES, '-----END RSA PRIVATE KEY-----', '']

function mask(deltas: readonly string[]): string[] {
  const masker = createStreamMasker()
  const masked = deltas.map((delta) => masker.push(delta))
  masker.flush()
  expect(masked.every(({isFinal}) => isFinal)).toBe(true)
  return masked.map(({text}) => text)
}

const SECRETS: [text: string, secret: string][] = [
  [`value ghp_${some(36)} end`, some(36)],
  [`export DB_PASSWORD=hunter2 && x`, 'hunter2'],
  [`password: letmein99, and on`, 'letmein99'],
  [`Authorization: Bearer ${some(40)}\nok`, some(40)],
  [`git clone https://ann:pa55word@host/x`, 'pa55word'],
  [`{"command":"curl -H 'x-api-key: ${some(30)}' x"}`, some(30)],
  [`a JWT eyJ${some(30)}.eyJ${some(900)}.${some(43)} end`, some(900)],
  [`AWS AKIA${'ABCDEFGH23456789'} end`, 'ABCDEFGH23456789'],
  [JSON.stringify({key: PEM.join('\n')}), KEY_LINES[3] ?? ''],
]

describe.each([1, 2, 5, 7, 64, 1000])('in deltas of %i characters', (size) => {
  test.each(SECRETS)(
    'the secret of %j is in no delta and not in the joined deltas',
    (text, secret) => {
      const deltas = cut(text, size)
      const masked = mask(deltas)
      expect(masked).toHaveLength(deltas.length)
      expect(masked.join('')).toContain('***')
      // Not even four characters of it.
      const parts = cut(secret, 4).filter((part) => part.length === 4)
      const shown = masked.join('').replaceAll('***', ' ')
      expect(parts.filter((part) => shown.includes(part))).toEqual([])
    },
  )

  test('a private key of many lines is masked, and the text after it is not', () => {
    const text = `before\n${PEM.join('\n')}after it\n`
    // The ends of its lines stay, where they are in deltas of their own.
    const shown = mask(cut(text, size)).join('').replaceAll(/\n+/g, '\n')
    expect(shown).toBe(maskSecrets(text))
    expect(shown.endsWith('-----END RSA PRIVATE KEY-----\nafter it\n')).toBe(true)
  })
})

test('masks every line of a private key immediately when lines arrive one by one', () => {
  const masker = createStreamMasker()
  const shown = PEM.map((line) => masker.push(`${line}\n`))
  expect(shown.every(({isFinal}) => isFinal)).toBe(true)
  expect(shown.map(({text}) => text).slice(0, 4)).toEqual([`${PEM[0]}\n`, '***\n', '\n', '\n'])
  expect(shown.map(({text}) => text).slice(-3)).toEqual(['\n', `${PEM.at(-2)}\n`, '\n'])
})

test('releases plain words immediately, and a possible secret after the next space', () => {
  const masker = createStreamMasker()
  expect(masker.push('Let me check')).toMatchObject({isFinal: true, text: 'Let me check'})
  const held = masker.push(' src/a_file')
  expect(held.isFinal).toBe(false)
  masker.push('.ts now')
  expect(held).toMatchObject({isFinal: true, text: ' src/a_file'})
})

test('masks a held tail when the text is cut, and shows it when the text ends', () => {
  const deltas = ['x ghp_', 'abc']
  const masker = createStreamMasker()
  const cutOff = deltas.map((delta) => masker.push(delta))
  masker.flush(true)
  expect(cutOff.map(({text}) => text)).toEqual(['x ***', ''])
  expect(mask(deltas)).toEqual(deltas)
})

test('keeps every delta of a text without a secret', () => {
  const words = ['the ', 'a_b', '1.5', '\n', ' = ', 'token', '"', ': ', 'file.ts', '-', 'x']
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...words)),
      fc.integer({min: 1, max: 9}),
      (parts, size) => {
        const deltas = cut(parts.join(''), size)
        const shown = mask(deltas)
        // A value that looks like a secret before its end is known may be masked.
        fc.pre(!shown.includes('***') && maskSecrets(parts.join('')) === parts.join(''))
        expect(shown.filter((delta, at) => delta !== deltas[at] && !delta.includes('***'))).toEqual(
          [],
        )
      },
    ),
  )
  expect(mask(cut('The file a_b.ts has 12 lines.', 3)).join('')).toBe(
    'The file a_b.ts has 12 lines.',
  )
})

test.each([`${'a'.repeat(5)}`, 'ghp_a', 'A1b2C', '-----', 'x = y', '中文字符'])(
  'decides all but the last of 20,000 deltas of %j',
  (delta) => {
    const masker = createStreamMasker()
    let undecided = 0
    const shown = Array.from({length: 200}, () => masker.push(delta))
    for (let count = 0; count < 20_000; count++) masker.push(delta)
    undecided = shown.filter(({isFinal: isDecided}) => !isDecided).length
    expect(undecided).toBe(0)
  },
)
