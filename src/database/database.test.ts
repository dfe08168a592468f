import {expect, test} from 'vitest'
import {isDamage, isMistake, openDatabase} from './database.ts'

test('returns rows with exactly their columns', () => {
  const database = openDatabase(':memory:')
  database.exec('CREATE TABLE t (a TEXT, b INTEGER)')
  const insert = database.prepare('INSERT INTO t VALUES (?, ?) ON CONFLICT DO NOTHING')
  expect(insert.run('x', 2 ** 52)).toBe(1)
  expect(insert.run(null, null)).toBe(1)
  expect({...database.prepare('SELECT * FROM t WHERE a = ?').get('x')}).toEqual({
    a: 'x',
    b: 2 ** 52,
  })
  expect(database.prepare('SELECT * FROM t WHERE a = ?').get('y')).toBeUndefined()
  expect({...database.prepare('SELECT ? AS a').get(null)}).toEqual({a: null})
  expect(
    database
      .prepare('SELECT a FROM t')
      .all()
      .map(({a}) => a),
  ).toEqual(['x', null])
  database.close()
})

test('explains how to install SQLite when it is missing', () => {
  const missing = () => {
    throw new Error('Cannot find module')
  }
  expect(() => openDatabase(':memory:', [missing, missing])).toThrow(
    'SQLite is not available. Use Node 22.5 or newer, or run: npm install libsql',
  )
})

test('uses the second driver when the first is missing', () => {
  const opened: string[] = []
  const driver = (path: string) => {
    opened.push(path)
    return openDatabase(':memory:')
  }
  const missing = () => {
    throw new Error('No such built-in module')
  }
  openDatabase('x', [missing, () => driver]).close()
  expect(opened).toEqual(['x'])
})

test('does not report an invalid statement as damage, for any search text', () => {
  const database = openDatabase(':memory:')
  database.exec('CREATE VIRTUAL TABLE f USING fts5 (x)')
  const find = (text: string) => database.prepare('SELECT * FROM f WHERE f MATCH ?').all(text)
  for (const text of ['"', 'AND', 'y : z', 'no such table: x', 'malformed database schema : x']) {
    expect(isDamage(errorOf(() => find(text)))).toBe(false)
  }
  const mistake = errorOf(() => database.prepare('SELECT * FROM gone'))
  expect([isDamage(mistake), isMistake(mistake)]).toEqual([false, true])
  expect(isDamage('database disk image is malformed')).toBe(false)
  database.close()
})

function errorOf(work: () => unknown): unknown {
  try {
    work()
    return undefined
  } catch (error) {
    return error
  }
}
