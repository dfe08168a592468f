import {chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {deriveToken, openToken, readToken} from './tokens.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-tokens-'))
})

afterEach(() => rmSync(folder, {recursive: true, force: true}))

describe('openToken', () => {
  test('creates a token of 256 bits in a private file of a private folder, and nothing else', () => {
    const dataDir = join(folder, 'a', 'b')
    const token = openToken(dataDir)
    expect(token).toMatch(/^vitrine_/)
    expect(Buffer.from(token.slice('vitrine_'.length), 'base64url')).toHaveLength(32)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    expect(statSync(join(dataDir, 'token')).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['token'])
  })

  test('returns the same token again, and a different one for another folder', () => {
    const token = openToken(folder)
    expect(openToken(folder)).toBe(token)
    expect(openToken(join(folder, 'other'))).not.toBe(token)
  })

  test('makes a file private that others can read, and warns about it', () => {
    const warnings: string[] = []
    const warn = (text: string) => warnings.push(text)
    const token = openToken(folder, warn)
    chmodSync(join(folder, 'token'), 0o644)
    expect(openToken(folder, warn)).toBe(token)
    expect(warnings).toEqual([
      expect.stringContaining(`${join(folder, 'token')} was readable by other users`),
    ])
    expect(statSync(join(folder, 'token')).mode & 0o777).toBe(0o600)
  })

  test.each(['', '\n', 'short', `${'x'.repeat(43)} y`, '\0'.repeat(43), 'x'.repeat(513)])(
    'explains how to fix a file that contains %j',
    (content) => {
      const path = join(folder, 'token')
      writeFileSync(path, content)
      expect(() => openToken(folder)).toThrow(
        `${path} does not contain a valid token. Remove the file; the next start creates a new token`,
      )
    },
  )
})

describe('readToken', () => {
  const main = 'm'.repeat(43)

  test('returns the rights of each token', () => {
    const rightsWith = (token: string): unknown => readToken(main, token)
    expect(rightsWith(main)).toEqual({view: true, answer: true, ingest: true})
    expect(rightsWith(deriveToken(main, 'view'))).toEqual({
      view: true,
      answer: false,
      ingest: false,
    })
    expect(rightsWith(deriveToken(main, 'answer'))).toEqual({
      view: true,
      answer: true,
      ingest: false,
    })
    expect(rightsWith(deriveToken(main, 'ingest'))).toEqual({
      view: false,
      answer: false,
      ingest: true,
    })
  })

  test('ignores white space around a token', () => {
    expect(readToken(main, ` ${main}\r\n`)).not.toBeNull()
  })

  test('rejects a token of another folder and a role under another name', () => {
    const [, signature = ''] = deriveToken(main, 'view').split('.')
    expect(readToken(main, deriveToken('n'.repeat(43), 'view'))).toBeNull()
    expect(readToken(main, `answer.${signature}`)).toBeNull()
    expect(readToken(main, signature)).toBeNull()
    expect(readToken(main, '')).toBeNull()
  })

  test('rejects a token in which anything was changed, added or removed', () => {
    const tokens = [
      main,
      ...(['view', 'answer', 'ingest'] as const).map((r) => deriveToken(main, r)),
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...tokens),
        fc.nat(),
        fc.nat(2),
        fc.string({maxLength: 3}),
        (token, at, removed, added) => {
          const index = at % (token.length + 1)
          const changed = token.slice(0, index) + added + token.slice(index + removed)
          fc.pre(!tokens.includes(changed.trim()))
          expect(readToken(main, changed)).toBeNull()
        },
      ),
    )
  })
})
