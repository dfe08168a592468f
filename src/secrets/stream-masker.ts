import {findSecrets} from './mask-secrets.ts'
import {MASK, type Masked} from './kinds.ts'

/** One masked delta of a text. */
export interface MaskedDelta {
  /** Whether `text` is final: later deltas can no longer make it part of a secret. */
  readonly isFinal: boolean
  /** The delta without its part of a secret. The first delta of a secret contains the mask. */
  readonly text: string
}

/** Masks secrets in a text received as deltas, even if no delta contains a complete secret. */
export interface StreamMasker {
  /** Adds the next delta. It becomes final now or with a later delta. */
  push(delta: string): MaskedDelta
  /**
   * Makes all deltas final, as at the end of the text. Earlier text remains context for later deltas.
   *
   * @param isCut - Whether the text continues elsewhere: then a tail that could start a secret is masked.
   */
  flush(isCut?: boolean): void
}

interface PendingDelta {
  from: number
  to: number
  delta: {isFinal: boolean; text: string}
}

/** How many characters of context are kept; enough for secrets within one line. */
const MAX_CONTEXT = 1024
const MIN_CONTEXT = 512
/** How long a tail that could start a secret is held back. */
const MAX_HELD = 256
/** The longest gap between two lines of a private key: line ends, line numbers, quotes. */
const MAX_GAP = 80
/** An unfinished secret is kept as its first and last characters. */
const SECRET_HEAD = 256
const SECRET_TAIL = 128

/**
 * Creates a masker for one text, such as a message or the output of a tool. The result is a function of the deltas
 * alone. Memory is bounded, and work is linear in the text.
 */
export function createStreamMasker(): StreamMasker {
  let context = ''
  let pending: PendingDelta[] = []

  return {
    push(text) {
      const delta = {isFinal: false, text: ''}
      const from = context.length
      context += text
      pending.push({from, to: context.length, delta})
      const secrets = findSecrets(context)
      finalize(secrets, context.length - countHeld(context, secrets))
      trim(secrets)
      return delta
    },
    flush(isCut = false) {
      if (pending.length === 0) return
      const secrets = findSecrets(context)
      const end = context.length
      const from = end - countHeld(context, secrets)
      const isHeld = isCut && from < end
      finalize(isHeld ? [...secrets, {from, to: end, text: MASK}] : secrets, end)
      trim(secrets)
    },
  }

  function finalize(secrets: readonly Masked[], end: number): void {
    let count = 0
    for (const {from, to, delta} of pending) {
      if (to > end) break
      delta.text = maskRange(context, secrets, from, to)
      delta.isFinal = true
      count++
    }
    if (count > 0) pending = pending.slice(count)
  }

  /** Drops context that no secret can reach back to. */
  function trim(secrets: readonly Masked[]): void {
    const last = secrets.at(-1)
    const block = findBlock(context)
    const gap = block === -1 ? 0 : MAX_GAP
    const running = last !== undefined && context.length - last.to <= gap ? last : undefined
    const isBlock = block !== -1 && (running !== undefined || context.length - block < MIN_CONTEXT)
    const line = context.lastIndexOf('\n') + 1
    const isNeeded = last !== undefined && last.from < line && last.to > (pending[0]?.from ?? line)
    const start = isBlock ? Math.min(line, block) : line
    const count = isNeeded ? 0 : drop(0, start)
    if (context.length <= MAX_CONTEXT) return
    if (running === undefined) {
      // A secret that overlaps a pending delta is needed to mask it.
      const needed = secrets.find(({to}) => to - count > (pending[0]?.from ?? context.length))
      const limit = needed === undefined ? context.length : needed.from - count - SECRET_HEAD
      drop(0, Math.min(context.length - MIN_CONTEXT, limit))
    } else {
      const from = running.from - count
      drop(from + SECRET_HEAD, context.length - SECRET_TAIL)
      drop(0, from - SECRET_HEAD)
    }
  }

  /** Removes a range from the context, up to the first pending delta. */
  function drop(from: number, to: number): number {
    const end = Math.min(to, pending[0]?.from ?? to)
    const count = end - from
    if (count <= 0) return 0
    context = context.slice(0, from) + context.slice(end)
    for (const delta of pending) {
      delta.from -= count
      delta.to -= count
    }
    return count
  }
}

/** Masks the secrets in a range of a text; the mask is placed at the start of a secret. */
function maskRange(text: string, secrets: readonly Masked[], from: number, to: number): string {
  let masked = ''
  let at = from
  for (const secret of secrets) {
    if (secret.to <= at) continue
    if (secret.from >= to) break
    if (secret.from >= from) masked += text.slice(at, secret.from) + secret.text
    at = Math.min(secret.to, to)
  }
  return masked + text.slice(at, to)
}

/** The length of the tail that could be the start of a secret, or of the value of a secret name. */
function countHeld(text: string, secrets: readonly Masked[]): number {
  const start = Math.max(text.length - MAX_HELD, secrets.at(-1)?.to ?? 0)
  const tail = /[\x21-\x7e]*$/.exec(text.slice(start))?.[0] ?? ''
  if (tail === '') return 0
  const before = text.slice(Math.max(0, text.length - tail.length - 48), text.length - tail.length)
  const isPlain = PLAIN_WORD.test(tail) && !BEFORE_VALUE.test(before) && findBlock(text) === -1
  return isPlain ? 0 : tail.length
}

const PLAIN_WORD = /^["'`([*]*[A-Za-z]?[a-z]*[.,:;!?)'"`*\]]*$/
const BEFORE_VALUE = /(?:[:=]\s*["'`]?|\b(?:bearer|basic|token|bot)\s+|\s--?[\w-]+[ =]["']?)$/i
const BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines: \d/g

/** The offset of an unfinished private key, or -1. */
function findBlock(text: string): number {
  if (!text.includes('PRIVATE KEY') && !text.includes('Private-Lines')) return -1
  const begin = [...text.matchAll(BLOCK)].at(-1)?.index ?? -1
  return /-----END|Private-MAC/.test(text.slice(begin)) ? -1 : begin
}
