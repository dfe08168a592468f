import type {TranscriptFacts} from '../core/events/transcript.ts'
import {parseText} from '../core/wire/json.ts'
import {
  alignBytes,
  createRequestColumns,
  openRequests,
  toRequestRows,
  type RequestRows,
} from './request-columns.ts'
import type {Scan} from './scan.ts'

/** A scan as it is stored: its requests are decoded when they are needed. */
export interface StoredScan {
  /** Identifies the transcript. */
  key: string
  /** Differs whenever the transcript has changed. */
  stamp: string
  offset: number
  ending: string
  facts: ScannedFacts
  requestCount: number
  /** Why the transcript could not be read completely. */
  problem?: string | undefined
  requests: RequestRows
}

/** The facts of a transcript, apart from its requests. */
export type ScannedFacts = Omit<TranscriptFacts, 'requests'>

type StoredFields = Omit<StoredScan, 'requests'>

/** The form of a scan that is stored. */
export function toStoredScan(key: string, stamp: string, scan: Scan): StoredScan {
  const {requests: found, ...facts} = scan.facts
  const {offset, ending, problem} = scan
  const requests = toRequestRows(found)
  return {key, stamp, offset, ending, facts, requestCount: requests.length, problem, requests}
}

/** The scan that was stored. */
export function toScan({facts, requests, offset, ending, problem}: StoredScan): Scan {
  const {block, from, length} = requests
  return {
    facts: {...facts, requests: block.readAll(from, from + length)},
    offset,
    ending,
    problem,
  }
}

/** Collects a change of the store: scans that were added or replaced, and the keys of those that were removed. */
export interface ChangeBuilder {
  add(key: string, stamp: string, scan: Scan): void
  /** The number of scans. */
  count(): number
  encode(removed?: readonly string[]): Uint8Array
}

/** Creates an empty change. */
export function createChange(): ChangeBuilder {
  const scans: StoredFields[] = []
  const columns = createRequestColumns()
  return {
    add(key, stamp, {facts: {requests, ...facts}, offset, ending, problem}) {
      columns.add(requests)
      scans.push({key, stamp, offset, ending, facts, requestCount: requests.length, problem})
    },
    count: () => scans.length,
    encode(removed = []) {
      const requests = columns.encode()
      const fields = alignBytes([Buffer.from(JSON.stringify({scans, removed} satisfies Change))])
      const size = HEAD_BYTES + fields.length + requests.length
      const sum = checksum(fields, checksum(requests))
      const head = new Int32Array([size, sum, fields.length, requests.length])
      return alignBytes([new Uint8Array(head.buffer), fields, requests])
    },
  }
}

/** Encodes stored scans again. */
export function encodeScans(
  scans: readonly StoredScan[],
  removed: readonly string[] = [],
): Uint8Array {
  const change = createChange()
  for (const scan of scans) change.add(scan.key, scan.stamp, toScan(scan))
  return change.encode(removed)
}

/** The scans after a list of changes. */
export interface DecodedChanges {
  scans: Map<string, StoredScan>
  /** The number of requests and scans in all changes. */
  count: number
  /** Whether all of it could be read. */
  isIntact: boolean
}

/** Decodes changes up to the first damaged one. Positions must be multiples of eight. */
export function decodeChanges(bytes: Uint8Array, start = 0): DecodedChanges {
  const scans = new Map<string, StoredScan>()
  let count = 0
  let at = start
  for (;;) {
    const change = decodeChange(bytes, at)
    if (change === undefined) return {scans, count, isIntact: at === bytes.length}
    for (const scan of change.scans) {
      scans.set(scan.key, scan)
      count += scan.requestCount + 1
    }
    for (const key of change.removed) scans.delete(key)
    at += change.size
  }
}

/** The size of the change, its checksum, and the sizes of its two parts. */
const HEAD_BYTES = 16

/** Returns `undefined` at the end, and if it is damaged. */
function decodeChange(bytes: Uint8Array, at: number) {
  if (at + HEAD_BYTES > bytes.length) return undefined
  const head = new Int32Array(bytes.buffer, bytes.byteOffset + at, HEAD_BYTES / 4)
  const [size = 0, sum = 0, fieldBytes = 0, requestBytes = 0] = head
  const isPossible = fieldBytes > 0 && requestBytes > 0 && (fieldBytes | requestBytes) % 8 === 0
  const isComplete = size === HEAD_BYTES + fieldBytes + requestBytes && at + size <= bytes.length
  if (!isPossible || !isComplete) return undefined
  const requestsAt = at + HEAD_BYTES + fieldBytes
  const fields = bytes.subarray(at + HEAD_BYTES, requestsAt)
  const encoded = bytes.subarray(requestsAt, at + size)
  if (checksum(fields, checksum(encoded)) !== sum) return undefined
  const block = openRequests(encoded)
  let next = 0
  const text = Buffer.from(bytes.buffer, fields.byteOffset, fieldBytes).toString()
  // Zeros follow the text.
  const change = parseText(text.slice(0, text.lastIndexOf('}') + 1)) as Change
  const scans = change.scans.map((scan): StoredScan => {
    const from = next
    const length = scan.requestCount
    next += length
    return Object.assign(scan, {requests: {block, from, length}})
  })
  return {size, scans, removed: change.removed}
}

/** A change as JSON. */
interface Change {
  scans: readonly StoredFields[]
  removed: readonly string[]
}

/** Detects damage. The number of bytes is a multiple of four. */
function checksum(bytes: Uint8Array, seed = 0): number {
  const words = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4)
  let sum = seed ^ words.length
  for (let index = 0; index < words.length; index++) {
    sum = Math.imul(sum ^ (words[index] ?? 0), 0x9e3779b1)
    sum ^= sum >>> 15
  }
  return sum
}
