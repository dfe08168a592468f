import type {RunMessage} from '../../core/protocol/server-message.ts'
import {asText, type Database, type SqlRow, type SqlValue} from '../../database/database.ts'
import type {FindHead, MessagePage, MessageQuery, StoredItem, StoredMessage} from './store.ts'

/** A row has at most this many messages: the id of a message is that of its row times this, plus its place. */
export const MAX_BATCH = 1024
/** The maximum length of a row with several items or messages. */
const MAX_BATCH_LENGTH = 128 * 1024
/** How many rows are loaded at once. */
const ROWS = 2

/** Removes the first items or messages of a list, as many as fit into a row. */
export function takeBatch<T extends {json: string; complete?: string | undefined}>(list: T[]): T[] {
  let length = 0
  const end = list.findIndex(({json, complete = ''}, at) => {
    length += json.length + complete.length
    return at === MAX_BATCH || (at > 0 && length > MAX_BATCH_LENGTH)
  })
  return list.splice(0, end === -1 ? list.length : end)
}

/** The columns from `last_line` on of a row with items and messages: one JSON value per line. */
export function encodeBatch(
  items: readonly StoredItem[],
  messages: readonly StoredMessage[],
): SqlValue[] {
  return [
    items.at(-1)?.line ?? 0,
    items.map(({json}) => json).join('\n'),
    // An item without complete events has an empty line.
    items.map(({complete = ''}) => complete).join('\n'),
    messages.flatMap(({json, thinking = []}) => [...thinking, json]).join('\n'),
  ]
}

/** The messages in the column of a row. */
export function decodeMessages(column: string, lastSeq: number): MessagePage['messages'] {
  const messages: MessagePage['messages'] = []
  let thinking: string[] = []
  for (const json of splitLines(column)) {
    const type = typeOf(json) as RunMessage['type']
    if (type === 'agent_thinking') thinking.push(json)
    else {
      messages.push({seq: messages.length + 1, type, json, ...(thinking.length > 0 && {thinking})})
      thinking = []
    }
  }
  const before = lastSeq - messages.length
  for (const message of messages) message.seq += before
  return messages
}

/** Creates the reads of the table of batches. */
export function createBatchReads(database: Database, headOf: FindHead) {
  const prepare = (order: string, columns: string) =>
    database.prepare(
      `SELECT ${order}, ${columns} FROM batches WHERE run = ? AND ${order} > ?
         ORDER BY ${order}, id LIMIT ${ROWS}`,
    )
  const items = `last_line, ${asText('items')}`
  const readItems = prepare('last_item', items)
  const readLines = prepare('last_item', `${items}, ${asText('complete')}`)
  const readMessages = prepare('last_seq', asText('messages'))

  return {
    /** The items after a number, in order. */
    listItems: (runId: string, since: number) => listItems(runId, since, readItems),
    /** The items of lines from a number on, in order. */
    *listLines(runId: string, from: number): Generator<StoredItem> {
      // An item has a higher number than its line: the start of the run is an item too.
      for (const item of listItems(runId, from, readLines)) if (item.line >= from) yield item
    },
    listMessages(
      runId: string,
      {since, limit, maxBytes = Infinity, types}: MessageQuery,
    ): MessagePage {
      const messages: MessagePage['messages'] = []
      let bytes = 0
      for (const row of listRows(runId, since, readMessages, 'last_seq')) {
        for (const message of decodeMessages(String(row['messages']), Number(row['last_seq']))) {
          if (message.seq <= since || types?.includes(message.type) === false) continue
          bytes += Buffer.byteLength(message.json)
          const isFull = messages.length >= limit || (messages.length > 0 && bytes > maxBytes)
          if (isFull) return {messages, isEnd: false}
          messages.push(message)
        }
      }
      return {messages, isEnd: true}
    },
  }

  function* listItems(
    runId: string,
    since: number,
    read: ReturnType<typeof prepare>,
  ): Generator<StoredItem> {
    for (const row of listRows(runId, since, read, 'last_item')) {
      const batch = splitLines(String(row['items']))
      const complete = 'complete' in row ? String(row['complete']).split('\n') : []
      let n = Number(row['last_item']) - batch.length
      let line = Number(row['last_line']) - batch.filter(isLine).length
      for (const [at, json] of batch.entries()) {
        n++
        line += Number(isLine(json))
        if (n > since) yield {n, line, json, complete: complete[at] || undefined}
      }
    }
  }

  function* listRows(
    runId: string,
    since: number,
    read: ReturnType<typeof prepare>,
    order: 'last_item' | 'last_seq',
  ): Generator<SqlRow> {
    const head = headOf(runId)
    if (head === undefined) return
    for (let after = since; ;) {
      const rows = read.all(head.no, after)
      yield* rows
      if (rows.length < ROWS) return
      after = Number(rows.at(-1)?.[order])
    }
  }
}

/** Whether an item is a line of the output. */
export function isLine(json: string): boolean {
  return typeOf(json) === 'line'
}

/** The type of an item or a message: it is the first field. */
function typeOf(json: string): string {
  return json.slice(TYPE.length, json.indexOf('"', TYPE.length))
}

const TYPE = '{"type":"'

function splitLines(column: string): string[] {
  return column === '' ? [] : column.split('\n')
}
