import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

const folder = new URL('..', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'})
const tokens = read('styles/tokens.css').replaceAll(/\/\*[^]*?\*\//g, '')
const [theme = ''] = /:root \{[^}]*\}/.exec(tokens) ?? []
const colors = [...theme.matchAll(/(--[\w-]+):\s*([^;]+);/g)].flatMap(([, name = '', value = '']) =>
  /#|rgb\(/.test(value) ? [{name, value}] : [],
)

test('every colour has a light and a dark value', () => {
  expect(colors.length).toBeGreaterThan(35)
  const pair = /light-dark\((?:#\w+|rgb\([^)]*\)|transparent), (?:#\w+|rgb\([^)]*\)|transparent)\)/g
  const incomplete = colors.filter(({value}) => /#|rgb\(/.test(value.replaceAll(pair, '')))
  expect(incomplete).toEqual([])
})

test('each token is defined once', () => {
  const names = [...theme.matchAll(/(--[\w-]+):/g)].map(([, name]) => name)
  expect(new Set(names).size).toBe(names.length)
})

test('the chosen theme changes only the color scheme', () => {
  expect(theme).toContain('color-scheme: light dark;')
  expect(tokens).toContain(":root[data-theme='light'] {\n  color-scheme: light;\n}")
  expect(tokens).toContain(":root[data-theme='dark'] {\n  color-scheme: dark;\n}")
  const others = paths.filter(
    (path) => path.endsWith('.css') && /data-theme|prefers-color-scheme/.test(read(path)),
  )
  expect(others.map((path) => path.replaceAll('\\', '/'))).toEqual(['styles/tokens.css'])
})

test('every custom property in use is defined', () => {
  const sources = paths.filter((path) => /\.(?:css|tsx?)$/.test(path) && !path.endsWith('.test.ts'))
  const text = sources.map(read).join('\n')
  const defined = new Set([...text.matchAll(/(--[\w-]+)'?:/g)].map(([, name]) => name))
  const used = new Set([...text.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
  expect([...used].filter((name) => !defined.has(name))).toEqual([])
})
