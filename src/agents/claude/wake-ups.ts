import type {Draft} from '../../core/events/adapter.ts'
import {numberAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import type {ToolResult} from '../messages-api/translate.ts'

/** Tracks the turns that Claude schedules with ScheduleWakeup and cron jobs. */
export interface WakeUpReader {
  /** A tool result, which may schedule or cancel a turn. */
  readResult(result: Pick<ToolResult, 'tool' | 'line'>): Draft[]
  /** A `command_lifecycle` record, which may report the start of a scheduled turn. */
  readLifecycle(record: JsonObject): Draft[]
}

/** The key of the only ScheduleWakeup: a newer one replaces it. */
const LOOP = 'loop'

/** Creates a reader for one stream. */
export function createWakeUpReader(): WakeUpReader {
  /** Due times by key. */
  const planned = new Map<string, number>()

  return {
    readResult({tool, line}) {
      const report = line['tool_use_result']
      switch (tool?.name) {
        case 'ScheduleWakeup':
          return plan(LOOP, numberAt(report, 'scheduledFor'), tool.input, 'reason')
        case 'CronCreate':
          return plan(textAt(report, 'id'), numberAt(report, 'nextFireAt'), tool.input, 'prompt')
        case 'CronDelete':
          return end(textAt(tool.input, 'id'))
        default:
          return []
      }
    },
    readLifecycle(record) {
      if (record['state'] !== 'started') return []
      const source = record['wakeup_source']
      // Another one may have been scheduled while this one was queued.
      const isLoop = source === 'loop_wakeup' && planned.get(LOOP) === record['scheduled_for']
      if (isLoop) return end(LOOP)
      return source === 'schedule_wakeup' ? end(findNextJob()) : []
    },
  }

  /** Schedules a turn, or cancels it when there is no time. */
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

  /** The record does not name the job, and the next time of a recurring job is not reported. */
  function findNextJob(): string | undefined {
    const jobs = [...planned].filter(([key]) => key !== LOOP)
    return jobs.toSorted(([, one], [, other]) => one - other)[0]?.[0]
  }
}
