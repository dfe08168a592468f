import type {ModelRequest} from '../core/events/transcript.ts'
import type {UsageRequest} from './usage/report.ts'

/** Collects requests in an encoded form: few objects remain in memory, and nothing has to be encoded at the end. */
export interface RequestColumns {
  add(requests: readonly ModelRequest[]): void
  /** The columns in a multiple of eight bytes. */
  encode(): Uint8Array
}

/**
 * Creates columns of numbers, because tens of thousands of requests are decoded for each list. The numbers of a column
 * have four bytes if all are small integers, else eight.
 */
export function createRequestColumns(): RequestColumns {
  const models = new Map<string, number>()
  let columns = createColumns(1024)
  let keys = Buffer.alloc(64 * 1024)
  let length = 0
  let keyBytes = 0

  return {
    add(requests) {
      for (const request of requests) {
        if (length === columns.at.length) columns = growColumns(columns)
        addNumbers(columns, request)
        addKey(request.key)
        length++
      }
    },
    encode() {
      const used = NAMES.map((name) => columns[name].slice(0, length))
      const kinds = NAMES.map((name, index) => kindOf(used[index] ?? [], DEFAULTS[name]))
      const ofKind = (kind: number) => used.filter((_, index) => kinds[index] === kind)
      const names = Buffer.from([...models.keys()].join('\n'))
      const head = new Int32Array(HEAD_LENGTH)
      head.set([length, names.length, keyBytes, ...kinds])
      const numbers = [
        head,
        // The larger numbers come first, so that all are aligned.
        ...ofKind(LARGE),
        ...ofKind(SMALL).map((values) => new Int32Array(values)),
      ].map(({buffer}) => new Uint8Array(buffer))
      return alignBytes([...numbers, names, keys.subarray(0, keyBytes)])
    },
  }

  function addNumbers(to: Columns, request: ModelRequest): void {
    const {tokens} = request
    to.at[length] = request.at
    to.model[length] = indexOfModel(request.model ?? '')
    to.input[length] = tokens.input
    to.output[length] = tokens.output
    to.cacheRead[length] = tokens.cacheRead
    to.cacheWrite[length] = tokens.cacheWrite
    to.reasoning[length] = tokens.reasoning ?? DEFAULTS.reasoning
    to.hourCacheWrite[length] = request.hourCacheWrite ?? DEFAULTS.hourCacheWrite
    to.costUsd[length] = request.costUsd ?? DEFAULTS.costUsd
    to.toolCount[length] = request.toolCount
    to.keyHash[length] = hashKey(request.key)
    to.flags[length] = flagsOf(request)
  }

  function indexOfModel(model: string): number {
    let index = models.get(model)
    if (index === undefined) {
      index = models.size
      models.set(model, index)
    }
    return index
  }

  function addKey(key: string): void {
    const text = `${length === 0 ? '' : '\n'}${key.replaceAll('\n', ' ')}`
    // A character has at most three bytes.
    while (keyBytes + 3 * text.length > keys.length) keys = Buffer.concat([keys], 2 * keys.length)
    keyBytes += keys.write(text, keyBytes)
  }
}

/** Encoded requests by row. */
export interface RequestBlock {
  read(row: number): UsageRequest
  /** The requests in a range of rows, with their keys. */
  readAll(from: number, to: number): ModelRequest[]
  keyAt(row: number): string
  /** A number that identifies the key of a request. */
  keyHashAt(row: number): number
  /** Whether the key lacks its second part. */
  hasPartialKeyAt(row: number): boolean
  /** Whether any key lacks its second part. */
  hasPartialKeys: boolean
  timeAt(row: number): number
  outputAt(row: number): number
}

/** The requests of one transcript: a range of rows. */
export interface RequestRows {
  block: RequestBlock
  from: number
  length: number
}

/** Encodes requests in a block of their own. */
export function toRequestRows(requests: readonly ModelRequest[]): RequestRows {
  const columns = createRequestColumns()
  columns.add(requests)
  return {block: openRequests(columns.encode()), from: 0, length: requests.length}
}

/** Opens encoded requests, at a position that is a multiple of eight. */
export function openRequests({buffer, byteOffset}: Uint8Array): RequestBlock {
  const head = new Int32Array(buffer, byteOffset, HEAD_LENGTH)
  const [length = 0, nameBytes = 0, keyBytes = 0, ...kinds] = head
  let at = byteOffset + head.byteLength
  const columns: StoredColumns = {}
  for (const kind of [LARGE, SMALL]) {
    for (const [index, name] of NAMES.entries()) {
      if (kinds[index] !== kind) continue
      const column =
        kind === LARGE ? new Float64Array(buffer, at, length) : new Int32Array(buffer, at, length)
      columns[name] = column
      at += column.byteLength
    }
  }
  const models = decodeText(buffer, at, nameBytes).split('\n')
  const keysAt = at + nameBytes
  let keys: string[] | undefined
  const listKeys = () => (keys ??= decodeText(buffer, keysAt, keyBytes).split('\n'))
  const read = (row: number) => toRequest(row, columns, models)
  const hasPartialKeyAt = (row: number) => ((columns.flags?.[row] ?? 0) & PARTIAL_KEY) !== 0
  return {
    read,
    readAll: (from, to) =>
      Array.from({length: to - from}, (_, index) => ({
        key: listKeys()[from + index] ?? '',
        ...read(from + index),
      })),
    keyAt: (row) => listKeys()[row] ?? '',
    hasPartialKeyAt,
    hasPartialKeys: columns.flags?.some((_, row) => hasPartialKeyAt(row)) ?? false,
    keyHashAt: (row) => columns.keyHash?.[row] ?? 0,
    timeAt: (row) => columns.at?.[row] ?? 0,
    outputAt: (row) => columns.output?.[row] ?? 0,
  }
}

function decodeText(buffer: ArrayBufferLike, at: number, length: number): string {
  return Buffer.from(buffer, at, length).toString()
}

/** Joins bytes; zeros follow until the length is a multiple of eight. */
export function alignBytes(parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const aligned = new Uint8Array(Math.ceil(length / 8) * 8)
  let at = 0
  for (const part of parts) {
    aligned.set(part, at)
    at += part.length
  }
  return aligned
}

/** The columns in the order in which they are stored, with the value that most requests have. */
const DEFAULTS = {
  at: 0,
  keyHash: 0,
  model: 0,
  input: 0,
  output: 0,
  cacheRead: 0,
  cacheWrite: 0,
  reasoning: -1,
  hourCacheWrite: 0,
  costUsd: -1,
  toolCount: 0,
  flags: 0,
} as const
type ColumnName = keyof typeof DEFAULTS
const NAMES = Object.keys(DEFAULTS) as ColumnName[]

type Columns = Record<ColumnName, Float64Array>
/** A column that has only its default is left out. */
type StoredColumns = Partial<Record<ColumnName, Float64Array | Int32Array>>

/** Bits in the column of flags. */
const [FAST, SUB_AGENT, PARTIAL_KEY] = [1, 2, 4]

/** Kinds of columns: numbers of eight bytes, or integers of four. */
const [LARGE, SMALL] = [2, 1]

/** The number of requests, the lengths of the texts, and the kind of each column, in a multiple of eight bytes. */
const HEAD_LENGTH = 2 * Math.ceil((3 + NAMES.length) / 2)

function createColumns(size: number): Columns {
  return Object.fromEntries(NAMES.map((name) => [name, new Float64Array(size)])) as Columns
}

function growColumns(columns: Columns): Columns {
  const grown = createColumns(2 * columns.at.length)
  for (const name of NAMES) grown[name].set(columns[name])
  return grown
}

function flagsOf({key, isFast, isSubAgent}: ModelRequest): number {
  return (
    (isFast === true ? FAST : 0) +
    (isSubAgent === true ? SUB_AGENT : 0) +
    (key.endsWith(' ') ? PARTIAL_KEY : 0)
  )
}

function kindOf(values: ArrayLike<number>, standard: number): number {
  let kind = 0
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    if (value !== (value | 0)) return LARGE
    if (value !== standard) kind = SMALL
  }
  return kind
}

/**
 * Hashes a key to 53 bits, the most that a number holds: among a million requests, two have the same hash with a
 * probability of 1 : 18,000.
 */
function hashKey(key: string): number {
  let [low, high] = [0x811c9dc5, 0x9e3779b9]
  for (let index = 0; index < key.length; index++) {
    const code = key.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
    high ^= high >>> 15
  }
  low = Math.imul(low ^ (low >>> 16), 0xc2b2ae35)
  return (high & 0x1fffff) * 2 ** 32 + ((low ^ (low >>> 13)) >>> 0)
}

/** As one literal: objects of one shape are faster. */
function toRequest(row: number, columns: StoredColumns, models: readonly string[]): UsageRequest {
  const hourCacheWrite = columns.hourCacheWrite?.[row] ?? 0
  const costUsd = columns.costUsd?.[row] ?? -1
  const reasoning = columns.reasoning?.[row] ?? -1
  const flags = columns.flags?.[row] ?? 0
  return {
    at: columns.at?.[row] ?? 0,
    model: models[columns.model?.[row] ?? 0] || undefined,
    tokens: {
      input: columns.input?.[row] ?? 0,
      output: columns.output?.[row] ?? 0,
      cacheRead: columns.cacheRead?.[row] ?? 0,
      cacheWrite: columns.cacheWrite?.[row] ?? 0,
      reasoning: reasoning < 0 ? undefined : reasoning,
    },
    hourCacheWrite: hourCacheWrite > 0 ? hourCacheWrite : undefined,
    isFast: (flags & FAST) === 0 ? undefined : true,
    costUsd: costUsd < 0 ? undefined : costUsd,
    toolCount: columns.toolCount?.[row] ?? 0,
    isSubAgent: (flags & SUB_AGENT) === 0 ? undefined : true,
  }
}
