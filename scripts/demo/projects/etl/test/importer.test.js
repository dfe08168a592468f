import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {importPayments} from '../src/importer.js'

describe('the importer', () => {
  test('reads every payment', async () => {
    const rows = []
    const count = await importPayments(new URL('../data/sample.csv', import.meta.url), {
      add: (row) => rows.push(row),
    })
    assert.equal(count, 3)
    assert.deepEqual(rows[2], {id: 'pay_3', amount: '4999', currency: 'USD'})
  })
})
