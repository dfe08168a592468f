import {createHash} from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {identify, isAlive} from '../recording/process-id.ts'
import {claimDataDir, findLocalHub} from './lock.ts'

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-lock-'))
})

afterEach(() => rmSync(dataDir, {recursive: true, force: true}))

const options = {self: identify(process.pid), isAlive, version: '1.2.3'}
const url = 'http://127.0.0.1:4310'

describe('a claim', () => {
  test('is one private file, by which the hub is found when it listens', () => {
    const path = join(dataDir, 'hub.json')
    const claim = claimDataDir(dataDir, options)
    expect(findLocalHub(dataDir, isAlive)).toBeNull()
    claim.publish(url)
    expect(findLocalHub(dataDir, isAlive)).toEqual({url, pid: process.pid, version: '1.2.3'})
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(readdirSync(dataDir)).toEqual(['hub.json'])
    claim.release()
    expect(existsSync(path)).toBe(false)
    expect(findLocalHub(dataDir, isAlive)).toBeNull()
  })

  test('is held until its file is removed or is that of another hub', () => {
    const path = join(dataDir, 'hub.json')
    const claim = claimDataDir(dataDir, options)
    expect(claim.isHeld()).toBe(true)
    writeFileSync(path, '{"pid":1,"claimId":"other"}')
    expect(claim.isHeld()).toBe(false)
    rmSync(dataDir, {recursive: true})
    expect(claim.isHeld()).toBe(false)
  })

  test('says what to do when a folder is in the place of its file', () => {
    const path = join(dataDir, 'hub.json')
    mkdirSync(path)
    expect(() => claimDataDir(dataDir, options)).toThrow(
      `${path} is a directory, expected a file. Remove it`,
    )
  })

  test('keeps others out and says who has it, also within one process', () => {
    const claim = claimDataDir(dataDir, options)
    const claimAgain = (): unknown => claimDataDir(dataDir, options)
    expect(claimAgain).toThrow(`on this data directory: starting (pid ${process.pid})`)
    claim.publish(url)
    expect(claimAgain).toThrow(
      `a hub is already running on this data directory: ${url} (pid ${process.pid}). ` +
        `If this is wrong, remove ${join(dataDir, 'hub.json')}`,
    )
    claim.release()
    claimDataDir(dataDir, options).release()
  })

  test('is let go of only by whoever has it', () => {
    const first = claimDataDir(dataDir, options)
    first.release()
    const second = claimDataDir(dataDir, options)
    first.publish('http://elsewhere')
    first.release()
    expect(() => claimDataDir(dataDir, options)).toThrow('already')
    second.release()
  })

  test.each(['', '{', '[]', '{"pid":"1"}', '\0\0\0'])(
    'stands not in a file that holds %j',
    (text) => {
      writeFileSync(join(dataDir, 'hub.json'), text)
      expect(findLocalHub(dataDir, isAlive)).toBeNull()
      claimDataDir(dataDir, options).release()
      expect(readdirSync(dataDir)).toEqual([])
    },
  )

  test('does not pass to another process that has the number of the one that is gone', () => {
    const owner = {pid: process.pid, startTime: '1', claimId: 'x', url}
    writeFileSync(join(dataDir, 'hub.json'), JSON.stringify(owner))
    const claim = claimDataDir(dataDir, options)
    expect(() => claimDataDir(dataDir, options)).toThrow('on this data directory: starting')
    claim.release()
  })

  test('passes on when those who were about to take it have died on the way', () => {
    const dead = ['owner', 'heir', 'heir of the heir'].map(
      (claimId) => `${JSON.stringify({pid: 999_999_999, startTime: '1', claimId})}\n`,
    )
    const [owner = '', ...heirs] = dead
    let last = owner
    writeFileSync(join(dataDir, 'hub.json'), owner)
    for (const heir of heirs) {
      const name = createHash('sha256').update(last).digest('hex').slice(0, 32)
      writeFileSync(join(dataDir, `hub.json.after-${name}`), heir)
      last = heir
    }
    const claim = claimDataDir(dataDir, options)
    expect(readdirSync(dataDir)).toEqual(['hub.json'])
    expect(() => claimDataDir(dataDir, options)).toThrow(`(pid ${process.pid})`)
    claim.release()
  })
})
