import {appendFileSync, mkdtempSync, rmSync, truncateSync, writeFileSync} from 'node:fs'
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

/** Reads on, and tells what was read so far. */
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

test('what is there, and no more when that is said before', async () => {
  writeFileSync(path, 'one\ntwo')
  const follower = followFile(path)
  follower.finish()
  expect(await read(follower).all).toBe('one\ntwo')
})

test('what is added, soon', async () => {
  writeFileSync(path, '')
  const follower = followFile(path)
  const {text, all} = read(follower)
  for (const piece of ['a', 'b', 'c']) {
    appendFileSync(path, piece)
    await expect.poll(text, {interval: 5, timeout: 2000}).toContain(piece)
  }
  follower.finish()
  expect(await all).toBe('abc')
})

test('all that was written before the end is said, in one go or many', async () => {
  writeFileSync(path, '')
  const follower = followFile(path)
  const {all} = read(follower)
  let written = ''
  for (let round = 0; round < 200; round++) {
    const piece = `${round} ${'x'.repeat(round * 7)}\n`
    written += piece
    appendFileSync(path, piece)
    if (round % 10 === 0) await sleep(1)
  }
  follower.finish()
  expect(await all).toBe(written)
})

test('a slow reader gets all', async () => {
  const content = 'line\n'.repeat(100_000)
  writeFileSync(path, content)
  const follower = followFile(path)
  const {all} = read(follower, 5)
  await sleep(20)
  follower.finish()
  expect((await all) === content).toBe(true)
})

test('one that leaves holds nothing up', async () => {
  writeFileSync(path, 'x')
  for await (const chunk of followFile(path)) {
    expect(chunk.length).toBe(1)
    break
  }
})

test('a file that is not there is empty', async () => {
  const follower = followFile(join(folder, 'nothing'))
  const {all} = read(follower)
  follower.finish()
  expect(await all).toBe('')
})

test('a file that is written anew is read from its new start', async () => {
  writeFileSync(path, 'a long line\n')
  const follower = followFile(path)
  const {text, all} = read(follower)
  await expect.poll(text).toBe('a long line\n')
  truncateSync(path)
  appendFileSync(path, 'new\n')
  await expect.poll(text).toBe('a long line\nnew\n')
  appendFileSync(path, 'more\n')
  follower.finish()
  expect(await all).toBe('a long line\nnew\nmore\n')
})
