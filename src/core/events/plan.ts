import type {PlanItem, PlanStatus} from './events.ts'
import {isRecord, textAt} from '../wire/json.ts'

/** Reads a plan with any of the field names that agents use; `undefined` when it is not a list. */
export function readPlan(list: unknown): PlanItem[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list
    .filter((item) => isRecord(item))
    .map((item) => ({
      text: TEXTS.map((name) => textAt(item, name)).find((text) => text !== undefined) ?? '',
      status: item['completed'] === true ? 'completed' : readPlanStatus(item['status']),
    }))
}

/** Reads the status of a plan item with any of the words that agents use. */
export function readPlanStatus(status: unknown): PlanStatus {
  return (typeof status === 'string' ? STATUSES.get(status.toLowerCase()) : undefined) ?? 'pending'
}

const TEXTS = ['content', 'description', 'text', 'step', 'title', 'subject']

const STATUSES = new Map<string, PlanStatus>([
  ['in_progress', 'in-progress'],
  ['in-progress', 'in-progress'],
  ['inprogress', 'in-progress'],
  ['active', 'in-progress'],
  ['completed', 'completed'],
  ['complete', 'completed'],
  ['done', 'completed'],
  ['cancelled', 'cancelled'],
  ['canceled', 'cancelled'],
])
