import type {AnswerItem} from '../../../src/replay/run-item.ts'
import {isError, type RequestEntry} from './entry.ts'
import type {FilterCounts} from './rows.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** The open permission requests of a run. */
export interface OpenRequests {
  add(entry: RequestEntry): void
  answer(item: AnswerItem): void
  /** Closes the request of a tool that has ended: it must have been answered. */
  endOfTool(toolId: string, at: number): void
  /** Closes all requests. */
  endAll(at: number): void
}

/** Tracks the open permission requests of a run. */
export function createOpenRequests(timeline: TimelineBuilder, counts: FilterCounts): OpenRequests {
  const requests = new Set<RequestEntry>()

  return {
    add(entry) {
      requests.add(entry)
      timeline.startWait(entry)
    },
    answer({requestId, at, allow, who, rule, answers}) {
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
    endOfTool(toolId, at) {
      for (const entry of requests) if (entry.toolId === toolId) end(entry, at)
    },
    endAll(at) {
      for (const entry of requests) end(entry, at)
    },
  }

  function end(entry: RequestEntry, at: number): void {
    requests.delete(entry)
    entry.endAt = at
    timeline.endWait(entry.id, at)
  }
}
