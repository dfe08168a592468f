import {closeSync, openSync, readFileSync, writeSync} from 'node:fs'
import {PRIVATE_FILE_MODE} from './private-mode.ts'
import type {Recording} from './run-record.ts'

/** Which file a piece went to, in the timing file. */
export type PieceKind = 'out' | 'err' | 'in' | 'answer' | 'file'

/** The files of a recording that grow, by the word for them in the timing file. */
export const PIECE_FILES: Readonly<Record<PieceKind, Exclude<keyof Recording, 'dir' | 'timing'>>> =
  {
    out: 'stdout',
    err: 'stderr',
    in: 'stdin',
    answer: 'answers',
    file: 'files',
  }

/** When a piece came, and up to which byte of its file it goes. */
export interface Piece {
  at: number
  kind: PieceKind
  end: number
}

/** Writes down when pieces came. Never throws: a run must not end for want of a time. */
export interface TimingLog {
  add(kind: PieceKind, end: number): void
  flush(): void
  close(): void
}

/** Those who look on see what is timed: soon, but when much comes not each piece for itself. */
const SOON_MS = 10
const APART_MS = 100

/** Opens the timing file of a recording, to go on with it where there is one. */
export function openTiming(
  path: string,
  onError: (error: unknown) => void,
  now: () => number = Date.now,
): TimingLog {
  let file: number | undefined
  let pending = ''
  let timer: NodeJS.Timeout | undefined
  let flushedAt = -APART_MS
  const attempt = (action: () => void) => {
    try {
      action()
    } catch (error) {
      onError(error)
    }
  }
  attempt(() => (file = openSync(path, 'a', PRIVATE_FILE_MODE)))
  return {
    add(kind, end) {
      pending += `[${now()},"${kind}",${end}]\n`
      timer ??= setTimeout(
        flush,
        Math.max(SOON_MS, flushedAt + APART_MS - performance.now()),
      ).unref()
    },
    flush,
    close() {
      flush()
      attempt(() => file !== undefined && closeSync(file))
      file = undefined
    },
  }

  function flush(): void {
    clearTimeout(timer)
    timer = undefined
    flushedAt = performance.now()
    if (pending === '' || file === undefined) return
    const text = pending
    pending = ''
    const to = file
    attempt(() => writeSync(to, text))
  }
}

/** The pieces of a recording, in the order they came. What is cut or damaged is left out. */
export function readTiming(path: string): Piece[] {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    return []
  }
  return text.split('\n').flatMap((line) => parsePiece(line) ?? [])
}

/** Reads a line of the timing file; `undefined` for one that is cut or damaged. */
export function parsePiece(line: string): Piece | undefined {
  const match = PIECE.exec(line)
  if (match === null) return undefined
  const [, at, kind, end] = match
  return {at: Number(at), kind: kind as PieceKind, end: Number(end)}
}

const KINDS = Object.keys(PIECE_FILES).join('|')
const PIECE = new RegExp(`^\\[(\\d{1,15}),"(${KINDS})",([1-9]\\d{0,14})\\]$`)
