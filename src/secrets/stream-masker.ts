import {findSecrets} from './mask-secrets.ts'
import {MASK, type Masked} from './kinds.ts'

/** One piece of a text that arrives in pieces. */
export interface MaskedPiece {
  /** Whether the text below is final: what follows can no longer make a secret of it. */
  readonly isDecided: boolean
  /** The piece without its part of a secret. The first piece of a secret has the mask. */
  readonly text: string
}

/** Masks secrets in a text that arrives in pieces, none of which has to hold a whole secret. */
export interface StreamMasker {
  /** Takes the next piece. It is decided now or with a later piece. */
  push(piece: string): MaskedPiece
  /**
   * Decides all pieces, as at the end of the text. What came before still counts for pieces that follow.
   *
   * @param isCut - Whether the text goes on out of sight: a tail that could begin a secret is masked then.
   */
  settle(isCut?: boolean): void
}

interface OpenPiece {
  from: number
  to: number
  piece: {isDecided: boolean; text: string}
}

/** The context that is kept, in characters. Secrets of one line need no more of it. */
const MAX_CONTEXT = 1024
const MIN_CONTEXT = 512
/** A tail that could begin a secret is held back up to this length. */
const MAX_HELD = 256
/** What may stand between two lines of a private key: their ends, numbers, quotes. */
const MAX_GAP = 80
/** Of a secret that goes on, its first and last characters stand for all of it. */
const SECRET_HEAD = 256
const SECRET_TAIL = 128

/**
 * Makes a masker for one text, such as a message or the output of a tool. The masked pieces depend on the pieces alone.
 * Memory is bounded, and work is in proportion to the text.
 */
export function createStreamMasker(): StreamMasker {
  let context = ''
  let open: OpenPiece[] = []

  return {
    push(text) {
      const piece = {isDecided: false, text: ''}
      const from = context.length
      context += text
      open.push({from, to: context.length, piece})
      const secrets = findSecrets(context)
      decide(secrets, context.length - countHeld(context, secrets))
      trim(secrets)
      return piece
    },
    settle(isCut = false) {
      if (open.length === 0) return
      const secrets = findSecrets(context)
      const end = context.length
      const from = end - countHeld(context, secrets)
      const isHeld = isCut && from < end
      decide(isHeld ? [...secrets, {from, to: end, text: MASK}] : secrets, end)
      trim(secrets)
    },
  }

  function decide(secrets: readonly Masked[], end: number): void {
    let count = 0
    for (const {from, to, piece} of open) {
      if (to > end) break
      piece.text = maskRange(context, secrets, from, to)
      piece.isDecided = true
      count++
    }
    if (count > 0) open = open.slice(count)
  }

  /** Drops context that no secret can reach back to. */
  function trim(secrets: readonly Masked[]): void {
    const last = secrets.at(-1)
    const block = findBlock(context)
    const gap = block === -1 ? 0 : MAX_GAP
    const running = last !== undefined && context.length - last.to <= gap ? last : undefined
    const isBlock = block !== -1 && (running !== undefined || context.length - block < MIN_CONTEXT)
    const line = context.lastIndexOf('\n') + 1
    const isNeeded = last !== undefined && last.from < line && last.to > (open[0]?.from ?? line)
    const start = isBlock ? Math.min(line, block) : line
    const count = isNeeded ? 0 : drop(0, start)
    if (context.length <= MAX_CONTEXT) return
    if (running === undefined) {
      // A secret that reaches into a piece that is still open is needed to mask it.
      const needed = secrets.find(({to}) => to - count > (open[0]?.from ?? context.length))
      const most = needed === undefined ? context.length : needed.from - count - SECRET_HEAD
      drop(0, Math.min(context.length - MIN_CONTEXT, most))
    } else {
      const from = running.from - count
      drop(from + SECRET_HEAD, context.length - SECRET_TAIL)
      drop(0, from - SECRET_HEAD)
    }
  }

  /** Takes a range out of the context, as far as nothing in it or after it is still open. */
  function drop(from: number, to: number): number {
    const end = Math.min(to, open[0]?.from ?? to)
    const count = end - from
    if (count <= 0) return 0
    context = context.slice(0, from) + context.slice(end)
    for (const piece of open) {
      piece.from -= count
      piece.to -= count
    }
    return count
  }
}

/** A range of a text without the secrets in it; the mask stands where a secret begins. */
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

/** The length of the tail that could be the beginning of a secret, or of the value of a name that says secret. */
function countHeld(text: string, secrets: readonly Masked[]): number {
  const start = Math.max(text.length - MAX_HELD, secrets.at(-1)?.to ?? 0)
  const tail = /[\x21-\x7e]*$/.exec(text.slice(start))?.[0] ?? ''
  if (tail === '') return 0
  const before = text.slice(Math.max(0, text.length - tail.length - 48), text.length - tail.length)
  const isHarmless = PLAIN_WORD.test(tail) && !BEFORE_VALUE.test(before) && findBlock(text) === -1
  return isHarmless ? 0 : tail.length
}

const PLAIN_WORD = /^["'`([*]*[A-Za-z]?[a-z]*[.,:;!?)'"`*\]]*$/
const BEFORE_VALUE = /(?:[:=]\s*["'`]?|\b(?:bearer|basic|token|bot)\s+|\s--?[\w-]+[ =]["']?)$/i
const BLOCK = /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY|Private-Lines: \d/g

/** Where a private key begins that has not ended; -1 where there is none. */
function findBlock(text: string): number {
  if (!text.includes('PRIVATE KEY') && !text.includes('Private-Lines')) return -1
  const begin = [...text.matchAll(BLOCK)].at(-1)?.index ?? -1
  return /-----END|Private-MAC/.test(text.slice(begin)) ? -1 : begin
}
