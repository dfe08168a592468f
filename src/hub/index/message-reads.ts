import type {RunMessage} from '../../core/protocol/server-message.ts'
import {asText, type Database, type SqlRow} from './database.ts'
import type {FindHead} from './run-head.ts'
import {toId, toLastId, toNumber} from './schema.ts'
import type {MessagePage, MessageQuery} from './store.ts'

/** Pages the messages of a run. */
export interface MessageReads {
  listMessages(runId: string, query: MessageQuery): MessagePage
}

/** How many rows are loaded at once: a page of few large messages must not load many. */
const ROWS = 100

/** Creates the reads of the table of messages. */
export function createMessageReads(database: Database, headOf: FindHead): MessageReads {
  return {
    listMessages(runId, {since, limit, maxBytes = Infinity, types}) {
      const head = headOf(runId)
      const messages: MessagePage['messages'] = []
      if (head === undefined || types?.length === 0) return {messages, isEnd: true}
      let bytes = 0
      for (const row of listRows(head.no, since, types)) {
        const message = toMessage(row)
        bytes += Buffer.byteLength(message.json)
        const isFull = messages.length >= limit || (messages.length > 0 && bytes > maxBytes)
        if (isFull) return {messages, isEnd: false}
        messages.push(message)
      }
      return {messages, isEnd: true}
    },
  }

  function* listRows(run: number, since: number, types: readonly string[] = []) {
    const condition = types.length === 0 ? '' : `AND type IN (${types.map(() => '?').join(', ')})`
    const list = database.prepare(
      `SELECT id, ${asText('type')}, ${asText('json')}, ${asText('thinking')} FROM messages
         WHERE id > CAST(? AS INTEGER) AND id <= CAST(? AS INTEGER) ${condition} ORDER BY id LIMIT ${ROWS}`,
    )
    for (let after = toId(run, since); ;) {
      const rows = list.all(after, toLastId(run), ...types)
      yield* rows
      if (rows.length < ROWS) return
      after = Number(rows.at(-1)?.['id'])
    }
  }
}

function toMessage({id, type, json, thinking}: SqlRow): MessagePage['messages'][number] {
  return {
    seq: toNumber(Number(id)),
    // The index contains only messages that the hub encoded.
    type: String(type) as RunMessage['type'],
    json: String(json),
    ...(typeof thinking === 'string' && {thinking: JSON.parse(thinking) as string[]}),
  }
}
