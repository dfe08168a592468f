import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {configPath, readConfig, type ReadConfig} from './config.ts'

let dir: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vitrine-config-'))
})

afterEach(() => rmSync(dir, {recursive: true, force: true}))

const DEFAULTS = {prices: {}, archive: {enabled: false}, budget: {}}

function readText(text: string): ReadConfig {
  writeFileSync(configPath(dir), text)
  return readConfig(dir)
}

function readFields(fields: unknown): ReadConfig {
  return readText(JSON.stringify(fields))
}

/** The problems without the path, which each of them starts with. */
function problemsOf({problems}: ReadConfig): string[] {
  const start = `${configPath(dir)}: `
  expect(problems.filter((problem) => !problem.startsWith(start))).toEqual([])
  return problems.map((problem) => problem.slice(start.length))
}

describe('readConfig', () => {
  test('returns the defaults without a file', () => {
    expect(readConfig(dir)).toEqual({config: DEFAULTS, problems: []})
    expect(readConfig(join(dir, 'missing'))).toEqual({config: DEFAULTS, problems: []})
  })

  test('reads prices, archive and budget', () => {
    const price = {input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75, hourCacheWrite: 6}
    const config = {
      prices: {'my-model': price, free: {input: 0, output: 0}},
      archive: {enabled: true},
      budget: {monthUsd: 420},
    }
    expect(readFields(config)).toEqual({config, problems: []})
  })

  test('reads a file with a byte order mark', () => {
    expect(readText('\ufeff{"archive": {"enabled": true}}')).toEqual({
      config: {...DEFAULTS, archive: {enabled: true}},
      problems: [],
    })
  })

  test.each(['', '{', '{"archive": {"enabled": true}', '{"a": 1} x', '\0'])(
    'reports a file that is not JSON: %j',
    (text) => {
      const result = readText(text)
      expect(result.config).toEqual(DEFAULTS)
      expect(problemsOf(result)).toEqual([
        expect.stringMatching(
          /^is not valid JSON \(.+\)\. All settings have their defaults until this is corrected$/,
        ),
      ])
    },
  )

  test.each(['[]', 'null', '1', '"text"'])('reports a file that is no object: %s', (text) => {
    const result = readText(text)
    expect(result.config).toEqual(DEFAULTS)
    expect(problemsOf(result)).toEqual([
      'expected a JSON object. All settings have their defaults until this is corrected',
    ])
  })

  test('reports a folder and a file that is too large', () => {
    const large = readText(`{"a": "${'x'.repeat(1024 * 1024)}"}`)
    expect(large.config).toEqual(DEFAULTS)
    expect(problemsOf(large)).toEqual([expect.stringMatching(/^is larger than 1 MiB\. /)])

    rmSync(configPath(dir))
    mkdirSync(configPath(dir))
    const folder = readConfig(dir)
    expect(folder.config).toEqual(DEFAULTS)
    expect(problemsOf(folder)).toEqual([expect.stringMatching(/^is not a regular file\. /)])
  })

  test('reports a data folder that is a file', () => {
    const path = join(dir, 'file')
    writeFileSync(path, '')
    const {config, problems} = readConfig(path)
    expect(config).toEqual(DEFAULTS)
    expect(problems).toEqual([
      `${join(path, 'config.json')}: part of the path is a file, expected a folder. All settings have their defaults until this is corrected`,
    ])
  })

  test('reports fields of the wrong type and reads the others', () => {
    const result = readFields({
      prices: [],
      archive: {enabled: 'yes'},
      budget: {monthUsd: 420},
    })
    expect(result.config).toEqual({...DEFAULTS, budget: {monthUsd: 420}})
    expect(problemsOf(result)).toEqual([
      '`prices` is ignored: expected an object',
      '`archive.enabled` is ignored: expected true or false',
    ])
  })

  test.each([0, -1, '420', null])('ignores the budget %j', (monthUsd) => {
    const result = readFields({budget: {monthUsd}})
    expect(result.config).toEqual(DEFAULTS)
    expect(problemsOf(result)).toEqual([
      '`budget.monthUsd` is ignored: expected dollars as a number above 0',
    ])
  })

  test('ignores a price with an invalid field and reads the others', () => {
    const result = readFields({
      prices: {
        good: {input: 1, output: 2},
        text: 'cheap',
        'no-output': {input: 1},
        negative: {input: -1, output: 2},
        cached: {input: 1, output: 2, cacheRead: '0.1'},
      },
    })
    expect(result.config.prices).toEqual({good: {input: 1, output: 2}})
    const expected = 'expected dollars for a million tokens, a number from 0'
    expect(problemsOf(result)).toEqual([
      '`prices.text` is ignored: expected an object with input and output',
      `\`prices.no-output\` is ignored because of \`output\`: ${expected}`,
      `\`prices.negative\` is ignored because of \`input\`: ${expected}`,
      `\`prices.cached\` is ignored because of \`cacheRead\`: ${expected}`,
    ])
  })

  test('reports unknown fields', () => {
    const result = readFields({
      price: {},
      archive: {enabled: true, days: 3},
      prices: {model: {input: 1, output: 2, inptu: 3}},
    })
    expect(result.config).toEqual({
      ...DEFAULTS,
      archive: {enabled: true},
      prices: {model: {input: 1, output: 2}},
    })
    expect(problemsOf(result)).toEqual([
      '`price` is ignored: expected prices, archive, budget',
      '`archive.days` is ignored: expected enabled',
      '`prices.model.inptu` is ignored: expected input, output, cacheRead, cacheWrite, hourCacheWrite',
    ])
  })

  test('reports unusual names on one line and escaped', () => {
    const result = readText('{"__proto__": {}, "a\\u001b[31m\\nb": 1, "prices": {"__proto__": 1}}')
    expect(result.config).toEqual(DEFAULTS)
    for (const problem of problemsOf(result)) {
      expect(problem).toMatch(/^`.+` is ignored: .+$/)
      expect(problem).not.toContain('\u001b')
    }
    expect(result.problems).toHaveLength(3)
  })
})
