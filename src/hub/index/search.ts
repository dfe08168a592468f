import {asText, type Database} from './database.ts'
import type {FindHead} from './run-head.ts'
import {toId, toLastId, toNumber, toRunNumber} from './schema.ts'
import {cutSnippet} from './snippet.ts'
import type {Hit, HitPage, SearchQuery} from './store.ts'
import {parseTerms, toMatch, type Term} from './terms.ts'

/** Searches the texts of messages: newest run first, and its newest message first. */
export type Search = (query: SearchQuery) => HitPage

/** Creates the search of the full-text index. */
export function createSearch(database: Database, headOf: FindHead): Search {
  const find = database.prepare(
    `SELECT rowid AS id FROM search WHERE search MATCH ?
       AND rowid > CAST(? AS INTEGER) AND rowid < CAST(? AS INTEGER)
       ORDER BY rowid DESC LIMIT ?`,
  )
  const findMessage = database.prepare(
    `SELECT ${asText('type')}, at, ${asText('json')} FROM messages WHERE id = CAST(? AS INTEGER)`,
  )
  const findRunId = database.prepare(`SELECT ${asText('run_id')} FROM runs WHERE no = ?`)

  return ({text, runId, types, limit, before = Number.MAX_SAFE_INTEGER}) => {
    const terms = parseTerms(text)
    const run = runId === undefined ? undefined : headOf(runId)
    const isEmpty = terms.length === 0 || types?.length === 0
    if (isEmpty || (runId !== undefined && run === undefined)) return {hits: []}
    const after = run === undefined ? 0 : toId(run.no, 0)
    const end = run === undefined ? before : Math.min(before, toLastId(run.no) + 1)
    const ids = find.all(toQuery(terms, types), after, end, limit + 1).map(({id}) => Number(id))
    const page = ids.slice(0, limit)
    return {
      hits: page.map((id) => toHit(id, terms)),
      next: ids.length > page.length ? page.at(-1) : undefined,
    }
  }

  function toHit(id: number, terms: readonly Term[]): Hit {
    const message = findMessage.get(id)
    return {
      runId: String(findRunId.get(toRunNumber(id))?.['run_id']),
      seq: toNumber(id),
      type: String(message?.['type']),
      at: Number(message?.['at']),
      snippet: cutSnippet(String(message?.['json']), terms),
    }
  }
}

/** A query for the full-text index, in which the name of a type is a phrase. */
function toQuery(terms: readonly Term[], types: readonly string[] | undefined): string {
  const text = `text : (${toMatch(terms)})`
  if (types === undefined) return text
  return `type : (${types.map((type) => `"${type}"`).join(' OR ')}) AND ${text}`
}
