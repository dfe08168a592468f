import * as z from 'zod'
import type {ClientMessage} from '../../core/protocol/client-message.ts'
import type {ErrorMessage} from '../../core/protocol/server-message.ts'
import {isRecord, type JsonObject} from '../../core/wire/json.ts'
import {attempt} from '../../recording/attempt.ts'
import {count, flag, message, named, shortText} from './fields.ts'

const ANSWERS = 'expected an array of 1 to 20 arrays of 1 to 20 strings of 1 to 10,000 characters'
const SINCE =
  'Needs `runId`: everything after this number, 0 for all, then live messages. Absent: live only.'
const INPUT =
  'To allow: replaces the input. Absent: no change; the input that you saw may be masked.'
const ref = shortText('Returned in the reply.').optional()

const messages = [
  message('subscribe', 'Subscribes to a run, a work order, or all runs.', {
    runId: shortText('A run, which need not have started yet.').optional(),
    workOrderId: shortText('All runs of a work order; ignored with a `runId`.').optional(),
    since: count(SINCE).optional(),
    includeToolCalls: flag('`false` leaves out `agent_tool_call`.').optional(),
    includeToolResults: flag('`false` leaves out `agent_tool_result`.').optional(),
    includeOutput: flag('`false` leaves out `agent_output`.').optional(),
    includeFileChanges: flag('`false` leaves out `file_changed`.').optional(),
    includeProgress: flag('`false` leaves out `progress_update`.').optional(),
    includeThinking: flag('`true` adds `agent_thinking`.').optional(),
    ref,
  }).refine(({since, runId}) => since === undefined || runId !== undefined, {
    path: ['since'],
    error: 'it needs a `runId`',
  }),
  message('unsubscribe', 'Removes the subscription with the same ids.', {
    runId: shortText().optional(),
    workOrderId: shortText().optional(),
    ref,
  }),
  message('ping', 'Checks the connection.', {ref}),
  message('answer_permission', 'Answers a permission request.', {
    runId: shortText(),
    requestId: shortText('That of the `permission_request`.'),
    allow: flag(),
    message: shortText('To deny: a reason for the agent.').optional(),
    rule: shortText('To allow: allows all that it matches until the run ends.').optional(),
    // A record would lose the key `__proto__`.
    input: z
      .custom<JsonObject>(isRecord, 'expected an object')
      .meta({type: 'object', description: INPUT})
      .optional(),
    answers: answerList(answerList(shortText(undefined, ANSWERS)))
      .describe('To allow a question to the user: the answers to each question, in order.')
      .optional(),
    ref,
  }),
  message('stop_run', 'Stops a run.', {runId: shortText(), ref}),
  message('watch_run', 'Requests all items of a run, then live ones.', {
    runId: shortText(),
    since: count('Number of the last item that you have; 0 or absent for all.').optional(),
    ref,
  }),
  message('unwatch_run', 'Stops sending items of a run.', {runId: shortText(), ref}),
] as const

function answerList<T extends z.ZodType>(item: T) {
  return z.array(item, ANSWERS).min(1, ANSWERS).max(20, ANSWERS)
}

/** Every message from a client to a hub. */
export const clientMessage = z
  .discriminatedUnion('type', messages)
  .register(named, {id: 'ClientMessage'})

/** A valid client message, or the error. */
type Outcome = {ok: true; message: ClientMessage} | {ok: false; error: Omit<ErrorMessage, 'type'>}

/** Parses a client message. Unknown fields are dropped: a newer client may send more. */
export function parseClientMessage(json: string): Outcome {
  const value = attempt((): unknown => JSON.parse(json))
  if (!isRecord(value)) {
    const flaw = value === undefined ? 'not JSON' : 'expected a JSON object'
    return fail({code: 'bad-json', message: `Invalid message: ${flaw}.`})
  }
  const {data: knownRef} = ref.safeParse(value['ref'])
  // Some serializers write `null` for an absent field.
  const fields = Object.entries(value).filter(([, field]) => field !== null)
  const {data, error} = clientMessage.safeParse(Object.fromEntries(fields))
  if (data !== undefined) return {ok: true, message: data}
  const [issue] = error.issues
  if (issue?.code === 'invalid_union') {
    const known = messages.map(({shape}) => shape.type.value).join(', ')
    const unknown = `Unknown message type: expected one of ${known}.`
    return fail({code: 'unknown-type', message: unknown, field: 'type', ref: knownRef})
  }
  const field = String(issue?.path[0])
  const flaw = `Invalid field \`${field}\`: ${issue?.message}.`
  return fail({code: 'bad-field', message: flaw, field, ref: knownRef})
}

function fail(error: Omit<ErrorMessage, 'type'>): Outcome {
  return {ok: false, error}
}
