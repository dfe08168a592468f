import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openDatabase} from '../src/database.js'
import {balanceOf} from '../src/ledger.js'
import {handleRefundWebhook} from '../src/webhooks/refund.js'
import {sign} from '../src/webhooks/signature.js'

const secret = 'test'
const log = {info() {}}

function refund(id, amount = 1250) {
  const data = {payment: 'pay_1', amount, currency: 'EUR'}
  const body = JSON.stringify({id, type: 'refund.succeeded', data})
  return {body, signature: sign(body, secret)}
}

describe('the refund webhook', () => {
  test('books a refund', async () => {
    const db = openDatabase()
    const answer = await handleRefundWebhook(refund('evt_1'), {db, secret, log})
    assert.deepEqual(answer, {status: 200, body: {booked: true}})
    assert.equal(await balanceOf(db, 'payment:pay_1'), -1250)
  })

  test('refuses what is not signed', async () => {
    const db = openDatabase()
    const answer = await handleRefundWebhook(
      {...refund('evt_1'), signature: 'no'},
      {db, secret, log},
    )
    assert.equal(answer.status, 401)
  })
})
