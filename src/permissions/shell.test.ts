import {expect, test} from 'vitest'
import {expectWithin} from '../../test/support/within.ts'
import {readScript} from './shell.ts'

const read = (text: string) =>
  readScript(text).commands.map(({words}) => words.map(({plain}) => plain).join(' '))

test.each([
  ['git status', ['git status']],
  ['a; b && c || d | e |& f & g\nh', ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']],
  ['git   log\t-1', ['git log -1']],
  [`git commit -m 'a; b' -m "c \\"d\\" && e"`, ['git commit -m a; b -m c "d" && e']],
  ['git \\\n  push', ['git push']],
  [String.raw`find . -exec rm {} \;`, ['find . -exec rm {} ;']],
  ['npm test 2>&1 | tail >/dev/null', ['npm test', 'tail']],
  ['npm test &> /dev/null x', ['npm test', 'x']],
])('parses %j', (text, commands) => {
  expect(read(text)).toEqual(commands)
  expect(readScript(text).isPlain).toBe(true)
})

test.each([
  ['echo $(rm x) y', ['echo $', 'rm x', 'y']],
  ['echo `rm x`', ['echo ', 'rm x']],
  ['(rm x)', ['rm x']],
  ['2>log rm x', ['rm x']],
  ['{fd}>log rm x', ['rm x']],
  ['git >out push', ['git push']],
  ['echo $HOME', ['echo $HOME']],
  ['echo "$HOME"', ['echo $HOME']],
  ['a # b', ['a # b']],
  ["a 'b", ['a b']],
  ['a "b', ['a b']],
  ['a \\', ['a ']],
  ['a # b\\\nc', ['a # b\\', 'c']],
  ['a\rb', ['a\rb']],
  ['a > /dev/nullx', ['a']],
  ['a > /dev/null/../x', ['a']],
  ['cat <<EOF\nrm x\nEOF', ['cat', 'rm x', 'EOF']],
])('splits scripts that are not plain: %j', (text, commands) => {
  expect(read(text)).toEqual(commands)
  expect(readScript(text).isPlain).toBe(false)
})

test('returns quoted texts and redirection targets', () => {
  const {commands, inner} = readScript(`sh -c 'a b' "c \\"d" x'y z' <<< "e"`)
  expect(commands[0]?.words.map((word) => word.inner)).toEqual([
    undefined,
    undefined,
    ['a b'],
    ['c "d'],
    ['y z', 'xy z'],
  ])
  expect([...inner]).toEqual(['e'])
})

test.each([
  ['a | b', [false, true]],
  ['a || b', [false, false]],
  ['a |& b; c', [false, true, true]],
  ['a < x', [true]],
  ['a <<< x', [true]],
  ['a <(b)', [true, true]],
  ['a <<X\nb\nX', [false, false, false]],
  ['a > x', [false]],
])('marks the commands of %j that may read the output of others', (text, expected) => {
  expect(readScript(text).commands.map(({isFed}) => isFed)).toEqual(expected)
})

test('parses long scripts in linear time', () => {
  expectWithin(2000, () => {
    readScript('a"b\'c\\ $(d) '.repeat(50_000))
    readScript('"'.repeat(200_001))
  })
})
