import {object} from '@acme/schema'

export const userSchema = object({email: 'string', age: 'number'})

export function checkUser(body) {
  const {ok, errors} = userSchema.validate(body)
  return ok ? undefined : errors.join(', ')
}
