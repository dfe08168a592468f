import {createContext, use, useEffect, useSyncExternalStore} from 'react'
import type {FullRecord} from '../../../src/replay/run-item.ts'
import type {Entry} from '../model/entry.ts'
import {linesOf, readBody, type Bodies, type Body} from './bodies.ts'

/** What parts of the run page can have done by the page. */
export interface RunActions {
  bodies: Bodies
  /** The moment of a replay. */
  until: number | undefined
  /** The folder of the run. */
  cwd: string | undefined
  /** Shows the record of a line. */
  showRecord(line: number): void
}

/** Hands the actions to all components below. */
export const RunActionsContext = createContext<RunActions | undefined>(undefined)

/** An entry in full, fetched when it is needed; nothing until it is there. */
export function useBody(entry: Entry, isNeeded: boolean): Body | undefined {
  const actions = use(RunActionsContext)
  const bodies = actions?.bodies
  const version = useSyncExternalStore(
    bodies?.subscribe ?? subscribeToNothing,
    bodies?.getVersion ?? getNothing,
  )
  const body = isNeeded && bodies !== undefined ? readBody(entry, bodies.get) : undefined
  const isMissing = body?.isWhole === false
  useEffect(() => {
    // With each version: those that did not come are wanted again.
    if (isMissing && version >= 0) bodies?.want(linesOf(entry))
  }, [bodies, entry, isMissing, version])
  return body
}

const subscribeToNothing = () => () => {}
const getNothing = () => 0

/** A line in full, fetched when it is first asked for. */
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
    if (isMissing && version >= 0) bodies?.want([line])
  }, [bodies, line, isMissing, version])
  return record
}
