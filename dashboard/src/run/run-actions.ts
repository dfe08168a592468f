import {createContext, use, useEffect, useSyncExternalStore} from 'react'
import type {FullRecord} from '../../../src/replay/run-item.ts'
import type {Entry} from '../model/entry.ts'
import {linesOf, readBody, type RecordCache, type Body} from './record-cache.ts'

/** Actions of the run page for its parts. */
export interface RunActions {
  bodies: RecordCache
  /** The position of a replay. */
  until: number | undefined
  /** The working directory of the run. */
  cwd: string | undefined
  /** Shows the record of a line. */
  showRecord(line: number): void
}

/** Provides the actions to all components below. */
export const RunActionsContext = createContext<RunActions | undefined>(undefined)

/** The complete content of an entry, fetched on first use; undefined until then. */
export function useBody(entry: Entry, isNeeded: boolean): Body | undefined {
  const actions = use(RunActionsContext)
  const bodies = actions?.bodies
  const version = useSyncExternalStore(
    bodies?.subscribe ?? subscribeToNothing,
    bodies?.getVersion ?? getNothing,
  )
  const body = isNeeded && bodies !== undefined ? readBody(entry, bodies.get) : undefined
  const isMissing = body?.isComplete === false
  useEffect(() => {
    // On every version: failed records are requested again.
    if (isMissing && version >= 0) bodies?.request(linesOf(entry))
  }, [bodies, entry, isMissing, version])
  return body
}

const subscribeToNothing = () => () => {}
const getNothing = () => 0

/** A complete record, fetched on first use. */
export function useRecord(line: number): FullRecord | undefined {
  const actions = use(RunActionsContext)
  const bodies = actions?.bodies
  const version = useSyncExternalStore(
    bodies?.subscribe ?? subscribeToNothing,
    bodies?.getVersion ?? getNothing,
  )
  const record = bodies?.get(line)
  const isMissing = record === undefined
  useEffect(() => {
    if (isMissing && version >= 0) bodies?.request([line])
  }, [bodies, line, isMissing, version])
  return record
}
