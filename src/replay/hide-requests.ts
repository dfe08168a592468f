import {isRecord, type JsonObject} from '../core/wire/json.ts'

/** Replaces a line that asks for a permission, for clients without the right to answer. */
export const HIDDEN_LINE = '[Permission request: hidden, because it needs the right to answer]'

/** Removes the permission requests from the JSON of a run summary, for clients without the right to answer. */
export function hideRequests(json: string): string {
  return hasRequests(json) ? changeJson(json, withoutRequests) : json
}

/** Removes the permission requests from the JSON of a `run_updated` message. */
export function hideRequestsInUpdate(json: string): string {
  return hasRequests(json) ? changeJson(json, withoutRequestsInRun) : json
}

/** Removes permission requests from the JSON of an item; `undefined` if nothing is left of it. */
export function hideItemRequests(json: string): string | undefined {
  if (json.startsWith('{"type":"answer"')) return undefined
  return json.includes('"permission-request"') ? changeJson(json, withoutRequestEvents) : json
}

function withoutRequestEvents(item: JsonObject): JsonObject {
  const {events} = item
  if (!Array.isArray(events)) return item
  const isRequest = (event: unknown) => isRecord(event) && event['type'] === 'permission-request'
  return {...item, events: events.filter((event) => !isRequest(event))}
}

/** Most summaries have no requests, so parsing them can be skipped. */
function hasRequests(json: string): boolean {
  return !json.includes('"requests":[]') || json.includes('"why":"waiting-for-permission"')
}

function changeJson(json: string, change: (value: JsonObject) => JsonObject): string {
  const value: unknown = JSON.parse(json)
  return isRecord(value) ? JSON.stringify(change(value)) : json
}

function withoutRequestsInRun(message: JsonObject): JsonObject {
  const {run} = message
  return isRecord(run) ? {...message, run: withoutRequests(run)} : message
}

function withoutRequests(summary: JsonObject): JsonObject {
  const {waiting} = summary
  const isAsked = isRecord(waiting) && waiting['why'] === 'waiting-for-permission'
  return {...summary, requests: [], ...(isAsked && {waiting: {...waiting, detail: ''}})}
}
