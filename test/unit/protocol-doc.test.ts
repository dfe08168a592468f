import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {MESSAGE_TOOLS} from '../../src/core/protocol/server-message.ts'
import {VERDICTS} from '../../src/core/run/verdict.ts'
import {WAITING_KINDS} from '../../src/core/run/waiting.ts'
import {SENT_FILES} from '../../src/hub/ingest/protocol.ts'
import {messageSchemas} from '../../src/hub/http/message-schemas.ts'
import {OPEN_ROUTES, ROUTES} from '../../src/hub/http/routes.ts'
import {runSchemas} from '../../src/hub/http/run-schemas.ts'

const page = read('docs/protocol.md')
const sections = new Map(
  page
    .split(/^#{2,4} /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
)

describe('the protocol page', () => {
  test.each([
    ...typesIn('src/core/protocol/server-message.ts'),
    ...typesIn('src/core/protocol/client-message.ts'),
  ])('shows an example of the message %s and names its fields', (type) => {
    expect(findFlaws(type)).toEqual([])
  })

  test('lists every route and no other', () => {
    const routes = [
      ...ROUTES.map(({method, path}) => `${method} ${path}`),
      ...OPEN_ROUTES,
      'GET /ws',
      'GET /ingest',
    ]
    const table = (sections.get('REST API') ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
    const listed = table.flatMap((line) =>
      [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, route]) => route),
    )
    expect(listed.toSorted()).toEqual(routes.toSorted())
  })

  test('names the right that each route needs', () => {
    for (const {method, path, right} of ROUTES) {
      const route = `${method} ${path}`
      const row = page.split('\n').find((line) => line.startsWith(`| \`${route}\``))
      expect([route, row?.split('|')[2]?.trim()]).toEqual([route, `\`${right}\``])
    }
  })

  test.each([
    ['Error codes', 'src/core/protocol/server-message.ts', 'ErrorCode'],
    ['HTTP errors', 'src/hub/http/refusal.ts', 'RefusalCode'],
  ])('lists every code of %s and no other', (section, file, union) => {
    const table = (sections.get(section) ?? '').split('\n').filter((line) => line.startsWith('|'))
    // The last column may name fields and headers too.
    const cells = table.map((line) => line.split('|').slice(1, -2).join('|'))
    const listed = cells.flatMap((cell) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code),
    )
    expect([...new Set(listed)].toSorted()).toEqual(wordsOf(file, union).toSorted())
  })

  test.each([
    ['src/core/events/events.ts', 'FileAction'],
    ['src/core/events/events.ts', 'PlanStatus'],
    ['src/hub/auth/tokens.ts', 'Role'],
  ])('names every word of %s: %s', (file, union) => {
    expect(wordsOf(file, union).filter((word) => !isNamed(word, page))).toEqual([])
  })

  test.each([
    ['verdict', VERDICTS],
    ['waiting kind', WAITING_KINDS],
    ['tool of messages', [...MESSAGE_TOOLS, 'Other']],
  ])('names every %s', (_, words) => {
    expect(words.filter((word) => !isNamed(word, page))).toEqual([])
  })

  test('names every field of a run summary', () => {
    const fields = Object.keys(runSchemas['RunSummary']?.properties ?? {})
    expect(fields.length).toBeGreaterThan(30)
    expect(fields.filter((field) => !isNamed(field, sections.get('Runs') ?? ''))).toEqual([])
  })

  test('names every ingest message and every file of a recording', () => {
    const source = read('src/hub/ingest/protocol.ts')
    const types = [...source.matchAll(/^ +(?:\| \{)?type: '(\w+)'/gm)].map(([, type = '']) => type)
    expect(types.toSorted()).toEqual([
      'command',
      'have',
      'offer',
      'outcome',
      'record',
      'refused',
      'replaced',
    ])
    const ingest = page.slice(page.indexOf('\n## Ingest'))
    expect(types.filter((type) => !isNamed(type, ingest))).toEqual([])
    const rows = [...ingest.matchAll(/^\| (\d) +\| `(\w+)` /gm)].map(([, , name]) => name)
    expect(rows).toEqual(SENT_FILES)
  })

  test('quotes the example client unchanged', () => {
    expect(page).toContain(`\`\`\`js\n${read('examples/follow-run.js')}\`\`\``)
  })

  test('contains only JSON that can be parsed', () => {
    const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, json = '']) => json)
    expect(examples.length).toBeGreaterThan(25)
    for (const example of examples) expect(() => JSON.parse(example)).not.toThrow()
  })
})

/** Missing parts of the section about a message, and fields in it that do not exist. */
function findFlaws(type: string): string[] {
  const section = sections.get(`\`${type}\``) ?? ''
  const [, json = '{}'] = /```json\n([^]*?)```/.exec(section) ?? []
  const example = JSON.parse(json) as Record<string, unknown>
  const {properties = {}, required = []} = messageSchemas[type] ?? {}
  const isShown = (field: string) => Object.hasOwn(example, field)
  // One sentence documents `ref` for all messages.
  const isNamedThere = (field: string) =>
    isShown(field) || field === 'ref' || isNamed(field, section)
  return [
    ...(example['type'] === type ? [] : ['there is no example']),
    ...required.filter((field) => !isShown(field)).map((field) => `${field} is not shown`),
    ...Object.keys(properties).flatMap((field) =>
      isNamedThere(field) ? [] : `${field} is not named`,
    ),
    ...Object.keys(example).flatMap((field) => {
      return Object.hasOwn(properties, field) ? [] : `${field} is not a field`
    }),
  ]
}

/** Whether a word is in backticks, alone or inside code. */
function isNamed(word: string, text: string): boolean {
  return [...text.matchAll(/`([^`\n]+)`/g)].some(([, code = '']) =>
    new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(code),
  )
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

/** The `type` of every message that a file describes. */
function typesIn(path: string): string[] {
  return [...read(path).matchAll(/^ {2}type: '(\w+)'$/gm)].map(([, type = '']) => type)
}

/** The members of a union of string literals. */
function wordsOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export type ${name} =([^]*?)\n\n`).exec(read(path)) ?? []
  const words = [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
  expect(words.length).toBeGreaterThan(2)
  return words
}
