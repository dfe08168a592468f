import type {
  AnswerPermissionMessage,
  ClientMessage,
  PingMessage,
  StopRunMessage,
  SubscribeMessage,
  UnsubscribeMessage,
  UnwatchRunMessage,
  WatchRunMessage,
} from '../../core/protocol/client-message.ts'
import type {
  AgentOutputEvent,
  AgentThinkingEvent,
  AgentToolCallEvent,
  AgentToolResultEvent,
  ErrorMessage,
  FileChangedEvent,
  GapMessage,
  PermissionRequestEvent,
  PongMessage,
  ProgressUpdateEvent,
  RunEndedEvent,
  RunMessage,
  RunMessageBase,
  RunRemovedMessage,
  RunStartedEvent,
  RunUpdatedEvent,
  ServerMessage,
  SubscribedMessage,
  SubscribeFilter,
  UnsubscribedMessage,
} from '../../core/protocol/server-message.ts'
import {ending, origin} from './run-schemas.ts'
import {
  count,
  flag,
  list,
  named,
  object,
  table,
  text,
  union,
  word,
  type Fields,
  type Schema,
} from './schema.ts'

const TOOL = word(
  ['Read', 'Write', 'Edit', 'Bash', 'Grep', 'Glob', 'WebFetch', 'WebSearch', 'Other'],
  'Common name of the tool, independent of the agent.',
)
const INPUT = table({}, 'Input of the tool with secrets masked.')
const ANSWERS =
  'Required to answer a question to the user: for each question, in order, the labels of chosen options or other text.'
const REF = {...text('Returned in the reply.'), maxLength: 10_000}

const base: Fields<RunMessageBase>['always'] = {
  workOrderId: text('The work order; the run id if the run belongs to none.'),
  runId: text(),
  seq: count(
    'Number of the message in its run, starting at 1; for state messages, the last message they include.',
  ),
  timestamp: {type: 'string', format: 'date-time'},
}

type Own<M extends RunMessage> = Fields<Omit<M, keyof RunMessageBase | 'type'>>

const target = {runId: text(), workOrderId: text()}
const filter: Fields<SubscribeFilter>['maybe'] = {
  includeToolCalls: {...flag(), default: true},
  includeToolResults: {...flag(), default: true},
  includeOutput: {...flag(), default: true},
  includeFileChanges: {...flag(), default: true},
  includeProgress: {...flag(), default: true},
  includeThinking: {...flag(), default: false},
}
const since = count('Send only messages after this one, 0 for all; needs `runId`.')

const OF_RUNS: Readonly<Record<RunMessage['type'], Schema>> = {
  run_started: ofRun<RunStartedEvent>('run_started', 'A run started.', origin),
  agent_tool_call: ofRun<AgentToolCallEvent>('agent_tool_call', 'The agent called a tool.', {
    always: {toolUseId: text(), tool: TOOL, input: INPUT},
    maybe: {name: text('Name of the tool in the agent.')},
  }),
  agent_tool_result: ofRun<AgentToolResultEvent>('agent_tool_result', 'A tool call ended.', {
    always: {
      toolUseId: text(),
      success: flag(),
      contentPreview: {...text('The first 500 characters.'), maxLength: 500},
      contentLength: count('Length of the complete content in characters.'),
      durationMs: count(),
    },
    maybe: {},
  }),
  agent_output: ofRun<AgentOutputEvent>('agent_output', 'The agent printed text.', {
    always: {content: text()},
    maybe: {},
  }),
  agent_thinking: ofRun<AgentThinkingEvent>(
    'agent_thinking',
    'Thinking of the agent. Sent only with `includeThinking`; has the `seq` of the previous message.',
    {always: {content: text()}, maybe: {}},
  ),
  file_changed: ofRun<FileChangedEvent>(
    'file_changed',
    'A file was created, modified or deleted.',
    {
      always: {
        path: text('Relative to the working directory of the run if it is inside.'),
        action: word(['created', 'modified', 'deleted']),
      },
      maybe: {
        sizeBytes: count(),
        isUncertain: flag('True if another run in the same directory may have made the change.'),
      },
    },
  ),
  permission_request: ofRun<PermissionRequestEvent>(
    'permission_request',
    'The agent requests permission for a tool call. Sent only to clients with the right `answer`.',
    {
      always: {tool: TOOL, name: text('Name of the tool in the agent.'), input: INPUT},
      maybe: {
        requestId: text(
          'Id for `answer_permission`; absent if the request cannot be answered here.',
        ),
        toolUseId: text(),
        reason: text(),
        suggestedRule: text('A rule that allows this and similar calls.'),
      },
    },
  ),
  run_ended: ofRun<RunEndedEvent>('run_ended', 'A run ended.', ending),
  progress_update: ofRun<ProgressUpdateEvent>('progress_update', 'State: progress of the run.', {
    always: {
      percentage: {...count('Never decreases; 100 only at the end.'), maximum: 100},
      currentPhase: text(),
      toolCallCount: count(),
      elapsedSeconds: count(),
    },
    maybe: {estimatedRemainingSeconds: count('Present only if it can be estimated.')},
  }),
  run_updated: ofRun<RunUpdatedEvent>('run_updated', 'State: current summary of the run.', {
    always: {run: named('RunSummary')},
    maybe: {},
  }),
}

const OF_HUB: Readonly<Record<Exclude<ServerMessage['type'], RunMessage['type']>, Schema>> = {
  subscribed: typed<SubscribedMessage>('subscribed', 'A subscription is active.', {
    always: filter,
    maybe: {...target, since, ref: REF},
  }),
  unsubscribed: typed<UnsubscribedMessage>('unsubscribed', 'A subscription was removed.', {
    always: {},
    maybe: {...target, ref: REF},
  }),
  gap: typed<GapMessage>('gap', 'Messages that were dropped because the client was too slow.', {
    always: {
      runId: text(),
      workOrderId: text(),
      from: count('First missing `seq`.'),
      to: count('Last missing `seq`.'),
    },
    maybe: {},
  }),
  run_removed: typed<RunRemovedMessage>('run_removed', 'The recording of a run was removed.', {
    always: {runId: text(), workOrderId: text()},
    maybe: {},
  }),
  error: typed<ErrorMessage>('error', 'A client message was rejected; the connection stays open.', {
    always: {
      code: word([
        'bad-json',
        'binary',
        'unknown-type',
        'bad-field',
        'forbidden',
        'rate-limited',
        'too-many',
        'no-such-run',
        'no-such-request',
        'not-reachable',
      ] satisfies ErrorMessage['code'][]),
      message: text('Description for people.'),
    },
    maybe: {field: text('The invalid field, if there is one.'), ref: REF},
  }),
  pong: typed<PongMessage>('pong', 'The reply to a ping.', {
    always: {timestamp: {type: 'string', format: 'date-time'}},
    maybe: {ref: REF},
  }),
}

const OF_CLIENT: Readonly<Record<ClientMessage['type'], Schema>> = {
  subscribe: typed<SubscribeMessage>(
    'subscribe',
    'Subscribes to a run, a work order, or all runs.',
    {
      always: {},
      maybe: {...target, ...filter, since, ref: REF},
    },
  ),
  unsubscribe: typed<UnsubscribeMessage>('unsubscribe', 'Removes a subscription.', {
    always: {},
    maybe: {...target, ref: REF},
  }),
  ping: typed<PingMessage>('ping', 'Checks the connection.', {always: {}, maybe: {ref: REF}}),
  answer_permission: typed<AnswerPermissionMessage>(
    'answer_permission',
    'Answers a permission request. The first answer counts.',
    {
      always: {runId: text(), requestId: text(), allow: flag()},
      maybe: {
        message: text('Reason of a denial, sent to the agent.'),
        rule: text('Allow all matching calls for the rest of the run; only with `allow: true`.'),
        input: table({}, 'Changed input for the tool; only with `allow: true`.'),
        answers: list(list(text()), ANSWERS),
        ref: REF,
      },
    },
  ),
  stop_run: typed<StopRunMessage>('stop_run', 'Stops a run.', {
    always: {runId: text()},
    maybe: {ref: REF},
  }),
  watch_run: typed<WatchRunMessage>('watch_run', 'Requests all items of a run, then live ones.', {
    always: {runId: text()},
    maybe: {since: count('Number of the last item that the client has.'), ref: REF},
  }),
  unwatch_run: typed<UnwatchRunMessage>('unwatch_run', 'Stops sending items of a run.', {
    always: {runId: text()},
    maybe: {ref: REF},
  }),
}

/** The schemas of all WebSocket messages, by `type`. */
export const messageSchemas: Readonly<Record<string, Schema>> = {
  ...OF_RUNS,
  ...OF_HUB,
  ...OF_CLIENT,
  RunMessage: union(Object.keys(OF_RUNS), 'All messages about a run.'),
  ServerMessage: union(
    Object.keys({...OF_RUNS, ...OF_HUB}),
    'All messages that the hub sends at /ws.',
  ),
  ClientMessage: union(Object.keys(OF_CLIENT), 'All messages that a client sends at /ws.'),
  EventPage: object<{events: unknown; next: unknown; isEnd: unknown}>({
    always: {
      events: list(named('RunMessage'), 'In order, without state messages.'),
      next: count('`since` of the next page.'),
      isEnd: flag('Whether no further messages match at the moment.'),
    },
    maybe: {},
  }),
}

function ofRun<M extends RunMessage>(type: M['type'], description: string, own: Own<M>): Schema {
  const always: Record<string, Schema> = {type: {const: type}, ...base, ...own.always}
  return object<Record<string, unknown>>({always, maybe: own.maybe}, description)
}

function typed<M extends {type: string}>(
  type: M['type'],
  description: string,
  own: Fields<Omit<M, 'type'>>,
): Schema {
  const always: Record<string, Schema> = {type: {const: type}, ...own.always}
  return object<Record<string, unknown>>({always, maybe: own.maybe}, description)
}
