import {object} from '@acme/schema'

export const payoutSchema = object({account: 'string', amount: 'number', currency: 'string'})

export function checkPayout(body) {
  const {ok, errors} = payoutSchema.validate(body)
  return ok ? undefined : errors.join(', ')
}
