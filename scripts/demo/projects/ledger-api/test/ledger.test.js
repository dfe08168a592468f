import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openDatabase} from '../src/database.js'
import {balanceOf, bookEntry} from '../src/ledger.js'

describe('the ledger', () => {
  test('adds up what is booked', async () => {
    const db = openDatabase()
    for (const amount of [5000, -1250, -50])
      await bookEntry(db, {account: 'a', amount, currency: 'EUR'})
    assert.equal(await balanceOf(db, 'a'), 3700)
  })

  test('takes cents only', async () => {
    const entry = {account: 'a', amount: 12.5, currency: 'EUR'}
    await assert.rejects(bookEntry(openDatabase(), entry), {message: 'not in cents: 12.5'})
  })

  test('keeps twelve thousand entries apart', async () => {
    const db = openDatabase({latencyMs: 1})
    for (let count = 0; count < 3000; count++) {
      const four = [0, 1, 2, 3].map((index) =>
        bookEntry(db, {account: `a${index}`, amount: 1, currency: 'EUR'}),
      )
      await Promise.all(four)
    }
    assert.equal(await balanceOf(db, 'a3'), 3000)
  })
})
