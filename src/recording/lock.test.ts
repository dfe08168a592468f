import {createHash} from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {acquireLock, readLockHolder, tryLock} from './lock.ts'
import {toProcessId} from './process-id.ts'

let dir: string
let path: string

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'vitrine-lock-'))
  path = join(dir, 'lock')
})

afterEach(() => rmSync(dir, {recursive: true, force: true}))

/** No process has this pid and start time. */
const ended = {pid: 999_999_999, startTime: '1'}

describe('a lock', () => {
  test('is a private file that exists while the lock is held', () => {
    const lock = tryLock(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dir)).toEqual(['lock'])
    expect(tryLock(path)).toBeNull()
    lock?.release()
    expect(readdirSync(dir)).toEqual([])
    expect(tryLock(path)).not.toBeNull()
  })

  test('publishes facts about its holder', () => {
    const lock = tryLock(path, {facts: {version: '1'}})
    lock?.publish({url: 'x'})
    expect(readLockHolder(path)?.facts).toMatchObject({version: '1', url: 'x'})
    expect(lock?.isHeld()).toBe(true)
  })

  test('is lost when its file is removed or names another holder', () => {
    const lock = tryLock(path)
    writeFileSync(path, '{"pid":1,"claimId":"other"}')
    expect(lock?.isHeld()).toBe(false)
    rmSync(dir, {recursive: true})
    expect(lock?.isHeld()).toBe(false)
  })

  test('is released and updated only by its holder', () => {
    const first = tryLock(path)
    first?.release()
    const second = tryLock(path)
    const content = readFileSync(path, 'utf8')
    first?.publish({url: 'x'})
    first?.release()
    expect(readFileSync(path, 'utf8')).toBe(content)
    expect(second?.isHeld()).toBe(true)
  })

  test('is not taken over from a live process', async () => {
    writeFileSync(path, JSON.stringify(toProcessId(process.ppid)))
    expect(tryLock(path)).toBeNull()
    const startedAt = performance.now()
    expect(await acquireLock(path, {timeoutMs: 5000})).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(2000)
    expect(await acquireLock(path, {timeoutMs: 50, waitsForHolder: true})).toBeNull()
  })

  test('is waited for until its holder releases it', async () => {
    const first = tryLock(path)
    const second = acquireLock(path, {timeoutMs: 10_000, waitsForHolder: true})
    setTimeout(() => first?.release(), 20)
    expect((await second)?.isHeld()).toBe(true)
  })
})

describe('a stale lock is taken over', () => {
  const take = () => acquireLock(path, {timeoutMs: 5000})

  test('when its process has ended', async () => {
    writeFileSync(path, JSON.stringify(ended))
    expect((await take())?.isHeld()).toBe(true)
    expect(readdirSync(dir)).toEqual(['lock'])
  })

  test('when another process has its pid now', async () => {
    writeFileSync(path, JSON.stringify({pid: process.pid, startTime: '1', claimId: 'x'}))
    expect((await take())?.isHeld()).toBe(true)
  })

  test('when an earlier process with our pid wrote it without a start time', async () => {
    writeFileSync(path, JSON.stringify({pid: process.pid, claimId: 'x'}))
    expect((await take())?.isHeld()).toBe(true)
  })

  test('when it has no holder, but not while it may still be being written', async () => {
    writeFileSync(path, '')
    expect(tryLock(path)).toBeNull()
    expect((await take())?.isHeld()).toBe(true)
  })

  test('when it is older than allowed', () => {
    writeFileSync(path, JSON.stringify(toProcessId(process.ppid)))
    const past = new Date(Date.now() - 60_000)
    utimesSync(path, past, past)
    expect(tryLock(path)).toBeNull()
    expect(tryLock(path, {maxAgeMs: 10_000})?.isHeld()).toBe(true)
  })

  test('when processes were killed during a takeover, each during that of the one before', async () => {
    const text = (claimId: string) => `${JSON.stringify({...ended, claimId})}\n`
    const nameAfter = (content: string) => {
      return `lock.after-${createHash('sha256').update(content).digest('hex').slice(0, 32)}`
    }
    writeFileSync(path, text('holder'))
    const first = join(dir, nameAfter(text('holder')))
    writeFileSync(first, text('first'))
    const second = join(dir, nameAfter(first + text('first')))
    writeFileSync(second, text('second'))
    expect(tryLock(path)?.isHeld()).toBe(true)
    expect(readdirSync(dir)).toEqual(['lock'])
  })

  test('by one process only, while another is in the middle of a takeover', () => {
    writeFileSync(path, JSON.stringify(ended))
    const digest = createHash('sha256').update(JSON.stringify(ended)).digest('hex').slice(0, 32)
    const takeover = join(dir, `lock.after-${digest}`)
    writeFileSync(takeover, JSON.stringify(toProcessId(process.ppid)))
    expect(tryLock(path)).toBeNull()
    expect(existsSync(takeover)).toBe(true)
  })
})
