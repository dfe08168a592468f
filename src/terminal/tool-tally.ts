import type {AgentEvent} from '../core/events/events.ts'
import {nameTool} from './describe.ts'

/** The calls of one tool in a run. */
export interface ToolTally {
  name: string
  calls: number
  failed: number
  totalMs: number
}

/** Counts the calls of each tool. */
export interface ToolCounter {
  count(event: AgentEvent): void
  /** The tool with the longest total time comes first. */
  list(): ToolTally[]
}

/** Creates the counter of one run. */
export function createToolTally(): ToolCounter {
  const tallies = new Map<string, ToolTally>()
  const open = new Map<string, {tally: ToolTally; startedAt: number}>()
  return {
    count(event) {
      if (event.type === 'tool-start') {
        const name = nameTool(event)
        const tally = tallies.get(name) ?? {name, calls: 0, failed: 0, totalMs: 0}
        tally.calls++
        tallies.set(name, tally)
        open.set(event.toolId, {tally, startedAt: event.at})
      } else if (event.type === 'tool-end') {
        const {toolId, ok, unfinished, durationMs, maxDurationMs, at} = event
        const call = open.get(toolId)
        if (call === undefined) return
        open.delete(toolId)
        if (!ok && unfinished !== true) call.tally.failed++
        call.tally.totalMs += durationMs ?? maxDurationMs ?? Math.max(0, at - call.startedAt)
      }
    },
    list: () => [...tallies.values()].toSorted((one, other) => other.totalMs - one.totalMs),
  }
}
