import {createContext, use, useEffect} from 'react'
import type {FullRecord} from '../../../src/replay/run-item.ts'
import {useStore} from '../ui/create-store.ts'
import {linesOf, readBody, type Body, type LongEntry, type RecordCache} from './record-cache.ts'
import type {RunSource} from './run-source.ts'
import type {Panels} from './use-panels.ts'
import type {Replay} from './use-replay.ts'
import type {Selection} from './use-selection.ts'

/** Text in the place of content that an exported file does not include. */
export const LEFT_OUT = 'It was left out to keep this file small. vitrine export --full has it.'

/** Commands of the run page. They stay the same for as long as the page is open. */
export type RunActions = Panels['actions'] & Replay['actions'] & Selection['actions']

/** The run and the commands of its page, for all of its components. */
export interface RunContextValue {
  source: RunSource
  bodies: RecordCache
  startedAt: number
  until: number | undefined
  /** The working directory of the run. */
  cwd: string | undefined
  actions: RunActions
}

/** Provides the run to the components of its page. */
export const RunContext = createContext<RunContextValue | undefined>(undefined)

/** The run of the page around a component. */
export function useRun(): RunContextValue {
  const run = use(RunContext)
  if (run === undefined) throw new TypeError('useRun needs a RunContext around it')
  return run
}

/** The full content of an entry, fetched when it is needed; undefined until it is loaded. */
export function useBody(entry: LongEntry, isNeeded: boolean): Body | undefined {
  const {bodies} = useRun()
  const version = useStore(bodies.version)
  const body = isNeeded ? readBody(entry, bodies.get) : undefined
  const isMissing = body?.isComplete === false
  useEffect(() => {
    // With each version, so that records that failed to load are requested again.
    if (isMissing && version >= 0) bodies.request(linesOf(entry))
  }, [bodies, entry, isMissing, version])
  return body
}

/** The full record of a line, fetched when it is first needed. */
export function useRecord(line: number): FullRecord | undefined {
  const {bodies} = useRun()
  const version = useStore(bodies.version)
  const record = bodies.get(line)
  const isMissing = record === undefined
  useEffect(() => {
    if (isMissing && version >= 0) bodies.request([line])
  }, [bodies, line, isMissing, version])
  return record
}
