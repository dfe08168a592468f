import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, expect, test} from 'vitest'
import {countMessages} from './count-messages.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-count-'))
const path = join(folder, 'stdin')
const user = '{"type":"user","message":{"role":"user","content":"one"}}'

afterAll(() => rmSync(folder, {recursive: true}))

test.each([
  ['messages of the user', `${user}\n\n${user}`, 2],
  ['a control request beside a message', `{"type":"control_request"}\n${user}\n`, 1],
  ['a prompt', 'Fix the tests', 0],
  ['a prompt that quotes a message', `Explain this:\n${user}\n`, 0],
  ['JSON that is no record', '[1]\n2\n', 0],
  ['nothing', '', 0],
])('counts %s', (_, text, count) => {
  writeFileSync(path, text)
  expect(countMessages(path)).toBe(count)
})

test('counts nothing in a missing file', () => {
  expect(countMessages(join(folder, 'gone'))).toBe(0)
})
