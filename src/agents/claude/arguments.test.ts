import {expect, test} from 'vitest'
import {findWords, isRun} from './arguments.ts'

/** As the real 2.1.325 reads them. */
test.each([
  [['-p', 'x'], ['x']],
  [['x', '-p'], ['x']],
  [
    ['--print', 'x', 'y'],
    ['x', 'y'],
  ],
  [['-p', '--model', 'm', 'x'], ['x']],
  [['-p', '--model=m', 'x'], ['x']],
  [['-p', '-nfoo', 'x'], ['x']],
  [['-p', '--append-system-prompt', '-y', 'x'], ['x']],
  [['-p', '--allowedTools', 'Bash', 'Edit', '--verbose', 'x'], ['x']],
  [['-p', '--allowedTools', 'Bash', 'x'], []],
  [['-p', '--allowedTools=Bash', 'x'], ['x']],
  [['-p', '--disallowed-tools', 'a', 'b', '--', 'x'], ['x']],
  [['-p', '--add-dir', '../a', '../b', '-c', 'x'], ['x']],
  [['-p', '--mcp-config', 'a.json', 'b.json'], []],
  [
    ['-p', '--', '-x', 'y'],
    ['-x', 'y'],
  ],
  [
    ['x', '--', 'y'],
    ['x', 'y'],
  ],
  [['-p', '--debug', 'x'], []],
  [['-p', '--debug', '--verbose', 'x'], ['x']],
  [['-pd', 'x'], []],
  [['-dp', 'x'], ['x']],
  [['-pc', 'x'], ['x']],
  [['-p', '-'], ['-']],
  [['-p', ''], ['']],
  [['-p=x'], []],
  [['-p', '--model'], []],
  [[], []],
])('the words of %j are %j', (args, words) => {
  expect(findWords(args).map((index) => args[index])).toEqual(words)
})

test.each([
  [['-p', 'x'], true],
  [['--model', 'mcp', 'x'], true],
  [['-p', 'x', 'mcp'], true],
  [['mcp', 'list'], false],
  [['--debug-file', 'x', 'update'], false],
  [['--help'], false],
  [['-v'], false],
  [['--verbose'], true],
  [['--', '--help'], true],
])('%j start a run: %s', (args, expected) => {
  expect(isRun(args)).toBe(expected)
})
