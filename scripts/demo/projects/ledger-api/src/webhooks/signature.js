import {createHmac, timingSafeEqual} from 'node:crypto'

/** Signs a body as the payment provider does. */
export function sign(body, secret) {
  return createHmac('sha256', secret).update(body).digest('hex')
}

/** Whether a request is from the payment provider. */
export function isSigned({body, signature = ''}, secret) {
  const expected = Buffer.from(sign(body, secret))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}
