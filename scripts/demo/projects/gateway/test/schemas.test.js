import assert from 'node:assert/strict'
import {describe, test} from 'node:test'
import {checkPayout} from '../src/schemas/payout.js'
import {checkUser} from '../src/schemas/user.js'

describe('bodies', () => {
  test('a payout is taken', () => {
    assert.equal(checkPayout({account: 'm_7', amount: 900, currency: 'EUR'}), undefined)
  })

  test('a payout without a currency is refused', () => {
    assert.match(checkPayout({account: 'm_7', amount: 900}), /currency/)
  })

  test('a user without an age is refused', () => {
    assert.match(checkUser({email: 'a@example.com'}), /age/)
  })
})
