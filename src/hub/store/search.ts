import type {HitPage, SearchQuery} from '../store.ts'
import {verified} from './checksum.ts'
import {asText, type Database, type SqlRow} from './database.ts'
import {toKindWord, toRunNumber, toRunWord, toSeq} from './schema.ts'
import {parseTerms, toMatch, type Term} from './terms.ts'
import {cutSnippet} from './snippet.ts'

/** Searches the texts of messages, newest first. */
export function createSearch(database: Database): (query: SearchQuery) => HitPage {
  const findRun = database.prepare('SELECT no FROM runs WHERE run_id = ?')
  const findKind = database.prepare('SELECT no FROM kinds WHERE name = ?')
  const find = database.prepare(
    `SELECT rowid AS id FROM found WHERE found MATCH ? AND rowid < CAST(? AS INTEGER)
       ORDER BY rowid DESC LIMIT ?`,
  )
  const read = database.prepare(
    `SELECT messages.id AS id, ${asText('kinds.name', 'type')}, at, checksum,
       ${asText('json')} FROM spots
       JOIN messages ON messages.id = spots.message JOIN kinds ON kinds.no = messages.kind
       WHERE spots.id = ?`,
  )
  const findRunId = database.prepare(`SELECT ${asText('run_id')} FROM runs WHERE no = ?`)

  return function search({text, runId, types, limit, before = Number.MAX_SAFE_INTEGER}) {
    const terms = parseTerms(text)
    const run = runId === undefined ? undefined : findRun.get(runId)?.['no']
    const kinds = types?.flatMap((type) => findKind.get(type)?.['no'] ?? [])
    if (terms.length === 0 || (runId !== undefined && run === undefined)) return {hits: []}
    if (kinds?.length === 0) return {hits: []}
    const match = [
      ...(run === undefined ? [] : [`run : ${toRunWord(Number(run))}`]),
      ...(kinds === undefined
        ? []
        : [`kind : (${kinds.map((kind) => toKindWord(Number(kind))).join(' OR ')})`]),
      `text : (${toMatch(terms)})`,
    ].join(' AND ')
    const ids = find.all(match, before, limit + 1).map(({id}) => Number(id))
    const page = ids.slice(0, limit)
    return {
      hits: page.flatMap((id) => {
        const row = read.get(id)
        return row === undefined ? [] : [toHit(row, terms)]
      }),
      next: ids.length > page.length ? page.at(-1) : undefined,
    }
  }

  function toHit(row: SqlRow, terms: readonly Term[]): HitPage['hits'][number] {
    const id = Number(row['id'])
    return {
      runId: String(findRunId.get(toRunNumber(id))?.['run_id']),
      seq: toSeq(id),
      type: String(row['type']),
      at: Number(row['at']),
      snippet: cutSnippet(verified(id, row['json'], row['checksum']), terms),
    }
  }
}
