import {bookEntry} from '../ledger.js'
import {isSigned} from './signature.js'

/** Books a payout to a merchant. */
export async function handlePayoutWebhook(request, {db, secret}) {
  if (!isSigned(request, secret)) return {status: 401, body: {error: 'bad signature'}}
  const {data} = JSON.parse(request.body)

  // The provider sends the same payout again until it gets a 200.
  const [known] = await db.select('payouts', {payout_id: data.payout})
  if (known !== undefined) return {status: 200, body: {booked: false}}

  await db.insert('payouts', {payout_id: data.payout, account: data.account, amount: data.amount})
  await bookEntry(db, {
    account: data.account,
    amount: -data.amount,
    currency: data.currency,
    memo: 'payout',
  })
  return {status: 200, body: {booked: true}}
}
