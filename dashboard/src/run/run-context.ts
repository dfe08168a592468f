import {createContext, use, useEffect, useSyncExternalStore} from 'react'
import type {FullRecord} from '../../../src/replay/run-item.ts'
import type {Entry} from '../model/entry.ts'
import {linesOf, readBody, type Body, type RecordCache} from './record-cache.ts'
import type {RunSource} from './run-source.ts'

/** Text in the place of content that an exported file does not include. */
export const LEFT_OUT = 'It was left out to keep this file small. vitrine export --full has it.'

/** Data of the run for the components of its page. */
export interface RunContextValue {
  source: RunSource
  bodies: RecordCache
  /** The moment of a replay. */
  until: number | undefined
  /** The working directory of the run. */
  cwd: string | undefined
}

/** Provides the data of the run to the components of its page. */
export const RunContext = createContext<RunContextValue | undefined>(undefined)

/** The full content of an entry, fetched when it is needed; undefined until it is loaded. */
export function useBody(entry: Entry, isNeeded: boolean): Body | undefined {
  const bodies = use(RunContext)?.bodies
  const version = useSyncExternalStore(
    bodies?.subscribe ?? subscribeNever,
    bodies?.getVersion ?? getZero,
  )
  const body = isNeeded && bodies !== undefined ? readBody(entry, bodies.get) : undefined
  const isMissing = body?.isComplete === false
  useEffect(() => {
    // With each version, so that records that failed to load are requested again.
    if (isMissing && version >= 0) bodies?.request(linesOf(entry))
  }, [bodies, entry, isMissing, version])
  return body
}

const subscribeNever = () => () => {}
const getZero = () => 0

/** The full record of a line, fetched when it is first needed. */
export function useRecord(line: number): FullRecord | undefined {
  const bodies = use(RunContext)?.bodies
  const version = useSyncExternalStore(
    bodies?.subscribe ?? subscribeNever,
    bodies?.getVersion ?? getZero,
  )
  const record = bodies?.get(line)
  const isMissing = record === undefined
  useEffect(() => {
    if (isMissing && version >= 0) bodies?.request([line])
  }, [bodies, line, isMissing, version])
  return record
}
