import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {followFile, type Follower} from './follow-file.ts'

let folder: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-follow-'))
  path = join(folder, 'file')
})

afterEach(() => {
  rmSync(folder, {recursive: true, force: true})
})

/** Starts to read; `text` returns what was read so far. */
function read(follower: Follower, pauseMs = 0): {text(): string; all: Promise<string>} {
  let text = ''
  const all = (async () => {
    for await (const chunk of follower) {
      text += Buffer.from(chunk).toString('latin1')
      if (pauseMs > 0) await sleep(pauseMs)
    }
    return text
  })()
  return {text: () => text, all}
}

test('ends after the content of the file when it was finished before', async () => {
  writeFileSync(path, 'one\ntwo')
  const follower = followFile(path)
  follower.finish()
  expect(await read(follower).all).toBe('one\ntwo')
})

test('reads appended bytes promptly', async () => {
  writeFileSync(path, '')
  const follower = followFile(path)
  const {text, all} = read(follower)
  for (const letter of ['a', 'b', 'c']) {
    appendFileSync(path, letter)
    await expect.poll(text, {interval: 5, timeout: 2000}).toContain(letter)
  }
  follower.finish()
  expect(await all).toBe('abc')
})

test('reads everything that was written before it was finished', async () => {
  writeFileSync(path, '')
  const follower = followFile(path)
  const {all} = read(follower)
  let written = ''
  for (let round = 0; round < 200; round++) {
    const line = `${round} ${'x'.repeat(round * 7)}\n`
    written += line
    appendFileSync(path, line)
    if (round % 10 === 0) await sleep(1)
  }
  follower.finish()
  expect(await all).toBe(written)
})

test('reads everything for a slow consumer', async () => {
  const content = 'line\n'.repeat(100_000)
  writeFileSync(path, content)
  const follower = followFile(path)
  const {all} = read(follower, 5)
  await sleep(20)
  follower.finish()
  expect((await all) === content).toBe(true)
})

test('reads a large file in chunks of a bounded size, without gaps', async () => {
  const content = Buffer.alloc(1_000_001, 'abcdefg')
  writeFileSync(path, content)
  const follower = followFile(path)
  const chunks: Uint8Array[] = []
  for await (const chunk of follower) {
    chunks.push(chunk)
    if (chunks.length === 2) follower.finish()
  }
  expect(Buffer.concat(chunks).equals(content)).toBe(true)
  expect(Math.max(...chunks.map(({length}) => length))).toBe(64 * 1024)
})

test('lets timers run between two chunks', async () => {
  writeFileSync(path, Buffer.alloc(4_000_000))
  const follower = followFile(path)
  follower.finish()
  let ticks = 0
  const timer = setInterval(() => ticks++, 0)
  for await (const chunk of follower) expect(chunk.length).toBeGreaterThan(0)
  clearInterval(timer)
  expect(ticks).toBeGreaterThan(0)
})

test('can be left in the middle', async () => {
  writeFileSync(path, 'x')
  for await (const chunk of followFile(path)) {
    expect(chunk.length).toBe(1)
    break
  }
})

test('ends at once when it is closed while it waits', async () => {
  writeFileSync(path, 'x')
  const follower = followFile(path)
  const {text, all} = read(follower)
  await expect.poll(text).toBe('x')
  follower.close()
  expect(await all).toBe('x')
})

test('leaves the rest of the file unread when it is closed', async () => {
  writeFileSync(path, Buffer.alloc(200_000))
  const follower = followFile(path)
  let size = 0
  for await (const chunk of follower) {
    size += chunk.length
    follower.close()
  }
  expect(size).toBe(64 * 1024)
})

test('treats a missing file as empty', async () => {
  const follower = followFile(join(folder, 'nothing'))
  const {all} = read(follower)
  follower.finish()
  expect(await all).toBe('')
})

test('reads a file that appears later', async () => {
  const follower = followFile(path)
  const {text, all} = read(follower)
  await sleep(20)
  writeFileSync(`${path}.new`, 'late\n')
  renameSync(`${path}.new`, path)
  await expect.poll(text).toBe('late\n')
  appendFileSync(path, 'more\n')
  follower.finish()
  expect(await all).toBe('late\nmore\n')
})

test('keeps reading a file that is deleted', async () => {
  const file = openSync(path, 'w')
  writeSync(file, 'before\n')
  const follower = followFile(path)
  const {text, all} = read(follower)
  await expect.poll(text).toBe('before\n')
  unlinkSync(path)
  writeFileSync(path, 'another file\n')
  writeSync(file, 'after\n')
  await expect.poll(text).toBe('before\nafter\n')
  closeSync(file)
  follower.finish()
  expect(await all).toBe('before\nafter\n')
})

test('reads a truncated file from its new start', async () => {
  writeFileSync(path, 'a long line\n')
  let truncations = 0
  const follower = followFile(path, () => truncations++)
  const {text, all} = read(follower)
  await expect.poll(text).toBe('a long line\n')
  truncateSync(path)
  appendFileSync(path, 'new\n')
  await expect.poll(text).toBe('a long line\nnew\n')
  appendFileSync(path, 'more\n')
  follower.finish()
  expect(await all).toBe('a long line\nnew\nmore\n')
  expect(truncations).toBe(1)
})

test('reads nothing of a truncated file when it is closed because of that', async () => {
  writeFileSync(path, 'a long line\n')
  const follower = followFile(path, () => follower.close())
  const {text, all} = read(follower)
  await expect.poll(text).toBe('a long line\n')
  truncateSync(path)
  appendFileSync(path, 'new\n')
  expect(await all).toBe('a long line\n')
})

test('throws when the file cannot be read', async () => {
  await expect(read(followFile(join('\0', 'file'))).all).rejects.toThrow(/null bytes/)
})
