// Sends refunds as the payment provider does on a bad day: each of them several times, in any order, some at once.

import {openDatabase} from '../src/database.js'
import {handleRefundWebhook} from '../src/webhooks/refund.js'
import {sign} from '../src/webhooks/signature.js'

const count = Number(process.argv[process.argv.indexOf('--deliveries') + 1] || 300)
const db = openDatabase({latencyMs: 12})
const secret = 'replay'
const totals = {booked: 0, repeated: 0, failed: 0}

for (let sent = 0; sent < count; sent += 3) {
  const deliveries = [sent, sent * 7 + 1, sent].map((seed) => deliver(seed % Math.ceil(count / 3)))
  for (const {body} of await Promise.all(deliveries))
    totals[body.booked ? 'booked' : body.duplicate ? 'repeated' : 'failed'] += 1
  if (sent > 0 && sent % 150 === 0)
    console.log(
      `${String(sent).padStart(5)} sent  ${totals.booked} booked  ${totals.repeated} repeated`,
    )
  await new Promise((resolve) => setTimeout(resolve, 120))
}

const entries = await db.select('entries')
const events = new Set(entries.map(({memo}) => memo))
console.log(
  `${String(count).padStart(5)} sent  ${totals.booked} booked  ${totals.repeated} repeated  ${totals.failed} failed`,
)
console.log(
  `${entries.length} entries for ${events.size} refunds: ${entries.length === events.size ? 'none booked twice' : 'SOME BOOKED TWICE'}`,
)

function deliver(number) {
  const data = {payment: `pay_${number}`, amount: 100 + number, currency: 'EUR'}
  const body = JSON.stringify({id: `evt_${number}`, type: 'refund.succeeded', data})
  return handleRefundWebhook({body, signature: sign(body, secret)}, {db, secret, log: {info() {}}})
}
