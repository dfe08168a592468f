import {describe, expect, test} from 'vitest'
import {readPage} from '../support/pages.ts'
import {hasExport} from '../support/public-names.ts'

const {text} = readPage('docs/coming-from.md')
const rows = [...text.matchAll(/^\| (`.+) +\| (`.+?) +\| `(vitrine\S*)` +\|$/gm)].map(
  ([, known = '', names = '', module = '']) => ({
    known,
    names: [...names.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    module,
  }),
)

/** Names that readers of other code bases look for. */
const EXPECTED_NAMES = `
  parse_raw_line parse_stdout_raw ContentDelta StreamError ParsedEvent SystemOther UserMessage
  ResultSuccess StreamDecoder StreamMessage NumTurns EventToolStart EventResult FormatterConfig
  ShowText NewFormatter NewProcessor ExtractFromJSON extractToolInput
`
  .trim()
  .split(/\s+/)

describe('the table of names of other parsers', () => {
  test('has rows for every kind of parser', () => {
    expect(rows.length).toBeGreaterThan(40)
    expect(text.match(/^\| you know/gm)).toHaveLength(5)
  })

  test.each(rows)('names exports of $module: $known', ({names, module}) => {
    expect(names.filter((name) => !hasExport(module, name))).toEqual([])
    expect(names).not.toEqual([])
  })

  test.each(EXPECTED_NAMES)('lists %s', (name) => {
    expect(rows.some(({known}) => new RegExp(`\\b${name}\\b`).test(known))).toBe(true)
  })
})
