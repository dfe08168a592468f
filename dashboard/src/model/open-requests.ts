import type {AnswerItem} from '../../../src/replay/run-item.ts'
import {isError, type RequestEntry} from './entry.ts'
import type {FilterCounts} from './rows.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** Tracks the open permission requests of a run. */
export function createOpenRequests(timeline: TimelineBuilder, counts: FilterCounts) {
  const requests = new Set<RequestEntry>()

  return {
    add(entry: RequestEntry): void {
      requests.add(entry)
      timeline.startWait(entry)
    },
    answer({requestId, at, allow, who, rule, answers}: AnswerItem): void {
      for (const entry of requests) {
        if (entry.requestId !== requestId) continue
        entry.allow = allow
        entry.who = who
        entry.rule = rule
        entry.answers = answers
        if (isError(entry)) counts.errors++
        end(entry, at)
      }
    },
    /** Closes the request of a tool that has ended: it must have been answered. */
    endOfTool(toolId: string, at: number): void {
      for (const entry of requests) if (entry.toolId === toolId) end(entry, at)
    },
    endAll(at: number): void {
      for (const entry of requests) end(entry, at)
    },
  }

  function end(entry: RequestEntry, at: number): void {
    requests.delete(entry)
    entry.endAt = at
    timeline.endWait(entry.id, at)
  }
}
