import type {Tokens} from '../../core/events/events.ts'
import {numberAt, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** The tokens of a step or a message. Steps are stored without their model, which is a field of the message. */
export function readTokens(holder: JsonObject, message: JsonObject = holder): Tokens {
  const tokens = objectAt(holder, 'tokens')
  const cache = objectAt(tokens, 'cache')
  const input = countAt(tokens, 'input')
  const output = countAt(tokens, 'output')
  const reasoning = countAt(tokens, 'reasoning')
  const cacheRead = countAt(cache, 'read')
  const cacheWrite = countAt(cache, 'write')
  const total = numberAt(tokens, 'total')
  // The output excludes thinking, but versions before 1.3.16 included it, except for Google. The oldest have no total.
  const isIncluded =
    total === undefined
      ? reasoning <= output && !isOfGoogle(message)
      : total === input + output + cacheRead + cacheWrite
  return {
    input,
    output: isIncluded ? Math.max(output, reasoning) : output + reasoning,
    cacheRead,
    cacheWrite,
    reasoning,
  }
}

/** Whether any token was counted: a message has zeros until it is complete. */
export function hasTokens({input, output, cacheRead, cacheWrite}: Tokens): boolean {
  return input + output + cacheRead + cacheWrite > 0
}

function isOfGoogle(message: JsonObject): boolean {
  const names = [textAt(message, 'providerID'), textAt(message, 'modelID')]
  return names.some((name) => name !== undefined && /google|gemini/i.test(name))
}

function countAt(value: JsonObject, name: string): number {
  return Math.max(0, numberAt(value, name) ?? 0)
}
