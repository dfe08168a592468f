import {spawn} from 'node:child_process'
import type {ChildProcess} from 'node:child_process'
import {createHash} from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, describe, expect, test} from 'vitest'
import {isDamage, openDatabase} from './database.ts'
import {openReadOnly} from './open-read-only.ts'

const COUNT = 'SELECT count(*) AS count FROM t'

let folder: string
let scratch: string
let path: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vitrine-agent-'))
  scratch = mkdtempSync(join(tmpdir(), 'vitrine-scratch-'))
  path = join(folder, 'agent #1%20?.db')
})

afterEach(() => {
  chmodSync(folder, 0o755)
  rmSync(folder, {recursive: true})
  rmSync(scratch, {recursive: true})
})

describe('files of another program', () => {
  test('reads the WAL of a program that was killed, and changes no file', () => {
    writeKilled()
    const before = hashesOf(folder)
    expect(Object.keys(before)).toHaveLength(3)
    expect(query(COUNT)).toEqual([{count: 3}])
    expect(hashesOf(folder)).toEqual(before)
    expect(readdirSync(scratch)).toEqual([])
  })

  test('reads the WAL when the shared memory file is missing, and does not create it', () => {
    writeKilled()
    rmSync(`${path}-shm`)
    const before = hashesOf(folder)
    expect(query(COUNT)).toEqual([{count: 3}])
    expect(hashesOf(folder)).toEqual(before)
  })

  test('reads a database in WAL mode that has no WAL, and does not create one', () => {
    writeClosed()
    const before = hashesOf(folder)
    expect(Object.keys(before)).toHaveLength(1)
    expect(query(COUNT)).toEqual([{count: 3}])
    expect(hashesOf(folder)).toEqual(before)
  })

  test('keeps a WAL in which no transaction is complete', () => {
    writeKilled()
    truncateSync(`${path}-wal`, 32 + 24 + 100)
    const before = hashesOf(folder)
    expect(query(COUNT)).toEqual([{count: 0}])
    expect(hashesOf(folder)).toEqual(before)
  })

  test('keeps the WAL of an empty database', () => {
    writeKilled()
    truncateSync(path, 0)
    const before = hashesOf(folder)
    expect(isDamage(errorOf(() => query(COUNT)))).toBe(true)
    expect(hashesOf(folder)).toEqual(before)
  })

  test('reads a folder that cannot be written', () => {
    writeKilled()
    for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444)
    chmodSync(folder, 0o555)
    const before = hashesOf(folder)
    expect(query(COUNT)).toEqual([{count: 3}])
    expect(hashesOf(folder)).toEqual(before)
  })

  test('reads a database on another device', (context) => {
    if (!existsSync('/dev/shm') || statSync('/dev/shm').dev === statSync(folder).dev) context.skip()
    writeKilled()
    const device = mkdtempSync('/dev/shm/vitrine-scratch-')
    try {
      expect(() => linkSync(path, join(device, 'link'))).toThrow('EXDEV')
      expect(query(COUNT, path, device)).toEqual([{count: 3}])
      expect(readdirSync(device)).toEqual([])
    } finally {
      rmSync(device, {recursive: true})
    }
  })

  test('reads the WAL beside the target of a link', () => {
    writeKilled()
    const link = join(scratch, 'link.db')
    symlinkSync(path, link)
    const before = hashesOf(folder)
    expect(query(COUNT, link)).toEqual([{count: 3}])
    expect(hashesOf(folder)).toEqual(before)
  })

  test('reports a missing database, and does not create it', () => {
    expect(() => query(COUNT)).toThrow('ENOENT')
    expect(readdirSync(folder)).toEqual([])
  })

  test('does not read a transaction without a WAL before it is complete', () => {
    writeClosed()
    writeFileSync(`${path}-journal`, 'a')
    expect(() => query(COUNT)).toThrow('is being written. Try again later.')
    writeFileSync(`${path}-journal`, '\0')
    expect(query(COUNT)).toEqual([{count: 3}])
  })
})

describe('a program that writes', () => {
  test.each(['WAL', 'DELETE'])('reads only complete transactions in mode %s', async (mode) => {
    const writer = await startWriter(mode)
    const rows: (readonly unknown[])[] = []
    try {
      const deadline = Date.now() + 3000
      while (Date.now() < deadline) {
        const sql = `SELECT (SELECT count(*) FROM a) AS a, (SELECT count(*) FROM b) AS b,
          (SELECT sum(length(x)) FROM a) AS x, (SELECT sum(length(x)) FROM b) AS y FROM (SELECT 1)`
        for (const {a, b, x, y} of query(sql)) rows.push([a === b && x === y, a])
        await new Promise((resolve) => setTimeout(resolve, 1))
      }
    } finally {
      expect(await stop(writer)).toBe(0)
    }
    expect(rows.every(([isComplete]) => isComplete)).toBe(true)
    expect(new Set(rows.map(([, count]) => count)).size).toBeGreaterThan(3)
    expect(readdirSync(scratch)).toEqual([])
  })

  test('is read in its present state by each query', () => {
    const writer = openDatabase(path)
    writer.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (x); INSERT INTO t VALUES (1)')
    const database = openReadOnly(path, scratch)
    expect(database.query(COUNT)).toEqual([{count: 1}])
    writer.exec('INSERT INTO t VALUES (2)')
    expect(database.query(COUNT)).toEqual([{count: 2}])
    writer.exec('PRAGMA wal_checkpoint(TRUNCATE)')
    expect(database.query(COUNT)).toEqual([{count: 2}])
    writer.exec('INSERT INTO t VALUES (3)')
    expect(database.query(COUNT)).toEqual([{count: 3}])
    database.close()
    writer.close()
    expect(query(COUNT)).toEqual([{count: 3}])
  })
})

describe('a database that is opened again', () => {
  test('stays open for a moment while it does not change', () => {
    writeKilled()
    for (const name of readdirSync(folder)) utimesSync(join(folder, name), 1, 1)
    const database = openReadOnly(path, scratch)
    expect(database.query(COUNT)).toEqual([{count: 3}])
    database.close()
    // It is not opened: the folder for its files is missing.
    expect(query(COUNT, path, join(scratch, 'missing'))).toEqual([{count: 3}])
    utimesSync(`${path}-wal`, 2, 2)
    expect(() => query(COUNT, path, join(scratch, 'missing'))).toThrow('ENOENT')
    rmSync(path)
    expect(() => query(COUNT)).toThrow('ENOENT')
  })
})

describe('damage', () => {
  test('decodes damaged text, and large integers', () => {
    const database = openDatabase(path)
    database.exec(`CREATE TABLE t (a, b, c, d);
      INSERT INTO t VALUES (CAST(x'61ff62' AS TEXT), 9223372036854775807, 1.5, NULL)`)
    database.close()
    expect(
      query('SELECT a, b AS big, max(c, 1) AS c, t.d FROM t WHERE c = ?', path, scratch, 1.5),
    ).toEqual([{a: 'a�b', big: 2 ** 63, c: 1.5, d: null}])
  })

  test('returns rows in the order of the query', () => {
    writeClosed()
    const sql = 'SELECT x FROM t ORDER BY x DESC LIMIT 2'
    expect(query(sql).map(({x}) => x)).toEqual([3, 2])
  })

  test('reports a query whose columns cannot be found', () => {
    writeClosed()
    expect(() => query('SELECT * FROM t')).toThrow('Cannot find the columns')
  })

  test('reports damaged files without ending the process', () => {
    writeKilled()
    const files = [path, `${path}-wal`].map((name) => ({name, bytes: readFileSync(name)}))
    for (const {name, bytes} of files) {
      for (let offset = 0; offset < bytes.length; offset += 97) {
        const damaged = Buffer.from(bytes).fill(0xff, offset, offset + 20)
        writeFileSync(name, offset % 2 === 0 ? damaged : damaged.subarray(0, offset))
        readDamaged()
      }
      writeFileSync(name, bytes)
    }
    expect(query(COUNT)).toEqual([{count: 3}])
    expect(readdirSync(scratch)).toEqual([])
  })

  function readDamaged(): void {
    const before = hashesOf(folder)
    try {
      query('SELECT x, y FROM t ORDER BY x')
    } catch {
      // Any error is fine.
    }
    expect(hashesOf(folder)).toEqual(before)
  }
})

function query(sql: string, file = path, privateFolder = scratch, ...values: number[]) {
  const database = openReadOnly(file, privateFolder)
  try {
    return database.query(sql, ...values).map((row) => ({...row}))
  } finally {
    database.close()
  }
}

/** Leaves one row in the database and two more in the WAL. */
function writeKilled(): void {
  const source = join(scratch, 'source')
  mkdirSync(source)
  const database = openDatabase(join(source, 'db'))
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT);
    PRAGMA wal_checkpoint(TRUNCATE);
    INSERT INTO t VALUES (1, 'one'), (2, 'two'); INSERT INTO t VALUES (3, 'three')`)
  for (const suffix of ['', '-wal', '-shm']) {
    copyFileSync(join(source, `db${suffix}`), `${path}${suffix}`)
  }
  database.close()
  rmSync(source, {recursive: true})
}

function writeClosed(): void {
  const database = openDatabase(path)
  database.exec(`PRAGMA journal_mode = WAL; CREATE TABLE t (x INTEGER PRIMARY KEY);
    INSERT INTO t VALUES (1), (2), (3)`)
  database.close()
  rmSync(`${path}-wal`, {force: true})
  rmSync(`${path}-shm`, {force: true})
}

function hashesOf(directory: string): Record<string, string> {
  const hash = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(directory, name)))
      .digest('hex')
  return Object.fromEntries(readdirSync(directory).map((name) => [name, hash(name)]))
}

/** Writes equal rows to two tables in each transaction, until its stdin is closed. */
async function startWriter(mode: string): Promise<ChildProcess> {
  const code = `
    import {createRequire} from 'node:module'
    const require = createRequire(${JSON.stringify(import.meta.url)})
    const open = () => {
      try {
        const {DatabaseSync} = require('node:sqlite')
        return new DatabaseSync(process.argv[1])
      } catch {
        const Libsql = require('libsql')
        return new Libsql(process.argv[1])
      }
    }
    const database = open()
    database.exec('PRAGMA journal_mode = ${mode}; PRAGMA synchronous = OFF')
    database.exec('BEGIN; CREATE TABLE a (n, x); CREATE TABLE b (n, x); COMMIT')
    let n = 0
    process.stdin.on('data', () => {}).on('end', () => {
      clearInterval(timer)
      database.close()
    })
    const timer = setInterval(() => {
      for (let i = 0; i < ${mode === 'WAL' ? 10 : 1}; i++) {
        const values = [n++, "'" + 'x'.repeat(Math.random() * 20000) + "'"].join()
        database.exec('BEGIN; INSERT INTO a VALUES (' + values + '); INSERT INTO b VALUES (' + values +
          '); DELETE FROM a WHERE n < ' + (n - 200) + '; DELETE FROM b WHERE n < ' + (n - 200) + '; COMMIT')
      }
      if (n <= 10) process.stdout.write('started')
    }, 20)`
  const child = spawn(
    process.execPath,
    ['--no-warnings', '--input-type=module', '-e', code, '--', path],
    {
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  await new Promise((resolve, reject) => {
    child.stdout.once('data', resolve)
    child.once('exit', () => reject(new Error('The writer ended')))
  })
  return child
}

async function stop(child: ChildProcess): Promise<number | null> {
  const exit = new Promise<number | null>((resolve) => child.once('exit', resolve))
  child.stdin?.end()
  return exit
}

function errorOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error
  }
  throw new Error('Expected an error')
}
