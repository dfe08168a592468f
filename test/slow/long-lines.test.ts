import {expect, test} from 'vitest'
import {createLineDecoder, type Chunk} from '../../src/core/wire/lines.ts'

test('decodes one line of 10 MB, a byte at a time, in linear time', () => {
  // Copying the line for every byte would move 50 TB: the time limit of the test is enough.
  const lines = createLineDecoder((raw) => raw.length)
  const byte = Buffer.from('x')
  for (let index = 0; index < 10_000_000; index++) lines.push(byte)
  expect(lines.push('\n')).toEqual([10_000_001])
  for (let index = 0; index < 10_000_000; index++) lines.push('x')
  expect(lines.end()).toEqual([10_000_000])
})

test.each<[string, (size: number) => Chunk]>([
  ['a Node buffer', (size) => Buffer.alloc(size, 'x')],
  ['a string', (size) => 'x'.repeat(size)],
])('reports a line longer than any string of the engine as too long, from %s', (_, make) => {
  const lines = createLineDecoder((raw, flaw) => flaw ?? raw.length, {maxLineBytes: Infinity})
  const quarter = make(2 ** 27)
  const size = 2 ** 29
  for (let count = 0; count < 4; count++) expect(lines.push(quarter)).toEqual([])
  expect(lines.push('\n')).toEqual([{type: 'line-too-long', size}])
  expect(lines.push('ok\n')).toEqual([3])
  for (let count = 0; count < 3; count++) lines.push(quarter)
  lines.push(quarter.slice(0, 2 ** 27 - 25))
  expect(lines.push('\n')).toEqual([size - 24])
})
