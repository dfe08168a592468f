import {expect, test} from 'vitest'
import {createArgumentReader} from './arguments.ts'

const {findWords, findPrompt} = createArgumentReader({
  valued: '-m --model',
  optional: '-r --resume',
  variadic: '-f --file',
  flags: '-nt',
  prompt: '-p --prompt',
  commands: 'run',
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
