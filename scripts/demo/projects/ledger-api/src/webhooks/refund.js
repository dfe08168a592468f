import {bookEntry} from '../ledger.js'
import {isSigned} from './signature.js'

/** Books a refund that the payment provider has made. */
export async function handleRefundWebhook(request, {db, secret, log}) {
  if (!isSigned(request, secret)) return {status: 401, body: {error: 'bad signature'}}
  const event = JSON.parse(request.body)
  if (event.type !== 'refund.succeeded') return {status: 202, body: {ignored: event.type}}

  const {payment, amount, currency} = event.data
  await bookEntry(db, {
    account: `payment:${payment}`,
    amount: -amount,
    currency,
    memo: `refund ${event.id}`,
  })
  log.info(`refund of ${amount} ${currency} booked for ${payment}`)
  return {status: 200, body: {booked: true}}
}
