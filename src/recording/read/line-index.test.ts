import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import fc from 'fast-check'
import {afterAll, expect, test} from 'vitest'
import {createLineIndex} from './line-index.ts'

const dir = mkdtempSync(join(tmpdir(), 'vitrine-lines-'))
afterAll(() => rmSync(dir, {recursive: true, force: true}))

test('indexes every line of a growing file, for any appended parts', () => {
  const path = join(dir, 'grows')
  const part = fc.array(fc.constantFrom('a', 'é', '\n', '\n\n', 'long words'), {maxLength: 6})
  fc.assert(
    fc.property(fc.array(part, {maxLength: 6}), (parts) => {
      rmSync(path, {force: true})
      const index = createLineIndex(path)
      index.extend()
      expect(index.count).toBe(0)
      let text = ''
      for (const words of parts) {
        appendFileSync(path, words.join(''))
        text += words.join('')
        index.extend()
      }
      const lines = text.split(/(?<=\n)/).filter((line) => line !== '')
      expect(index.count).toBe(lines.length)
      let start = 0
      for (const [at, line] of lines.entries()) {
        expect(index.startOf(at + 1)).toBe(start)
        start += Buffer.byteLength(line)
      }
      expect(index.startOf(lines.length + 1)).toBe(start)
    }),
  )
})

test('indexes 100,000 lines', () => {
  const path = join(dir, 'many')
  writeFileSync(path, 'x\n'.repeat(100_000))
  const index = createLineIndex(path)
  index.extend()
  expect(index.count).toBe(100_000)
  expect(index.startOf(100_000)).toBe(199_998)
})
