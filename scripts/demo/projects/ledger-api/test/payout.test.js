import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {openDatabase} from '../src/database.js'
import {handlePayoutWebhook} from '../src/webhooks/payout.js'
import {sign} from '../src/webhooks/signature.js'

describe('the payout webhook', () => {
  test('books a payout once', async () => {
    const db = openDatabase()
    const data = {payout: 'po_1', account: 'merchant:7', amount: 90_000, currency: 'EUR'}
    const body = JSON.stringify({id: 'evt_9', type: 'payout.paid', data})
    const request = {body, signature: sign(body, 'test')}
    assert.deepEqual((await handlePayoutWebhook(request, {db, secret: 'test'})).body, {
      booked: true,
    })
    assert.deepEqual((await handlePayoutWebhook(request, {db, secret: 'test'})).body, {
      booked: false,
    })
  })
})
