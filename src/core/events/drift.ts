import {cutText} from '../text/text.ts'
import type {DriftItem} from './shapes.ts'

/** Something that an agent prints and this version does not know. Nothing of it was lost. */
export interface Drift extends DriftItem {
  agent: string
  /** The version of the agent, where the stream tells it. */
  version?: string | undefined
  /** How many times it came. */
  count: number
  /** The line where it came first, counted from 1. */
  line: number
}

/** Counts what is new in a stream. */
export interface DriftCounter {
  count(item: DriftItem, line: number, version: string | undefined): void
  list(): Drift[]
}

/** A stream of garbage has a new name on each line; the first ones tell enough. */
const MAX_ENTRIES = 1000
const MAX_NAME_LENGTH = 120

/** Makes a counter for the stream of one agent. */
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
