import type {PlanItem, PlanStatus} from './events.ts'
import {isRecord, textAt} from '../wire/json.ts'

/** A list of things to do, whatever its agent calls their fields; `undefined` when it is no list. */
export function readPlan(list: unknown): PlanItem[] | undefined {
  if (!Array.isArray(list)) return undefined
  return list
    .filter((item) => isRecord(item))
    .map((item) => ({
      text: TEXTS.map((name) => textAt(item, name)).find((text) => text !== undefined) ?? '',
      status: item['completed'] === true ? 'completed' : readPlanStatus(item['status']),
    }))
}

/** How far a thing to do is, whatever its agent calls that. */
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
