import {readdirSync, readFileSync} from 'node:fs'
import {expect, test} from 'vitest'

const folder = new URL('..', import.meta.url)
const paths = readdirSync(folder, {recursive: true, encoding: 'utf8'}).map((path) =>
  path.replaceAll('\\', '/'),
)
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8')
const modules = new Map(
  paths.filter((path) => path.endsWith('.module.css')).map((path) => [path, listClasses(path)]),
)
const sources = paths.filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
const uses = sources.flatMap(listUses)

/** The classes in the selectors of a CSS module, without those of other libraries. */
function listClasses(path: string): Set<string> {
  const css = read(path)
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/:global\([^)]*\)/g, '')
  const selectors = [...css.matchAll(/([^{};]+)\{/g)].flatMap(([, selector = '']) =>
    selector.trim().startsWith('@') ? [] : [selector],
  )
  return new Set(selectors.flatMap((selector) => selector.match(/(?<=\.)[a-zA-Z][\w-]*/g) ?? []))
}

/** The classes that a component reads from the CSS modules it imports. */
function listUses(path: string): {path: string; module: string; name: string}[] {
  const source = read(path)
  const code = source.replaceAll(/^.* from '.*'$/gm, '')
  const imports = source.matchAll(/^import (\w+) from '([^']+\.module\.css)'$/gm)
  return [...imports].flatMap(([, variable = '', address = '']) => {
    const module = new URL(address, new URL(path, folder)).href.slice(folder.href.length)
    const names = code.matchAll(new RegExp(`(?<![.\\w])${variable}\\.(\\w+)`, 'g'))
    return [...names].map(([, name = '']) => ({path, module, name}))
  })
}

test('a component uses only classes that its CSS modules define', () => {
  expect(uses.length).toBeGreaterThan(300)
  const missing = uses.filter(({module, name}) => modules.get(module)?.has(name) !== true)
  expect(missing).toEqual([])
})

test('every class of a CSS module is used', () => {
  const used = new Set(uses.map(({module, name}) => `${module} ${name}`))
  const defined = [...modules].flatMap(([path, names]) =>
    [...names].map((name) => `${path} ${name}`),
  )
  expect(defined.filter((one) => !used.has(one))).toEqual([])
})

test('class names are written as words, and come from CSS modules', () => {
  const short = [...modules].flatMap(([path, names]) =>
    [...names].filter((name) => !/^[a-z][a-zA-Z]{2,}$/.test(name)).map((name) => `${path} ${name}`),
  )
  expect(short).toEqual([])
  const literal = sources.filter((path) => /className=(?:["'`]|\{["'`])/.test(read(path)))
  expect(literal).toEqual([])
})

test('only the tokens and the base are global, and no CSS module is long', () => {
  const global = paths.filter((path) => path.endsWith('.css') && !modules.has(path))
  expect(global.toSorted()).toEqual(['styles/base.css', 'styles/tokens.css'])
  expect(read('styles/base.css')).not.toMatch(/^\s*\.[a-z]/m)
  const long = [...modules.keys()].filter((path) => read(path).split('\n').length > 250)
  expect(long).toEqual([])
})
