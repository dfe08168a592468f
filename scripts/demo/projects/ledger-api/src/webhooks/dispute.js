import {isSigned} from './signature.js'

/** Notes that a customer disputes a payment. */
export async function handleDisputeWebhook(request, {db, secret}) {
  if (!isSigned(request, secret)) return {status: 401, body: {error: 'bad signature'}}
  const {data, created} = JSON.parse(request.body)
  try {
    await db.insert('disputes', {
      dispute_id: data.dispute,
      payment_id: data.payment,
      opened_at: created,
    })
  } catch (error) {
    if (error.code !== 'unique_violation') throw error
  }
  return {status: 200, body: {noted: true}}
}
