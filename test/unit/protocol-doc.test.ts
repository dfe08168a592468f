import {readFileSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {fillProtocolPage} from '../../scripts/docs/protocol-page.js'
import {ERROR_CODES} from '../../src/core/protocol/server-message.ts'
import {WAITING_KINDS} from '../../src/core/run/waiting.ts'
import {SENT_FILES} from '../../src/hub/ingest/protocol.ts'
import {clientMessage} from '../../src/hub/protocol/client-messages.ts'
import {runnerMessage, hubMessage} from '../../src/hub/protocol/ingest-messages.ts'
import {createOpenApi} from '../../src/hub/protocol/openapi.ts'
import {serverMessage} from '../../src/hub/protocol/server-messages.ts'

const page = read('docs/protocol.md')
const sections = new Map(
  page
    .split(/^#{2,4} /m)
    .slice(1)
    .map((section) => [section.split('\n', 1)[0] ?? '', section]),
)

/** The page describes these fields once for all messages. */
const COMMON = new Set(['type', 'ref', 'timestamp'])

describe('the protocol page', () => {
  test('has the generated lists of routes, parameters and fields', () => {
    // Run `npm run build && node scripts/protocol-doc.js` to update them.
    expect(page).toBe(fillProtocolPage(page, createOpenApi('')))
  })

  test.each([...clientMessage.options, ...serverMessage.options])(
    'shows an example of the message $shape.type.value and lists its fields',
    ({shape}) => {
      const type = shape.type.value
      const section = sections.get(`\`${type}\``) ?? ''
      const [, json = '{}'] = /```json\n([^]*?)```/.exec(section) ?? []
      const example = JSON.parse(json) as Record<string, unknown>
      expect(example).toMatchObject({type})
      expect(Object.keys(example).filter((field) => !Object.hasOwn(shape, field))).toEqual([])
      const own = Object.keys(shape).filter((field) => !COMMON.has(field))
      expect(own.length === 0 || section.includes(`<!-- generated: ${type} -->`)).toBe(true)
    },
  )

  test.each([
    ['Error codes', [...ERROR_CODES]],
    ['HTTP errors', wordsOf('src/hub/http/refusal.ts', 'RefusalCode')],
  ])('lists every code of %s and no other', (section, codes) => {
    const table = (sections.get(section) ?? '').split('\n').filter((line) => line.startsWith('|'))
    // The last column may name fields and headers too.
    const cells = table.map((line) => line.split('|').slice(1, -2).join('|'))
    const listed = cells.flatMap((cell) =>
      [...cell.matchAll(/`([a-z-]+)`/g)].map(([, code]) => code),
    )
    expect([...new Set(listed)].toSorted()).toEqual(codes.toSorted())
  })

  test('names every waiting kind and every role', () => {
    const words = [...WAITING_KINDS, 'view', 'answer', 'ingest']
    expect(words.filter((word) => !isNamed(word, page))).toEqual([])
  })

  test('names every ingest message and every file of a recording', () => {
    const schemas = [...runnerMessage.options, ...hubMessage.options]
    const types = schemas.map(({shape}) => shape.type.value)
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

/** Whether a word is in backticks, alone or inside code. */
function isNamed(word: string, text: string): boolean {
  return [...text.matchAll(/`([^`\n]+)`/g)].some(([, code = '']) =>
    new RegExp(`(?<![\\w-])${word}(?![\\w-])`).test(code),
  )
}

function read(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
}

/** The members of a union of string literals. */
function wordsOf(path: string, name: string): string[] {
  const [, body = ''] = new RegExp(`export type ${name} =([^]*?)\n\n`).exec(read(path)) ?? []
  const words = [...body.matchAll(/'([\w-]+)'/g)].map(([, word = '']) => word)
  return words
}
