import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {createLoginCodes} from '../auth/login-codes.ts'
import {createSessionCookie, listCookies} from '../auth/session-cookie.ts'

const token = 't'.repeat(43)
const DAY = 24 * 60 * 60 * 1000

/** The name and value of a `Set-Cookie` header, as a browser sends them back. */
const sent = (setCookie: string): string => setCookie.split(';')[0] ?? ''

describe('login codes', () => {
  test('are valid once', () => {
    const codes = createLoginCodes()
    const code = codes.issue('answer')
    expect(Buffer.from(code, 'base64url').length * 8).toBeGreaterThanOrEqual(128)
    expect(codes.redeem(`${code}\n`)).toBe('answer')
    expect(codes.redeem(code)).toBeNull()
  })

  test('are valid for ten minutes', () => {
    let time = 0
    const codes = createLoginCodes({now: () => time})
    const [early, late] = [codes.issue('view'), codes.issue('view')]
    time = 10 * 60_000 - 1
    expect(codes.redeem(early)).toBe('view')
    time += 1
    expect(codes.redeem(late)).toBeNull()
  })

  test('are limited in number: the oldest is dropped', () => {
    const codes = createLoginCodes({maxOpen: 3})
    const issued = Array.from({length: 5}, () => codes.issue('view'))
    expect(issued.map((code) => codes.redeem(code))).toEqual([null, null, 'view', 'view', 'view'])
  })

  test('cannot be guessed', () => {
    const codes = createLoginCodes()
    codes.issue('answer')
    fc.assert(
      fc.property(fc.string(), (code) => {
        expect(codes.redeem(code)).toBeNull()
      }),
    )
  })
})

describe('the session cookie', () => {
  const cookie = createSessionCookie({token, port: 4310, isSecure: false})

  test('is HttpOnly and SameSite, and Secure with TLS', () => {
    expect(cookie.open('answer')).toMatch(
      /^vitrine-4310=answer\.\d+\.[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Strict$/,
    )
    const secure = createSessionCookie({token, port: 443, isSecure: true})
    expect(secure.open('view')).toMatch(/; HttpOnly; SameSite=Strict; Secure$/)
    expect(secure.close()).toBe(
      'vitrine-443=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    )
  })

  test('grants the rights of its role', () => {
    const rightsOf = (header: string): unknown => cookie.read(header)
    expect(rightsOf(sent(cookie.open('answer')))).toEqual({
      view: true,
      answer: true,
      ingest: false,
    })
    expect(rightsOf(sent(cookie.open('view')))).toEqual({view: true, answer: false, ingest: false})
  })

  test('stays valid after a restart, until the token changes or 30 days have passed', () => {
    let time = 0
    const now = (): number => time
    const header = sent(createSessionCookie({token, port: 1, isSecure: false, now}).open('view'))
    const restarted = createSessionCookie({token, port: 1, isSecure: false, now})
    const rotated = createSessionCookie({token: 'r'.repeat(43), port: 1, isSecure: false, now})
    time = 30 * DAY - 1
    expect(restarted.read(header)).not.toBeNull()
    expect(rotated.read(header)).toBeNull()
    time = 30 * DAY
    expect(restarted.read(header)).toBeNull()
  })

  test('is rejected under the name of another port', () => {
    const other = createSessionCookie({token, port: 4311, isSecure: false})
    const header = sent(cookie.open('answer'))
    expect(other.read(header)).toBeNull()
    expect(other.read(header.replace('4310', '4311'))).toBeNull()
  })

  test('is found among cookies of other servers on the host', () => {
    const header = sent(cookie.open('view'))
    fc.assert(
      fc.property(fc.array(fc.string()), fc.array(fc.string()), (before, after) => {
        const junk = ['vitrine-4310=planted', 'vitrine-4310', ';;=', 'a="b;', ...before]
        expect(cookie.read([...junk, header, ...after].join('; '))).not.toBeNull()
        expect(cookie.read([...junk, ...after].join(';'))).toBeNull()
      }),
    )
    expect(cookie.read(undefined)).toBeNull()
    expect(listCookies('xvitrine-4310=1; vitrine-4310=2;vitrine-4310=', 'vitrine-4310')).toEqual([
      '2',
      '',
    ])
  })

  test('is rejected with any character changed', () => {
    const header = sent(cookie.open('view'))
    const start = 'vitrine-4310='.length
    for (let index = start; index < header.length; index++) {
      for (const character of ['A', '0', '.', '-']) {
        const changed = header.slice(0, index) + character + header.slice(index + 1)
        expect({changed, rights: changed === header ? null : cookie.read(changed)}).toEqual({
          changed,
          rights: null,
        })
      }
    }
    expect(cookie.read(header.replace('=view.', '=answer.'))).toBeNull()
    expect(cookie.read(`${header}.`)).toBeNull()
  })
})
