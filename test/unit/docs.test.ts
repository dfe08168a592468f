import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {basename, dirname, join} from 'node:path'
import {fileURLToPath, pathToFileURL} from 'node:url'
import {Command} from 'commander'
import {beforeAll, describe, expect, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {listBlocks, listPages, readPage, type Page} from '../support/pages.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const pages = listPages()
/** The requirements matrix quotes test titles, and has its own test. */
const prose = pages.filter(({path}) => path !== 'docs/seeds.md')
const guides = prose.filter(({path}) => /^docs\/[\w-]+\.md$/.test(path))
const withLinks = [...pages, readPage('ARCHITECTURE.md'), readPage('src/agents/README.md')]

const MAX_LINE_LENGTH = 119
const MAX_README = {lines: 200, bytes: 12_000}

describe.each(prose)('$path', (page) => {
  test('has only lines under 120 characters', () => {
    const long = page.text.split('\n').filter((line) => [...line].length > MAX_LINE_LENGTH)
    expect(long).toEqual([])
  })

  test('contains only JSON that can be parsed', () => {
    for (const json of listBlocks(page, 'json')) expect(() => JSON.parse(json)).not.toThrow()
  })

  test('names only test files that exist', () => {
    const names = page.text.match(/[\w-]+\.test\.ts\b/g) ?? []
    expect(names.filter((name) => !testFiles.has(name))).toEqual([])
  })
})

describe.each(withLinks)('the links of $path', (page) => {
  test('lead to files and headings that exist', () => {
    expect(listLinks(page).filter((link) => !leadsSomewhere(page, link))).toEqual([])
  })
})

test.each(guides)('$path starts with a sentence about its use', ({text}) => {
  expect(text).toMatch(/^# .+\n\nAfter this page you can (?:[^.\n]|\n(?!\n))+\.\n\n/)
})

test.each([readPage('README.md'), ...guides])(
  '$path names only functions that exist',
  async ({text}) => {
    const {exports} = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      exports: Record<string, string>
    }
    const files = Object.values(exports).filter((file) => file.endsWith('.js'))
    const modules = await Promise.all(
      files.map((file) => import(pathToFileURL(join(root, file)).href) as Promise<object>),
    )
    const known = new Set(modules.flatMap((module) => Object.keys(module)))
    // The first column of a table may have names of other programs.
    const names = text
      .replaceAll(/^\|[^|]*\|/gm, '')
      .matchAll(
        /`((?:create|detect|explain|find|format|judge|mask|matches|reduce|start|suggest)[A-Z]\w*)(?:\(.*?\))?`/g,
      )
    expect([...names].map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([])
  },
)

test('the README is short and names the two commands for a fresh clone', () => {
  const {text} = readPage('README.md')
  expect(text.split('\n').length).toBeLessThanOrEqual(MAX_README.lines)
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_README.bytes)
  expect(text).toMatch(/fresh clone, `npm start` and `npm test`, each\s+alone,/)
})

test('the README and docs/configuration.md list every agent', () => {
  const {text} = readPage('README.md')
  const rows = [...text.matchAll(/^\| `([a-z-]+)` /gm)].map(([, id]) => id)
  const ids = agents.map(({id}) => id)
  expect(rows.toSorted()).toEqual(ids)
  const list = /\*\*Agent\*\*: ([^.]+)\./.exec(readPage('docs/configuration.md').text)?.[1] ?? ''
  expect([...list.matchAll(/`([a-z-]+)`/g)].map(([, id]) => id)).toEqual(ids)
})

test('every guide can be reached from the README', () => {
  const linked = new Set(listLinks(readPage('README.md')).map((link) => link.replace(/#.*/, '')))
  // For contributors, who come from CONTRIBUTING.md.
  const internal = new Set(['docs/glossary.md'])
  const missing = guides.filter(({path}) => !linked.has(path) && !internal.has(path))
  expect(missing.map(({path}) => path)).toEqual([])
})

describe('the commands in the docs', () => {
  const commands = new Map<string, Command>()

  beforeAll(async () => {
    for (const command of await loadCommands()) commands.set(command.name(), command)
  })

  test('have all their options listed in docs/configuration.md, and no other', () => {
    const {text} = readPage('docs/configuration.md')
    const sections = new Map(
      text.split(/^## /m).map((section) => [section.split('\n', 1)[0], section]),
    )
    for (const [name, command] of commands) {
      const flags = command.options
        .filter(({hidden}) => !hidden)
        .flatMap(({short, long}) => [short ?? [], long ?? []].flat())
      const section = sections.get(`vitrine ${name}`) ?? ''
      const listed = [...section.matchAll(/`(--[a-z][\w-]*|-[a-z]\b)/g)].map(([, flag]) => flag)
      expect([name, ...new Set(listed)].toSorted()).toEqual([name, ...flags].toSorted())
    }
  })

  test.each(pages)('exist, with their options: $path', (page) => {
    const inline = [...page.text.matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code)
    const lines = [...listBlocks(page, 'sh').flatMap((block) => block.split('\n')), ...inline]
    expect(lines.flatMap((line) => findFlaws(line, commands))).toEqual([])
  })
})

const testFiles = new Set(
  ['src', 'test', 'dashboard/src'].flatMap((folder) =>
    readdirSync(join(root, folder), {recursive: true, encoding: 'utf8'}).map((name) =>
      basename(name),
    ),
  ),
)

function listLinks({text}: Page): string[] {
  const code = /^```[^]*?^```/gm
  const links = [...text.replaceAll(code, '').matchAll(/\]\(([^)\s]+)\)|(?:src|srcset)="([^"]+)"/g)]
  return links.map(([, link, image]) => link ?? image ?? '').filter((link) => !/^\w+:/.test(link))
}

function leadsSomewhere(page: Page, link: string): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? page.path : join(dirname(page.path), path)
  if (!existsSync(join(root, target))) return false
  return anchor === undefined || listAnchors(readPage(target)).includes(anchor)
}

/** The anchors that GitHub makes of the headings of a page. */
function listAnchors({text}: Page): string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  )
}

async function loadCommands(): Promise<Command[]> {
  const folder = join(root, 'src/cli/commands')
  const files = readdirSync(folder).filter((name) => !name.includes('.test.'))
  const modules = await Promise.all(
    files.map((name): Promise<object> => import(pathToFileURL(join(folder, name)).href)),
  )
  return modules
    .flatMap((module): unknown[] => Object.values(module))
    .filter((value) => value instanceof Command)
}

/** Commands that are not in the folder of commands. */
const OTHER_COMMANDS = new Set(['help', 'completion'])

/** Unknown commands and options in a line of shell code. */
function findFlaws(line: string, commands: ReadonlyMap<string, Command>): string[] {
  const calls = [...line.replace(/ #.*/, '').matchAll(/(?<![\w./@-])vitrine (?=[\w-])([^|;)]*)/g)]
  return calls.flatMap(([, rest = '']) => {
    const words = rest.match(/"[^"]*"?|'[^']*'?|\S+/g) ?? []
    const name = words[0]?.startsWith('-') ? 'view' : (words.shift() ?? '')
    const command = commands.get(name)
    if (command === undefined) return OTHER_COMMANDS.has(name) ? [] : [`vitrine ${name}`]
    return findUnknownOptions(command, words).map((option) => `vitrine ${name} ${option}`)
  })
}

const GLOBAL_OPTIONS = new Set(['--help', '-h', '--version', '-V', '--debug'])

function findUnknownOptions(command: Command, words: readonly string[]): string[] {
  const unknown: string[] = []
  for (let index = 0; index < words.length; index++) {
    const [flag = ''] = words[index]?.split('=') ?? []
    // Everything after the agent belongs to the agent.
    if (!/^--?[a-z]/i.test(flag)) {
      if (command.name() === 'run') break
      continue
    }
    const option = command.options.find(({short, long}) => flag === short || flag === long)
    if (option?.required === true) index++
    if (option === undefined && !GLOBAL_OPTIONS.has(flag) && flag !== '-vv') unknown.push(flag)
  }
  return unknown
}
