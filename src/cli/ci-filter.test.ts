import fc from 'fast-check'
import {expect, test} from 'vitest'
import {createCiFilter} from './ci-filter.ts'

function filter(chunks: readonly string[]): string {
  const passing = createCiFilter()
  const parts = chunks.map((chunk) => passing.push(Buffer.from(chunk, 'utf8')))
  return Buffer.concat([...parts, passing.end()]).toString('utf8')
}

const COMMANDS = /##[a-z]*\[|^\s*::|section_(?:start|end):/m

test.each([
  ['##vso[task.complete result=Failed;]x', '## vso[task.complete result=Failed;]x'],
  ['a ##vso[task.setvariable variable=x]y', 'a ## vso[task.setvariable variable=x]y'],
  ['##[command]x', '## [command]x'],
  ["##teamcity[buildStop comment='x']", "## teamcity[buildStop comment='x']"],
  ['::set-output name=x::y', ': :set-output name=x::y'],
  ['a\n \t::stop-commands::x\nb', 'a\n \t: :stop-commands::x\nb'],
  ['a\r::error::x', 'a\r: :error::x'],
  ['\u200b:\u200b:error::x', '\u200b: \u200b:error::x'],
  ['section_start:1:x\r\u001b[0K', 'section_start :1:x\r\u001b[0K'],
  ['section_end:1:x\r\u001b[0K', 'section_end :1:x\r\u001b[0K'],
])('breaks the command in %j for every split into chunks', (text, broken) => {
  expect(filter([text])).toBe(broken)
  expect(filter([...text])).toBe(broken)
  for (let at = 1; at < text.length; at++) {
    expect(filter([text.slice(0, at), text.slice(at)])).toBe(broken)
  }
})

test.each([
  '# Title\n## Part\n### a [b](c)\n',
  'a::b std::string\nx ::y\n',
  'section_x: 1\n',
  'a#',
])('does not change %j', (text) => {
  expect(filter([...text])).toBe(text)
})

test('keeps all other bytes in order for any chunks', () => {
  const bytes = fc.uint8Array({maxLength: 300})
  fc.assert(
    fc.property(fc.array(bytes, {maxLength: 5}), (chunks) => {
      const passing = createCiFilter()
      const passed = Buffer.concat([...chunks.map((chunk) => passing.push(chunk)), passing.end()])
      const given = Buffer.concat(chunks)
      // Only spaces are added.
      const strip = (all: Buffer) => all.toString('latin1').replaceAll(' ', '')
      expect(strip(passed)).toBe(strip(given))
    }),
  )
})

test('never lets a command through', () => {
  const part = fc.constantFrom(
    '#',
    ':',
    '\n',
    '\r',
    ' ',
    '[',
    'vso',
    'teamcity',
    'section_',
    'start',
    'end',
    'a',
    '\u200b',
  )
  fc.assert(
    fc.property(fc.array(fc.array(part).map((parts) => parts.join(''))), (chunks) => {
      expect(filter(chunks)).not.toMatch(COMMANDS)
    }),
    {numRuns: 2000},
  )
})
