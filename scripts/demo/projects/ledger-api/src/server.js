import {createServer} from 'node:http'
import {openDatabase} from './database.js'
import {handleDisputeWebhook} from './webhooks/dispute.js'
import {handlePayoutWebhook} from './webhooks/payout.js'
import {handleRefundWebhook} from './webhooks/refund.js'

const handlers = {
  '/webhooks/refund': handleRefundWebhook,
  '/webhooks/payout': handlePayoutWebhook,
  '/webhooks/dispute': handleDisputeWebhook,
}

const context = {db: openDatabase(), secret: process.env.WEBHOOK_SECRET ?? '', log: console}

createServer(async (request, response) => {
  const handle = handlers[request.url]
  if (request.method !== 'POST' || handle === undefined) return response.writeHead(404).end()
  let body = ''
  for await (const chunk of request) body += chunk
  const answer = await handle({body, signature: request.headers['x-signature']}, context)
  response
    .writeHead(answer.status, {'content-type': 'application/json'})
    .end(JSON.stringify(answer.body))
}).listen(Number(process.env.PORT ?? 8080))
