import {Lexer} from 'marked'
import {describe, expect, it} from 'vitest'
import {HOSTILE} from '../../../test/support/hostile.ts'
import {limitNesting} from './limit-nesting.ts'

describe('limitNesting', () => {
  it('keeps ordinary text', () => {
    const text =
      '> > quoted\n\n- a\n  - b\n    1. c\n\n```\n                        code\n```\n* * *\n'
    expect(limitNesting(text)).toBe(text)
  })

  it('escapes marks beyond the tenth level', () => {
    expect(limitNesting('>'.repeat(40))).toBe(`${'>'.repeat(10)}\\${'>'.repeat(30)}`)
    expect(limitNesting(`${'1. '.repeat(40)}a`)).toBe(
      `${'1. '.repeat(10)}1\\. ${'1. '.repeat(29)}a`,
    )
    expect(limitNesting(`${' '.repeat(90)}a`)).toBe(`${' '.repeat(40)}a`)
  })

  it('limits the depth of the parser', () => {
    for (const text of Object.values(HOSTILE)) {
      const lexer = new Lexer()
      lexer.blockTokens(limitNesting(text.slice(0, 64_000)), lexer.tokens)
      expect(depthOf(lexer.tokens)).toBeLessThan(80)
    }
  })
})

function depthOf(value: unknown): number {
  if (!Array.isArray(value)) return 0
  const depths = value.map((token: {tokens?: unknown; items?: unknown}) =>
    Math.max(depthOf(token.tokens), depthOf(token.items)),
  )
  return 1 + depths.reduce((max, depth) => Math.max(max, depth), 0)
}
