import {textAt} from '../../core/wire/json.ts'
import {decodeMessages, MAX_BATCH} from './batches.ts'
import {asText, type Database} from '../../database/database.ts'
import {cutSnippet} from './snippet.ts'
import type {FindHead, Hit, HitPage, SearchQuery} from './store.ts'
import {parseTerms, toMatch, type Term} from './terms.ts'

/** Creates the search of the full-text index: the message that was added last comes first. */
export function createSearch(database: Database, headOf: FindHead) {
  const find = database.prepare(
    `SELECT rowid AS id FROM search WHERE search MATCH ? AND rowid < CAST(? AS INTEGER)
       ORDER BY rowid DESC LIMIT ?`,
  )
  const findBatch = database.prepare(
    `SELECT ${asText('run_id')}, batches.last_seq, ${asText('messages')}
       FROM batches JOIN runs ON no = run WHERE id = CAST(? AS INTEGER)`,
  )

  return (query: SearchQuery): HitPage => {
    const {text, runId, types, limit, before = Number.MAX_SAFE_INTEGER} = query
    const terms = parseTerms(text)
    const run = runId === undefined ? undefined : headOf(runId)
    const isEmpty = terms.length === 0 || types?.length === 0
    if (isEmpty || (runId !== undefined && run === undefined)) return {hits: []}
    const ids = find.all(toQuery(terms, types, run?.no), before, limit + 1)
    const page = ids.slice(0, limit).map(({id}) => Number(id))
    return {
      hits: page.map((id) => toHit(id, terms)),
      next: ids.length > page.length ? page.at(-1) : undefined,
    }
  }

  function toHit(id: number, terms: readonly Term[]): Hit {
    const row = findBatch.get(Math.floor(id / MAX_BATCH))
    const messages = decodeMessages(String(row?.['messages']), Number(row?.['last_seq']))
    const {seq = 0, type = '', json = ''} = messages[id % MAX_BATCH] ?? {}
    const value = tryParse(json)
    return {
      runId: String(row?.['run_id']),
      seq,
      type,
      at: Date.parse(textAt(value, 'timestamp') ?? ''),
      snippet: cutSnippet(value, terms),
    }
  }
}

function tryParse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** A query for the full-text index. The name of a type is a phrase. */
function toQuery(
  terms: readonly Term[],
  types: readonly string[] | undefined,
  run: number | undefined,
): string {
  const conditions = [`text : (${toMatch(terms)})`]
  if (types !== undefined) {
    conditions.push(`type : (${types.map((type) => `"${type}"`).join(' OR ')})`)
  }
  if (run !== undefined) conditions.push(`run : "${run}"`)
  return conditions.join(' AND ')
}
