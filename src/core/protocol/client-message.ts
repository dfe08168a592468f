import type {ErrorCode, SubscribeFilter} from './server-message.ts'
import {isRecord, type JsonObject} from '../wire/json.ts'
import type {UserAnswers} from '../events/question.ts'

/** Wants the messages of a run, of a work order, or of all runs. */
export interface SubscribeMessage extends SubscribeFilter {
  type: 'subscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  /** Everything after this message, 0 for all; only with a `runId`. Absent: from now on. */
  since?: number | undefined
  /** Comes back with what this message is answered with. */
  ref?: string | undefined
}

/** Wants no more of what was subscribed to with the same ids. */
export interface UnsubscribeMessage {
  type: 'unsubscribe'
  runId?: string | undefined
  workOrderId?: string | undefined
  ref?: string | undefined
}

/** Wants to know whether the hub is there. */
export interface PingMessage {
  type: 'ping'
  ref?: string | undefined
}

/** Says what the agent may do. The first answer counts. */
export interface AnswerPermissionMessage {
  type: 'answer_permission'
  runId: string
  requestId: string
  allow: boolean
  /** What the agent is told when it may not. */
  message?: string | undefined
  /** Allow all that this rule covers, for the rest of the run. */
  rule?: string | undefined
  /** What the tool gets instead of what the agent wanted. */
  input?: JsonObject | undefined
  /** The answers to each question, where the request is a question to the user: it is allowed with these only. */
  answers?: UserAnswers | undefined
  ref?: string | undefined
}

/** Wants a run to stop. */
export interface StopRunMessage {
  type: 'stop_run'
  runId: string
  ref?: string | undefined
}

/** Wants to see one run closely: everything in its recording, item by item, and what comes. */
export interface WatchRunMessage {
  type: 'watch_run'
  runId: string
  /** The number of the last item that is there already; absent or 0 for all. */
  since?: number | undefined
  ref?: string | undefined
}

/** Wants to see it no more. */
export interface UnwatchRunMessage {
  type: 'unwatch_run'
  runId: string
  ref?: string | undefined
}

/** Everything that a client says to a hub. */
export type ClientMessage =
  | SubscribeMessage
  | UnsubscribeMessage
  | PingMessage
  | AnswerPermissionMessage
  | StopRunMessage
  | WatchRunMessage
  | UnwatchRunMessage

/** A message of a client, or why it is none. */
export type ClientMessageOutcome =
  | {ok: true; message: ClientMessage}
  | {ok: false; error: ClientMessageFlaw}

/** What is wrong with a client's message. */
interface ClientMessageFlaw {
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

const REQUIRED: Readonly<Record<ClientMessage['type'], readonly string[]>> = {
  subscribe: [],
  unsubscribe: [],
  ping: [],
  answer_permission: ['runId', 'requestId', 'allow'],
  stop_run: ['runId'],
  watch_run: ['runId'],
  unwatch_run: ['runId'],
}

const WORDS: Readonly<Record<FieldKind, string>> = {
  text: 'a text of 1 to 10,000 characters',
  flag: 'true or false',
  count: 'a whole number of at least 0',
  object: 'an object',
  answers: 'a list of 1 to 20 lists of 1 to 20 texts of 1 to 10,000 characters',
}

/** No id, reason or rule is longer. */
const MOST_CHARACTERS = 10_000

/** No agent asks more questions in a request, or offers more options for one. */
const MAX_ANSWERS = 20

/** Reads what a client said. Fields that are not known are left out: a later client may have more to say. */
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
    const message = `Invalid field \`type\`: expected one of ${known}.`
    return fail({code: 'unknown-type', message, field: 'type', ref})
  }
  const fields: Record<string, unknown> = {type}
  for (const [field, kind] of Object.entries(FIELDS[type])) {
    const given = value[field]
    // What is `null` was left out by somebody's serialiser.
    const isAbsent = given === undefined || given === null
    if (isAbsent && !REQUIRED[type].includes(field)) continue
    if (!isOfKind(given, kind)) {
      const message = `Invalid field \`${field}\` of ${type}: expected ${WORDS[kind]}.`
      return fail({code: 'bad-field', message, field, ref})
    }
    fields[field] = given
  }
  if (fields['since'] !== undefined && fields['runId'] === undefined) {
    const message =
      'Invalid field `since`: it needs a runId, because it counts the messages of one run.'
    return fail({code: 'bad-field', message, field: 'since', ref})
  }
  return {ok: true, message: fields as unknown as ClientMessage}
}

function fail(error: ClientMessageFlaw): ClientMessageOutcome {
  return {ok: false, error}
}

function isType(type: string): type is ClientMessage['type'] {
  return Object.hasOwn(FIELDS, type)
}

function isOfKind(value: unknown, kind: FieldKind): boolean {
  switch (kind) {
    case 'text':
      return typeof value === 'string' && value !== '' && value.length <= MOST_CHARACTERS
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
