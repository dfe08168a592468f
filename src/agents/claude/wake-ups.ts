import type {Draft} from '../../core/events/adapter.ts'
import {numberAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import type {ToolResult} from '../messages-api/translate.ts'

/** Follows the turns that Claude plans for later: by ScheduleWakeup and by cron jobs. */
export interface WakeUpReader {
  /** What the result of a tool plans or cancels. */
  readResult(result: Pick<ToolResult, 'tool' | 'line'>): Draft[]
  /** A `command_lifecycle` record, which may report that a planned turn starts. */
  readLifecycle(record: JsonObject): Draft[]
}

/** There is one at most: a newer ScheduleWakeup replaces it. */
const LOOP = 'loop'

/** Creates a reader for one stream. */
export function createWakeUpReader(): WakeUpReader {
  /** When each is due, by its key. */
  const planned = new Map<string, number>()

  return {
    readResult({tool, line}) {
      const told = line['tool_use_result']
      switch (tool?.name) {
        case 'ScheduleWakeup':
          return plan(LOOP, numberAt(told, 'scheduledFor'), tool.input, 'reason')
        case 'CronCreate':
          return plan(textAt(told, 'id'), numberAt(told, 'nextFireAt'), tool.input, 'prompt')
        case 'CronDelete':
          return end(textAt(tool.input, 'id'))
        default:
          return []
      }
    },
    readLifecycle(record) {
      if (record['state'] !== 'started') return []
      const source = record['wakeup_source']
      // Another may have been planned while this one was queued.
      const isLoop = source === 'loop_wakeup' && planned.get(LOOP) === record['scheduled_for']
      if (isLoop) return end(LOOP)
      return source === 'schedule_wakeup' ? end(findNextJob()) : []
    },
  }

  /** Plans a turn; without a time, what was planned is cancelled. */
  function plan(
    key: string | undefined,
    until: number | undefined,
    input: unknown,
    about: 'reason' | 'prompt',
  ): Draft[] {
    if (key === undefined) return []
    if (until === undefined || until <= 0) return end(key)
    planned.set(key, until)
    const detail = textAt(input, about) ?? textAt(input, 'prompt') ?? ''
    return [{type: 'status', status: 'wake-up', phase: 'start', key, detail, until}]
  }

  function end(key: string | undefined): Draft[] {
    if (key === undefined || !planned.delete(key)) return []
    return [{type: 'status', status: 'wake-up', phase: 'end', key, detail: ''}]
  }

  /** The record does not name the job; the next time of a job that recurs is not reported. */
  function findNextJob(): string | undefined {
    const jobs = [...planned].filter(([key]) => key !== LOOP)
    return jobs.toSorted(([, one], [, other]) => one - other)[0]?.[0]
  }
}
