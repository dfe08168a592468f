import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'

const root = new URL('../../', import.meta.url)
const {exports} = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  exports: Record<string, string>
}
const entries = Object.entries(exports).filter(([, file]) => file.endsWith('.js'))

describe.each(entries)('%s', (_, file) => {
  test('exports these names and no others', async () => {
    const module = (await import(new URL(file, root).href)) as object
    expect(Object.keys(module).toSorted()).toMatchSnapshot()
  })

  test('documents every name it exports', () => {
    expect(undocumented(new URL(file.replace(/\.js$/, '.d.ts'), root))).toEqual([])
  })
})

/** The exported names of a declaration file, and of those it lists, that no comment stands before. */
function undocumented(url: URL): string[] {
  const text = readFileSync(url, 'utf8')
  const lists = listsOf(text)
  const declared = [...text.matchAll(/^export (?:interface|type) (\w+)/gm)]
  const reexported = [...text.matchAll(/^export (?:type )?\* from '(.*)';?$/gm)]
  if (lists.length + declared.length === 0) throw new Error(`${url.pathname} lists no names`)
  const others = reexported.flatMap(([, file = '']) => undocumented(toDeclarations(file, url)))
  const own = lists.flatMap(({names, file}) => {
    const from = toDeclarations(file, url)
    return names.filter((name) => !isDocumented(name, from))
  })
  const types = declared.map(([, name = '']) => name).filter((name) => !isDocumented(name, url))
  return [...others, ...own, ...types]
}

function toDeclarations(file: string, from: URL): URL {
  return new URL(file.replace(/\.[jt]s$/, '.d.ts'), from)
}

/** A list may name what is listed elsewhere. */
function isDocumented(name: string, url: URL): boolean {
  const text = readFileSync(url, 'utf8')
  const list = listsOf(text).find(({names}) => names.includes(name))
  if (list !== undefined) return isDocumented(name, toDeclarations(list.file, url))
  return new RegExp(
    `\\*/\\nexport (?:declare )?(?:interface|type|class|const|function|async function\\*?|function\\*?) ${name}\\b`,
  ).test(text)
}

function listsOf(text: string): {names: string[]; file: string}[] {
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\} from '(.*)';?$/gm)]
  return lists.map(([, list = '', file = '']) => ({
    names: list
      .split(',')
      .map((name) => name.replace(/\btype\b/, '').trim())
      .filter((name) => name !== ''),
    file,
  }))
}
