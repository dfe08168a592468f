import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {summarize} from './summarize.ts'

const long = 'x'.repeat(100)

describe('the summary', () => {
  test.each([
    ['Read', {file_path: '/path/to/file'}, '/path/to/file'],
    ['Edit', {file_path: '/path/to/file'}, '/path/to/file'],
    ['Write', {path: 'a.txt', content: long}, 'a.txt'],
    ['Bash', {command: 'go test ./...'}, 'go test ./...'],
    ['Bash', {description: 'Run tests'}, 'Run tests'],
    ['Bash', {command: 'ls', description: 'List'}, 'ls'],
    ['Bash', {command: long}, `${'x'.repeat(59)}…`],
    ['Bash', {commands: ['make', 'make test']}, 'make, make test'],
    ['Grep', {pattern: 'createRefund'}, 'createRefund'],
    ['Glob', {pattern: long}, `${'x'.repeat(39)}…`],
    ['Task', {description: long}, `${'x'.repeat(39)}…`],
    ['WebFetch', {url: long, prompt: 'x'}, `${'x'.repeat(49)}…`],
    ['WebFetch', {query: 'glass', prompt: 'x'}, 'glass'],
    ['WebSearch', {query: 'glass'}, 'glass'],
    ['WebSearch', {query: 'glass', url: 'https://a.example'}, 'https://a.example'],
    ['Read', {files: [{path: 'a'}, {path: 'b'}, 3]}, 'a, b'],
    ['Edit', {changes: [{path: 'a', kind: 'add'}]}, 'a'],
    ['Mcp', {sql: 'select 1'}, 'select 1'],
    ['Other', {foo: 'bar'}, ''],
    ['Todo', {todos: []}, ''],
    ['Read', {file_path: 5}, ''],
    ['Read', 'a string', ''],
    ['Bash', null, ''],
  ] as const)('for %s with %j is %j', (tool, input, summary) => {
    expect(summarize(tool, input)).toBe(summary)
  })

  test('is on one line', () => {
    expect(summarize('Bash', {command: '  cat <<EOF\n\n  one\nEOF\n'})).toBe('cat <<EOF one EOF')
  })

  test('is cut by visible characters', () => {
    const family = '👩‍👩‍👧'
    expect(summarize('Grep', {pattern: family.repeat(40)})).toBe(family.repeat(40))
    expect(summarize('Grep', {pattern: family.repeat(41)})).toBe(`${family.repeat(39)}…`)
  })

  test('has no control characters, for any input', () => {
    fc.assert(
      fc.property(fc.string({unit: 'binary'}), (command) => {
        expect(summarize('Bash', {command})).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      }),
    )
  })

  test('takes little time for a megabyte of white space', () => {
    expect(summarize('Read', {path: `a${' '.repeat(1_000_000)}\nb`})).toBe('a')
  })
})
