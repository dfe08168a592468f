import type {ArchiveState, HistoryDays, HistorySearch} from '../../../src/hub/protocol/answers.ts'
import {encodeQuery, get, post, type EntryQuery, type HubAnswer} from './api.ts'

export type {ArchiveState, HistoryDays, HistorySearch} from '../../../src/hub/protocol/answers.ts'

/** A run or session with matches. */
export type SearchEntry = HistorySearch['entries'][number]

/** A match. */
export type SearchMoment = SearchEntry['moments'][number]

/** The runs and sessions that started on a day. */
export type HistoryDay = HistoryDays['days'][number]

/** Counts the runs and sessions that meet a query. */
export function fetchHistoryDays(query: EntryQuery): Promise<HubAnswer<HistoryDays>> {
  return get(`/api/history/days${encodeQuery({...query})}`)
}

export interface HistorySearchQuery extends EntryQuery {
  limit: number
  offset: number
}

/** Searches the contents of runs and sessions. */
export function fetchHistorySearch(
  q: string,
  query: HistorySearchQuery,
): Promise<HubAnswer<HistorySearch>> {
  return get(`/api/history/search${encodeQuery({q, ...query})}`)
}

export function fetchArchive(): Promise<HubAnswer<ArchiveState>> {
  return get('/api/archive')
}

/** Starts to archive sessions. */
export function startArchive(): Promise<HubAnswer<unknown>> {
  return post('/api/archive')
}

export function cancelArchive(): Promise<HubAnswer<unknown>> {
  return post('/api/archive/cancel')
}
