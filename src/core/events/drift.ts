import {cutText} from '../text/text.ts'
import type {DriftItem} from './shapes.ts'

/** A type, block or field that an agent prints and this version does not know. Its data is kept. */
export interface Drift extends DriftItem {
  agent: string
  /** The version of the agent, when the stream reports it. */
  version?: string | undefined
  /** Number of occurrences. */
  count: number
  /** The line of the first occurrence, counted from 1. */
  line: number
}

/** Counts the drift of a stream. */
export interface DriftCounter {
  count(item: DriftItem, line: number, version: string | undefined): void
  list(): Drift[]
}

/** Bounds memory for a stream of garbage, which has a new name on each line. */
const MAX_ENTRIES = 1000
const MAX_NAME_LENGTH = 120

/** Creates a counter for the stream of one agent. */
export function createDriftCounter(agent: string): DriftCounter {
  const entries = new Map<string, Drift>()
  return {
    count(item, line, version) {
      const name = cutText(item.name, MAX_NAME_LENGTH)
      const key = `${version ?? ''}\n${item.kind}\n${name}`
      const entry = entries.get(key)
      if (entry !== undefined) entry.count++
      else if (entries.size < MAX_ENTRIES) {
        entries.set(key, {agent, version, kind: item.kind, name, count: 1, line})
      }
    },
    list: () => Array.from(entries.values(), (entry) => ({...entry})),
  }
}
