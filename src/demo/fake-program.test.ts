import {mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {writeFakeProgram} from './fake-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-fake-program-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

test('does not write an unchanged program again, because another process may be reading it', () => {
  const path = writeFakeProgram(folder, 'claude')
  const before = statSync(path, {bigint: true})
  writeFakeProgram(folder, 'claude')
  expect(statSync(path, {bigint: true}).mtimeNs).toBe(before.mtimeNs)
})

test('replaces a program of an earlier version', () => {
  const path = writeFakeProgram(folder, 'codex')
  const text = readFileSync(path, 'utf8')
  writeFileSync(path, 'await import("file:///elsewhere.js")\n')
  writeFakeProgram(folder, 'codex')
  expect(readFileSync(path, 'utf8')).toBe(text)
})
