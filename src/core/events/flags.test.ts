import {expect, test} from 'vitest'
import {firstWord, hasOption, isOtherCommand, optionValue} from './flags.ts'

test.each([
  [['-o', 'json'], true],
  [['--output=json'], true],
  [['--output', 'json'], true],
  [['--outputs'], false],
  [['-ojson'], true],
  [['prompt', '--', '-o'], false],
  [[], false],
])('hasOption of %j is %s', (args, expected) => {
  expect(hasOption(args, '-o', '--output')).toBe(expected)
})

test.each([
  [['-o', 'json'], 'json'],
  [['--output=a=b'], 'a=b'],
  [['--output'], ''],
  [['-p', 'x'], undefined],
  [['--', '-o', 'json'], undefined],
])('optionValue of %j is %j', (args, expected) => {
  expect(optionValue(args, '-o', '--output')).toBe(expected)
})

test.each([
  [['mcp', 'list'], true],
  [['-m', 'mcp', 'fix it'], false],
  [['-m', 'x', 'mcp'], true],
  [['fix it'], false],
  [['--version'], true],
  [['-p', '--help'], true],
  [['--', 'mcp'], false],
  [[], false],
])('%j asks for another command: %s', (args, expected) => {
  expect(isOtherCommand(args, 'mcp login', '-m')).toBe(expected)
})

test('the first word is neither an option nor its value', () => {
  expect(firstWord(['-m', 'x', '--flag', 'exec', 'y'], '-m')).toBe('exec')
  expect(firstWord(['--flag'], '')).toBe(undefined)
})
