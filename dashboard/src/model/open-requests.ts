import type {AnswerItem} from '../../../src/replay/run-item.ts'
import {isError, type RequestEntry} from './entry.ts'
import type {FilterCounts} from './rows.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** What the agent asked for and waits to hear about. */
export interface OpenRequests {
  add(entry: RequestEntry): void
  answer(item: AnswerItem): void
  /** The tool that was asked for has ended, so somebody must have answered. */
  endOfTool(toolId: string, at: number): void
  /** Nobody waits any more. */
  endAll(at: number): void
}

/** Keeps the open requests of one run. */
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
