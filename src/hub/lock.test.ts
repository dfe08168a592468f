import {createHash} from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {toProcessId} from '../recording/process-id.ts'
import {findLocalHub, lockDataDir} from './lock.ts'

let dataDir: string
let path: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-lock-'))
  path = join(dataDir, 'hub.json')
})

afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

const url = 'http://127.0.0.1:4310'

describe('the lock of a data folder', () => {
  test('is one private file that contains the address of the hub once it listens', async () => {
    const lock = await lockDataDir(dataDir, '1.2.3')
    expect(findLocalHub(dataDir)).toBeNull()
    lock.publish({url})
    expect(findLocalHub(dataDir)).toEqual({url, pid: process.pid, version: '1.2.3'})
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['hub.json'])
    lock.release()
    expect(existsSync(path)).toBe(false)
    expect(findLocalHub(dataDir)).toBeNull()
  })

  test('excludes other hubs, also of the same process, and names the holder', async () => {
    const lock = await lockDataDir(dataDir)
    await expect(lockDataDir(dataDir)).rejects.toMatchObject({
      code: 'already-running',
      message: expect.stringContaining(`it is starting (pid ${process.pid})`) as string,
    })
    lock.publish({url})
    await expect(lockDataDir(dataDir)).rejects.toThrow(
      `a hub is already running on this data directory: ${url} (pid ${process.pid}). ` +
        `If this is wrong, remove ${path}`,
    )
    lock.release()
    const next = await lockDataDir(dataDir)
    next.release()
  })

  test.each(['', '{', '[]', '{"pid":"1"}', '\0\0\0'])(
    'is free when its file contains %j',
    async (text) => {
      writeFileSync(path, text)
      expect(findLocalHub(dataDir)).toBeNull()
      const lock = await lockDataDir(dataDir)
      lock.release()
      expect(readdirSync(dataDir)).toEqual([])
    },
  )

  test('reports a folder in place of its file', async () => {
    mkdirSync(path)
    const message = `${path}: is a folder, expected a file. Remove it`
    await expect(lockDataDir(dataDir)).rejects.toThrow(message)
    expect(() => findLocalHub(dataDir)).toThrow(message)
  })
})

describe('a hub of version 0.1.0', () => {
  const writeOld = (id: object) => {
    writeFileSync(path, `${JSON.stringify({...id, claimId: 'x', version: '0.1.0', url})}\n`)
  }

  test('is found while it runs, and excludes others', async () => {
    writeOld(toProcessId(process.ppid))
    expect(findLocalHub(dataDir)).toEqual({url, pid: process.ppid, version: '0.1.0'})
    await expect(lockDataDir(dataDir)).rejects.toThrow(`${url} (pid ${process.ppid})`)
  })

  test('does not exclude others after it was killed, also during a takeover', async () => {
    const texts = ['holder', 'successor', 'next successor'].map(
      (claimId) => `${JSON.stringify({pid: 999_999_999, startTime: '1', claimId})}\n`,
    )
    const [holder = '', ...successors] = texts
    let last = holder
    writeFileSync(path, holder)
    for (const successor of successors) {
      const digest = createHash('sha256').update(last).digest('hex').slice(0, 32)
      writeFileSync(join(dataDir, `hub.json.after-${digest}`), successor)
      last = successor
    }
    const lock = await lockDataDir(dataDir)
    expect(readdirSync(dataDir)).toEqual(['hub.json'])
    await expect(lockDataDir(dataDir)).rejects.toThrow(`(pid ${process.pid})`)
    lock.release()
  })

  test('can read the lock of this version', async () => {
    const lock = await lockDataDir(dataDir, '1.2.3')
    lock.publish({url})
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({
      ...toProcessId(process.pid),
      claimId: expect.any(String) as string,
      version: '1.2.3',
      url,
    })
    lock.release()
  })
})
