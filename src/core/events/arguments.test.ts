import {expect, test} from 'vitest'
import {createArgumentReader} from './arguments.ts'

const {isRun, findWords, findPrompt} = createArgumentReader({
  valued: '-m --model',
  optional: '-r --resume',
  variadic: '-f --file',
  flags: '-nt',
  prompt: '-p --prompt',
  commands: 'run',
  otherCommands: 'mcp login',
})

test.each<[string[], string[], string | undefined]>([
  [['run', 'x', 'y'], ['run', 'x', 'y'], 'x'],
  [['x', '-m', 'run'], ['x'], 'x'],
  [['-mx', '--model=y', 'z'], ['z'], 'z'],
  [['-vm', 'x', 'y'], ['y'], 'y'],
  [['-r', '-v', 'x'], ['x'], 'x'],
  [['-r', 'id', 'x'], ['x'], 'x'],
  [['-f', 'a', 'b', '-v', 'x'], ['x'], 'x'],
  [['-f', 'a', '--', '-x'], ['-x'], '-x'],
  [['-nt', 'x'], ['x'], 'x'],
  [['y', '-p', 'x'], ['y'], 'x'],
  [['--prompt=x'], [], 'x'],
  [['-p', '- one\n- two'], [], '- one\n- two'],
  [['-p', '-v', 'x'], ['x'], 'x'],
  [['-p'], [], undefined],
  [['-'], ['-'], undefined],
  [['--model'], [], undefined],
])('the words of %j are %j, the prompt is %j', (args, words, prompt) => {
  expect(findWords(args).map((at) => args[at])).toEqual(words)
  expect(findPrompt(args)).toBe(prompt)
})

test.each([
  [['mcp', 'list'], false],
  [['-m', 'mcp', 'fix it'], true],
  [['-m', 'x', 'mcp'], false],
  [['-p', 'mcp'], true],
  [['fix it'], true],
  [['run', 'mcp'], true],
  [['--version'], false],
  [['-p', '--help'], false],
  [['--', 'mcp'], true],
  [[], true],
])('%j starts a run: %s', (args, expected) => {
  expect(isRun(args)).toBe(expected)
})

test('finds no prompt in the arguments of another command', () => {
  expect(findPrompt(['mcp', 'list'])).toBe(undefined)
})
