import type {FullRecord, RecordsAnswer} from '../../../src/hub/protocol.ts'
import type {LineRange} from './run-source.ts'

/** Lines of a run in full. */
export async function fetchRecords(
  runId: string,
  ranges: readonly LineRange[],
): Promise<FullRecord[]> {
  const lines = ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',')
  const response = await fetch(`/api/runs/${encodeURIComponent(runId)}/records?lines=${lines}`)
  if (!response.ok) throw new Error(`the hub answered with ${response.status}`)
  const {records} = (await response.json()) as RecordsAnswer
  return records
}
