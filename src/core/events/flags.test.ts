import {expect, test} from 'vitest'
import {hasOption, optionValue} from './flags.ts'

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
