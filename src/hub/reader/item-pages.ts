import {setImmediate} from 'node:timers/promises'
import {sizeOf} from '../../recording/completeness.ts'
import {findRecordingDir} from '../../recording/list-runs.ts'
import {recordingAt} from '../../recording/recording.ts'
import {readRunRecord} from '../../recording/run-record-file.ts'
import {CONTEXT, readFullRecords, type CompleteLine} from '../../replay/full-records.ts'
import {hideItemRequests} from '../../replay/hide-requests.ts'
import type {LineItem, LineRange, SlimEvent} from '../../replay/run-item.ts'
import {isLine} from '../index/batches.ts'
import type {RunIndex} from '../index/run-index.ts'
import type {ItemPage, ItemQuery, RecordQuery, StoredItem} from '../index/store.ts'

/** Lengths of pages in characters: the first one is short, to fill the screen soon. */
const FIRST_PAGE_LENGTH = 64 * 1024
const PAGE_LENGTH = 512 * 1024
/** A run with more items than this has a preview, which has this many of the last items. */
const LONG_RUN_ITEMS = 2000
const PREVIEW_ITEMS = 400
/** After this time a client asks again, so that clients that left are forgotten. */
const WAIT_MS = 10_000
/** Limits of one request for complete lines: characters returned, and bytes read. */
const MAX_RECORDS_LENGTH = 4 * 1024 * 1024
const MAX_READ_BYTES = 32 * 1024 * 1024
/** More lines are read in several steps, so that the thread serves others between them. */
const MAX_READ_BYTES_AT_ONCE = 4 * 1024 * 1024
const MAX_LINES_AT_ONCE = 2000

const encoder = new TextEncoder()

/**
 * Reads items and lines of runs for clients.
 *
 * @param isWaiting - Whether an ended run waits to be indexed.
 */
export function createItemPages(
  dataDir: string,
  index: RunIndex,
  isWaiting: (runId: string) => boolean,
) {
  const waiters = new Map<string, Set<() => void>>()
  const dirOf = (runId: string) => findRecordingDir(dataDir, runId)

  return {
    /** Returns `null` if there is no such run, `undefined` if there are no items. */
    async readItems(query: ItemQuery): Promise<ItemPage | null | undefined> {
      const {runId, since, isPreview = false} = query
      const row = index.getRun(runId)
      if (row === null) return null
      const {lastItem = 0} = index.headOf(runId) ?? {}
      if (isPreview) return lastItem < LONG_RUN_ITEMS ? undefined : readPreview(query, lastItem)
      const isLastPage = row.isComplete && since >= lastItem
      if (since >= lastItem && !isLastPage) return undefined
      return readPage(query, lastItem, row.isComplete)
    },
    async waitForItems(runId: string, since: number): Promise<void> {
      const head = index.headOf(runId)
      const isComplete = index.getRun(runId)?.isComplete ?? true
      if (isComplete || (head?.lastItem ?? 0) > since) return
      await new Promise<void>((resolve) => {
        const waiting = waiters.get(runId) ?? new Set()
        waiters.set(runId, waiting)
        const end = () => {
          clearTimeout(timer)
          waiting.delete(end)
          if (waiting.size === 0 && waiters.get(runId) === waiting) waiters.delete(runId)
          resolve()
        }
        const timer = setTimeout(end, WAIT_MS).unref()
        waiting.add(end)
      })
    },
    async readRecords({runId, ranges, mayAnswer}: RecordQuery): Promise<string | null> {
      const dir = dirOf(runId)
      const record = readRunRecord(dir)
      if (record === null) return null
      const records: string[] = []
      let length = 0
      let bytesRead = 0
      for (const group of groupRanges(ranges)) {
        const isRequested = (line: number) => group.some(([from, to]) => from <= line && line <= to)
        const [first = 1] = group[0] ?? []
        const [, last = 0] = group.at(-1) ?? []
        for (let next = first; next <= last;) {
          if (length > MAX_RECORDS_LENGTH || bytesRead > MAX_READ_BYTES) break
          const {lines, end, bytes, isEnd} = readLines(runId, [next, last])
          const found = readFullRecords({
            path: recordingAt(dir).stdout,
            agent: record.agent,
            range: [next, end],
            isRequested,
            lines,
            isEnd: isEnd && record.result !== undefined,
            mayAnswer,
            maxLineBytes: record.limits?.maxLineBytes,
          })
          for (const complete of found) {
            if (length > MAX_RECORDS_LENGTH) break
            const json = JSON.stringify(complete)
            length += json.length
            records.push(json)
          }
          bytesRead += bytes
          next = end + 1
          // Serves others between two reads.
          await setImmediate()
        }
      }
      return `{"records":[${records.join(',')}]}`
    },
    /** A run has new items, or is gone. */
    onItems(runId: string): void {
      for (const end of waiters.get(runId) ?? []) end()
    },
  }

  function readPage(query: ItemQuery, lastItem: number, isComplete: boolean): ItemPage {
    const {runId, since} = query
    const items: StoredItem[] = []
    const maxLength = since === 0 ? FIRST_PAGE_LENGTH : PAGE_LENGTH
    let length = 0
    for (const item of index.listItems(runId, since)) {
      items.push(item)
      length += item.json.length
      if (length >= maxLength) break
    }
    const last = items.at(-1)?.n ?? since
    const isCaughtUp = last >= lastItem && !isWaiting(runId)
    const message = encodePage(query, items, {isCaughtUp, bytes: measure(runId, items, lastItem)})
    return {message, lastItem: last, isCaughtUp, isLast: isCaughtUp && isComplete}
  }

  /** The start and the last items of a long run. */
  function readPreview(query: ItemQuery, lastItem: number): ItemPage {
    const {runId} = query
    const [start] = index.listItems(runId, 0)
    const last = [...index.listItems(runId, lastItem - PREVIEW_ITEMS)]
    // The end would mean that all items were received.
    const items = last.filter(({json}) => !json.startsWith('{"type":"end"'))
    const preview = {
      from: items.find(({json}) => isLine(json))?.line ?? 1,
      of: items.at(-1)?.line ?? 0,
    }
    const head = {isCaughtUp: false, bytes: {read: 0, total: sizeOfOutput(runId)}, preview}
    const shown = start === undefined ? items : [start, ...items]
    return {message: encodePage(query, shown, head), lastItem: 0, isCaughtUp: false, isLast: false}
  }

  /** How many bytes of stdout a client has after it received the items, and how many there are. */
  function measure(runId: string, items: readonly StoredItem[], lastItem: number) {
    const [before] = items.length > 0 ? items.slice(-1) : index.listItems(runId, lastItem - 1)
    const [found] = index.listLines(runId, before?.line ?? 0)
    const last = items.findLast(({json}) => isLine(json)) ?? found
    const {offset = 0, size = 0} = last === undefined ? {} : (JSON.parse(last.json) as LineItem)
    return {read: offset + size, total: sizeOfOutput(runId)}
  }

  function sizeOfOutput(runId: string): number {
    return sizeOf(recordingAt(dirOf(runId)).stdout)
  }

  /** As many lines from the start of a range as are read at once, and those around them. */
  function readLines(runId: string, [from, to]: LineRange) {
    const lines: CompleteLine[] = []
    let end = to
    let bytes = 0
    for (const stored of index.listLines(runId, Math.max(1, from - CONTEXT.before))) {
      const {line} = stored
      if (line > end + CONTEXT.after) return {lines, end, bytes, isEnd: false}
      if (!isLine(stored.json)) continue
      const complete = toCompleteLine(stored)
      lines.push(complete)
      if (line < from || line >= end) continue
      bytes += complete.size
      if (bytes > MAX_READ_BYTES_AT_ONCE || line - from >= MAX_LINES_AT_ONCE) end = line
    }
    return {lines, end, bytes, isEnd: true}
  }
}

/** Groups ranges that are close together: the lines between them are read once. */
function groupRanges(ranges: readonly LineRange[]): LineRange[][] {
  const groups: LineRange[][] = []
  for (const range of ranges) {
    const before = groups.at(-1)
    const [, end = -Infinity] = before?.at(-1) ?? []
    if (before !== undefined && range[0] - end <= CONTEXT.before + CONTEXT.after) before.push(range)
    else groups.push([range])
  }
  return groups
}

function toCompleteLine({json, complete}: StoredItem): CompleteLine {
  const item = JSON.parse(json) as LineItem
  return complete === undefined ? item : {...item, events: JSON.parse(complete) as SlimEvent[]}
}

/** Encodes a `run_items` message. */
function encodePage(
  {runId, mayAnswer}: ItemQuery,
  items: readonly StoredItem[],
  head: {isCaughtUp: boolean; bytes: {read: number; total: number}; preview?: object},
): Uint8Array {
  const shown: string[] = []
  for (const {json} of items) {
    const visible = mayAnswer ? json : hideItemRequests(json)
    if (visible !== undefined) shown.push(visible)
  }
  const start = JSON.stringify({type: 'run_items', runId, ...head}).slice(0, -1)
  return encoder.encode(`${start},"items":[${shown.join(',')}]}`)
}
