import * as z from 'zod'
import {ERROR_CODES, MESSAGE_TOOLS} from '../../core/protocol/server-message.ts'
import {count, flag, message, named, number, text} from './fields.ts'
import {runEnding, runOrigin, runSummary} from './run.ts'

const timestamp = z.iso.datetime()
const run = {runId: text(), workOrderId: text()}
const target = z.object(run).partial().shape
const ref = text('That of the message of the client.').optional()
const tool = z
  .enum([...MESSAGE_TOOLS, 'Other'])
  .describe('Common name of the tool, independent of the agent.')
const name = text("The agent's name for the tool.")
const input = z
  .record(z.string(), z.unknown())
  .describe('Input of the tool as the agent wrote it, with secrets masked.')

const base = {
  workOrderId: text('The run id if the run belongs to no work order.'),
  runId: text(),
  seq: count('Number of the message in its run; of state: the last message that it reflects.'),
  timestamp,
}

const runMessages = [
  message('run_started', 'A run started.', {...base, ...runOrigin}),
  message('agent_output', 'The agent wrote text.', {
    ...base,
    content: text('A complete text; for a command that is not a known agent, its output.'),
  }),
  message('agent_tool_call', 'The agent called a tool.', {
    ...base,
    toolUseId: text(),
    tool,
    name: name.optional(),
    input,
  }),
  message('agent_tool_result', 'A tool call ended.', {
    ...base,
    toolUseId: text(),
    success: flag(),
    contentPreview: text('The first 500 characters of the output or of the error.').max(500),
    contentLength: count('Length of the complete content in characters.'),
    durationMs: number('As the agent reports it, or as observed: at most this long.'),
  }),
  message('agent_thinking', 'The agent reasoned. Sent only with `includeThinking`.', {
    ...base,
    seq: count('That of the previous message.'),
    content: text(),
  }),
  message('file_changed', 'A file was created, modified or deleted.', {
    ...base,
    path: text('Relative to the working directory of the run if it is inside.'),
    action: z.enum(['created', 'modified', 'deleted']),
    sizeBytes: count('Only if the change was seen on disk.').optional(),
    isUncertain: flag('Whether another run in the same folder may have made it.').optional(),
  }),
  message('permission_request', 'The agent requests permission for a tool call.', {
    ...base,
    requestId: text("Needed to answer; without it only the agent's own UI can answer.").optional(),
    toolUseId: text().optional(),
    tool,
    name,
    input,
    reason: text("The agent's reason.").optional(),
    suggestedRule: text('Allows this and similar calls; absent if it has a secret.').optional(),
  }),
  message('run_ended', 'A run ended.', {...base, ...runEnding}),
  message('progress_update', 'State: progress of a run.', {
    ...base,
    percentage: count('Never decreases; 100 only at the end, for every verdict.').max(100),
    currentPhase: text(),
    toolCallCount: count(),
    elapsedSeconds: count(),
    estimatedRemainingSeconds: count('Only if it can be estimated.').optional(),
  }),
  message('run_updated', 'State: the current summary of a run.', {...base, run: runSummary}),
] as const

const hubMessages = [
  message('subscribed', 'A subscription is active.', {
    includeToolCalls: flag(),
    includeToolResults: flag(),
    includeOutput: flag(),
    includeFileChanges: flag(),
    includeProgress: flag(),
    includeThinking: flag(),
    ...target,
    since: count().optional(),
    ref,
  }),
  message('unsubscribed', 'A subscription was removed.', {...target, ref}),
  message('gap', 'Messages were dropped because the client was too slow.', {
    ...run,
    from: count('Number of the first missing message.'),
    to: count('Number of the last missing message.'),
  }),
  message('run_removed', 'The recording of a run was removed.', run),
  message('error', 'A client message was rejected. The connection stays open.', {
    code: z.enum(ERROR_CODES),
    message: text('For people; it may change.'),
    field: text('The invalid field, if there is one.').optional(),
    ref,
  }),
  message('pong', 'The reply to `ping`.', {timestamp, ref}),
] as const

export const runMessage = z
  .discriminatedUnion('type', runMessages)
  .register(named, {id: 'RunMessage'})

/** Every message from a hub to a client. */
export const serverMessage = z
  .discriminatedUnion('type', [...runMessages, ...hubMessages])
  .register(named, {id: 'ServerMessage'})
