import {readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

const css = readFileSync(new URL('tokens.css', import.meta.url), 'utf8')

/** What is set for a selector, in order. */
function tokensOf(selector: string): string[] {
  const start = css.indexOf(`${selector} {`)
  expect(start).toBeGreaterThan(-1)
  const lines = css.slice(css.indexOf('{', start) + 1, css.indexOf('}', start)).split('\n')
  return lines.map((line) => line.trim()).filter((line) => line !== '' && !line.startsWith('/*'))
}

// CSS has no way to say it once: the system is asked in a media query, a choice is an attribute.
test('dark is the same whether the system or a person wants it', () => {
  const dark = tokensOf(":root[data-theme='dark']")
  expect(dark).toEqual(tokensOf(":root:not([data-theme='light'])"))
  const names = (tokens: string[]) => tokens.map((token) => token.split(':')[0])
  expect(names(dark)).toEqual(names(tokensOf(':root')))
})
