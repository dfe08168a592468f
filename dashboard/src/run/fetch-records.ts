import type {FullRecord, RecordsAnswer} from '../../../src/replay/run-item.ts'
import type {LineRange} from './run-source.ts'

/** Fetches complete records of a run. */
export async function fetchRecords(
  runId: string,
  ranges: readonly LineRange[],
): Promise<FullRecord[]> {
  const lines = ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
  const {records} = await ask<RecordsAnswer>(runId, {lines})
  return records
}

/** Fetches the lines of a run that contain a text. */
export function findLines(runId: string, text: string): Promise<{lines: number[]; total: number}> {
  return ask(runId, {find: text})
}

async function ask<T>(runId: string, query: Record<string, string>): Promise<T> {
  const path = `/api/runs/${encodeURIComponent(runId)}/records?${new URLSearchParams(query)}`
  const response = await fetch(path)
  if (!response.ok) throw new Error(`the hub responded with ${response.status}`)
  return (await response.json()) as T
}
