import type {ModelRequest} from '../core/events/transcript.ts'

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
  let columns = DEFAULTS.map(() => new Float64Array(1024))
  let keys = Buffer.alloc(64 * 1024)
  let length = 0
  let keyBytes = 0

  return {
    add(requests) {
      for (const request of requests) {
        addNumbers(request)
        addKey(request.key)
        length++
      }
    },
    encode() {
      const used = columns.map((values) => values.slice(0, length))
      const kinds = used.map((values, index) => kindOf(values, DEFAULTS[index] ?? 0))
      const ofKind = (kind: number) => used.filter((_, index) => kinds[index] === kind)
      const names = Buffer.from([...models.keys()].join('\n'))
      const numbers = [
        new Int32Array([length, names.length, keyBytes, ...kinds]),
        // The larger numbers come first, so that all are aligned.
        ...ofKind(LARGE),
        ...ofKind(SMALL).map((values) => new Int32Array(values)),
      ].map(({buffer}) => new Uint8Array(buffer))
      return alignBytes([...numbers, names, keys.subarray(0, keyBytes)])
    },
  }

  function addNumbers(request: ModelRequest): void {
    if (length === columns[0]?.length) columns = columns.map(double)
    const {tokens, model = ''} = request
    let modelIndex = models.get(model)
    if (modelIndex === undefined) {
      modelIndex = models.size
      models.set(model, modelIndex)
    }
    const [
      ats,
      modelIndexes,
      inputs,
      outputs,
      reads,
      writes,
      reasonings,
      hours,
      costs,
      tools,
      flags,
    ] = columns
    set(ats, request.at)
    set(modelIndexes, modelIndex)
    set(inputs, tokens.input)
    set(outputs, tokens.output)
    set(reads, tokens.cacheRead)
    set(writes, tokens.cacheWrite)
    set(reasonings, tokens.reasoning ?? -1)
    set(hours, request.hourCacheWrite ?? 0)
    set(costs, request.costUsd ?? -1)
    set(tools, request.toolCount)
    set(flags, Number(request.isFast === true) + 2 * Number(request.isSubAgent === true))
  }

  function set(column: Float64Array | undefined, value: number): void {
    if (column !== undefined) column[length] = value
  }

  function addKey(key: string): void {
    const text = `${length === 0 ? '' : '\n'}${key.replaceAll('\n', ' ')}`
    // A character has at most three bytes.
    while (keyBytes + 3 * text.length > keys.length) keys = Buffer.concat([keys], 2 * keys.length)
    keyBytes += keys.write(text, keyBytes)
  }
}

/** Encoded requests. */
export interface RequestReader {
  length: number
  /** Decodes a range of them. */
  read(from: number, to: number): ModelRequest[]
}

/** Opens encoded requests, at a position that is a multiple of eight. */
export function openRequests({buffer, byteOffset}: Uint8Array): RequestReader {
  const head = new Int32Array(buffer, byteOffset, HEAD_LENGTH)
  const [length = 0, nameBytes = 0, keyBytes = 0, ...kinds] = head
  let at = byteOffset + head.byteLength
  const columns: Column[] = DEFAULTS.map(() => undefined)
  for (const [index, kind] of kinds.entries()) {
    if (kind !== LARGE) continue
    columns[index] = new Float64Array(buffer, at, length)
    at += 8 * length
  }
  for (const [index, kind] of kinds.entries()) {
    if (kind !== SMALL) continue
    columns[index] = new Int32Array(buffer, at, length)
    at += 4 * length
  }
  const models = Buffer.from(buffer, at, nameBytes).toString().split('\n')
  const keys = Buffer.from(buffer, at + nameBytes, keyBytes)
    .toString()
    .split('\n')
  return {
    length,
    read(from, to) {
      return keys.slice(from, to).map((key, index) => toRequest(key, from + index, columns, models))
    },
  }
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

type Column = Float64Array | Int32Array | undefined

/** Kinds of columns: numbers of eight bytes, or integers of four. */
const [LARGE, SMALL] = [2, 1]

/** A column that has only its default is left out. */
const DEFAULTS: readonly number[] = [0, 0, 0, 0, 0, 0, -1, 0, -1, 0, 0]

/** The number of requests, the lengths of the texts, and the kind of each column. */
const HEAD_LENGTH = 3 + DEFAULTS.length

function double(values: Float64Array): Float64Array<ArrayBuffer> {
  const doubled = new Float64Array(2 * values.length)
  doubled.set(values)
  return doubled
}

function kindOf(values: Float64Array, standard: number): number {
  if (values.every((value) => value === standard)) return 0
  return values.every((value) => value === (value | 0)) ? SMALL : LARGE
}

function toRequest(
  key: string,
  row: number,
  columns: readonly Column[],
  models: readonly string[],
): ModelRequest {
  const [at, model, , , , , , hour, cost, tools, flag] = columns
  const request: ModelRequest = {
    key,
    at: at?.[row] ?? 0,
    model: models[model?.[row] ?? 0] || undefined,
    tokens: toTokens(columns, row),
    toolCount: tools?.[row] ?? 0,
  }
  const hourCacheWrite = hour?.[row] ?? 0
  const costUsd = cost?.[row] ?? -1
  const flags = flag?.[row] ?? 0
  if (hourCacheWrite > 0) request.hourCacheWrite = hourCacheWrite
  if (costUsd >= 0) request.costUsd = costUsd
  if ((flags & 1) !== 0) request.isFast = true
  if ((flags & 2) !== 0) request.isSubAgent = true
  return request
}

/** As one literal: fields that are added later need more memory. */
function toTokens(columns: readonly Column[], row: number): ModelRequest['tokens'] {
  const [, , inputs, outputs, reads, writes, reasonings] = columns
  const input = inputs?.[row] ?? 0
  const output = outputs?.[row] ?? 0
  const cacheRead = reads?.[row] ?? 0
  const cacheWrite = writes?.[row] ?? 0
  const reasoning = reasonings?.[row] ?? -1
  if (reasoning < 0) return {input, output, cacheRead, cacheWrite}
  return {input, output, cacheRead, cacheWrite, reasoning}
}
