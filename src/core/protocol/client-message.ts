import type {ErrorCode, SubscribeFilter} from './server-message.ts'
import {isRecord, type JsonObject} from '../wire/json.ts'
import type {UserAnswers} from '../events/question.ts'

/** Subscribes to the messages of a run, of a work order, or of all runs. */
export interface SubscribeMessage extends SubscribeFilter {
  type: 'subscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  /** Replays everything after this message, 0 for all; only with a `runId`. Absent: live messages only. */
  since?: number | undefined
  /** Returned with the answer to this message. */
  ref?: string | undefined
}

/** Ends the subscription with the same ids. */
export interface UnsubscribeMessage {
  type: 'unsubscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  ref?: string | undefined
}

/** Checks the connection; answered with `pong`. */
export interface PingMessage {
  type: 'ping'
  ref?: string | undefined
}

/** Answers a permission request. The first answer wins. */
export interface AnswerPermissionMessage {
  type: 'answer_permission'
  runId: string
  requestId: string
  allow: boolean
  /** The reason sent to the agent with a denial. */
  message?: string | undefined
  /** Allows everything this rule covers for the rest of the run. */
  rule?: string | undefined
  /** Replaces the input of the tool. */
  input?: JsonObject | undefined
  /** The answers to each question; required to allow a request that is a question to the user. */
  answers?: UserAnswers | undefined
  ref?: string | undefined
}

/** Stops a run. */
export interface StopRunMessage {
  type: 'stop_run'
  runId: string
  ref?: string | undefined
}

/** Opens a view of one run: every item of its recording, then live items. */
export interface WatchRunMessage {
  type: 'watch_run'
  runId: string
  /** The number of the last item the client has; absent or 0 for all. */
  since?: number | undefined
  ref?: string | undefined
}

/** Closes the view of a run. */
export interface UnwatchRunMessage {
  type: 'unwatch_run'
  runId: string
  ref?: string | undefined
}

/** Every message from a client to a hub. */
export type ClientMessage =
  | SubscribeMessage
  | UnsubscribeMessage
  | PingMessage
  | AnswerPermissionMessage
  | StopRunMessage
  | WatchRunMessage
  | UnwatchRunMessage

/** A valid client message, or the error. */
export type ClientMessageOutcome =
  | {ok: true; message: ClientMessage}
  | {ok: false; error: ClientMessageError}

/** Why a client message is invalid. */
interface ClientMessageError {
  code: ErrorCode
  message: string
  field?: string | undefined
  ref?: string | undefined
}

type FieldKind = 'text' | 'flag' | 'count' | 'object' | 'answers'

const SUBSCRIPTION = {runId: 'text', workOrderId: 'text', ref: 'text'} as const

/** The fields of each message. */
const FIELDS: Readonly<Record<ClientMessage['type'], Readonly<Record<string, FieldKind>>>> = {
  subscribe: {
    ...SUBSCRIPTION,
    since: 'count',
    includeToolCalls: 'flag',
    includeToolResults: 'flag',
    includeOutput: 'flag',
    includeFileChanges: 'flag',
    includeProgress: 'flag',
    includeThinking: 'flag',
  },
  unsubscribe: SUBSCRIPTION,
  ping: {ref: 'text'},
  answer_permission: {
    runId: 'text',
    requestId: 'text',
    allow: 'flag',
    message: 'text',
    rule: 'text',
    input: 'object',
    answers: 'answers',
    ref: 'text',
  },
  stop_run: {runId: 'text', ref: 'text'},
  watch_run: {runId: 'text', since: 'count', ref: 'text'},
  unwatch_run: {runId: 'text', ref: 'text'},
}

const REQUIRED: Readonly<Partial<Record<ClientMessage['type'], readonly string[]>>> = {
  answer_permission: ['runId', 'requestId', 'allow'],
  stop_run: ['runId'],
  watch_run: ['runId'],
  unwatch_run: ['runId'],
}

const WORDS: Readonly<Record<FieldKind, string>> = {
  text: 'a string of 1 to 10,000 characters',
  flag: 'true or false',
  count: 'an integer of 0 or more',
  object: 'an object',
  answers: 'an array of 1 to 20 arrays of 1 to 20 strings of 1 to 10,000 characters',
}

/** Limits ids, reasons and rules. */
const MAX_TEXT_LENGTH = 10_000

/** Limits the questions of a request, and the options of a question. */
const MAX_ANSWERS = 20

/** Parses a client message. Unknown fields are dropped: a newer client may send more. */
export function parseClientMessage(text: string): ClientMessageOutcome {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return fail({code: 'bad-json', message: 'Invalid message: not JSON.'})
  }
  if (!isRecord(value))
    return fail({code: 'bad-json', message: 'Invalid message: expected a JSON object.'})
  const ref = isOfKind(value['ref'], 'text') ? String(value['ref']) : undefined
  const type = value['type']
  if (typeof type !== 'string' || !isType(type)) {
    const known = Object.keys(FIELDS).join(', ')
    const message = `Unknown message type: expected one of ${known}.`
    return fail({code: 'unknown-type', message, field: 'type', ref})
  }
  const fields: Record<string, unknown> = {type}
  for (const [field, kind] of Object.entries(FIELDS[type])) {
    const given = value[field]
    // Some serializers write `null` for an absent field.
    const isAbsent = given === undefined || given === null
    if (isAbsent && REQUIRED[type]?.includes(field) !== true) continue
    if (!isOfKind(given, kind)) {
      const message = `Invalid field \`${field}\` of ${type}: expected ${WORDS[kind]}.`
      return fail({code: 'bad-field', message, field, ref})
    }
    fields[field] = given
  }
  if (fields['since'] !== undefined && fields['runId'] === undefined) {
    const message = 'Invalid field `since` of subscribe: it needs a `runId`.'
    return fail({code: 'bad-field', message, field: 'since', ref})
  }
  return {ok: true, message: fields as unknown as ClientMessage}
}

function fail(error: ClientMessageError): ClientMessageOutcome {
  return {ok: false, error}
}

function isType(type: string): type is ClientMessage['type'] {
  return Object.hasOwn(FIELDS, type)
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '' && value.length <= MAX_TEXT_LENGTH
    case 'flag':
      return typeof value === 'boolean'
    case 'count':
      return Number.isSafeInteger(value) && Number(value) >= 0
    case 'object':
      return isRecord(value)
    case 'answers':
      return isShortList(value, (list) => isShortList(list, (text) => isOfKind(text, 'text')))
    default:
      return kind satisfies never
  }
}

function isShortList(value: unknown, isItem: (item: unknown) => boolean): boolean {
  return (
    Array.isArray(value) && value.length > 0 && value.length <= MAX_ANSWERS && value.every(isItem)
  )
}
