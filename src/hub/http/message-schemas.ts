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
  'What it does, whatever the agent calls it.',
)
const INPUT = table({}, 'As the agent gave it, without secrets.')
const ANSWERS =
  'For a question to the user, which is allowed with these only: for each question, in order, labels of options or other text.'
const REF = {...text('Comes back with the answer.'), maxLength: 10_000}

const base: Fields<RunMessageBase>['always'] = {
  workOrderId: text('That of the run itself when it is part of nothing.'),
  runId: text(),
  seq: count('Counts the messages of a run from 1; of state that of the last message it reflects.'),
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
const since = count('Everything after this message, 0 for all; only with a runId.')

const OF_RUNS: Readonly<Record<RunMessage['type'], Schema>> = {
  run_started: ofRun<RunStartedEvent>('run_started', 'A run began.', origin),
  agent_tool_call: ofRun<AgentToolCallEvent>('agent_tool_call', 'The agent called a tool.', {
    always: {toolUseId: text(), tool: TOOL, input: INPUT},
    maybe: {name: text("The agent's word for the tool.")},
  }),
  agent_tool_result: ofRun<AgentToolResultEvent>('agent_tool_result', 'A tool is done.', {
    always: {
      toolUseId: text(),
      success: flag(),
      contentPreview: {...text('The first 500 characters.'), maxLength: 500},
      contentLength: count('Of the whole, in characters.'),
      durationMs: count(),
    },
    maybe: {},
  }),
  agent_output: ofRun<AgentOutputEvent>('agent_output', 'The agent said something.', {
    always: {content: text()},
    maybe: {},
  }),
  agent_thinking: ofRun<AgentThinkingEvent>(
    'agent_thinking',
    'The agent reasoned. Only with includeThinking; has the seq of the message before it.',
    {always: {content: text()}, maybe: {}},
  ),
  file_changed: ofRun<FileChangedEvent>('file_changed', 'A file is another now.', {
    always: {
      path: text('Relative to the folder of the run where it is in it.'),
      action: word(['created', 'modified', 'deleted']),
    },
    maybe: {
      sizeBytes: count(),
      isUncertain: flag(
        'True when another run, active in the same folder, may have made the change.',
      ),
    },
  }),
  permission_request: ofRun<PermissionRequestEvent>(
    'permission_request',
    'The agent asks whether it may use a tool. Told to those who may answer.',
    {
      always: {tool: TOOL, name: text("The agent's word for the tool."), input: INPUT},
      maybe: {
        requestId: text('By which it is answered; without it nobody here can.'),
        toolUseId: text(),
        reason: text(),
        suggestedRule: text('Would allow this and what is like it.'),
      },
    },
  ),
  run_ended: ofRun<RunEndedEvent>('run_ended', 'A run is over.', ending),
  progress_update: ofRun<ProgressUpdateEvent>('progress_update', 'State: how far the run is.', {
    always: {
      percentage: {...count('Never goes back; 100 only at the end.'), maximum: 100},
      currentPhase: text(),
      toolCallCount: count(),
      elapsedSeconds: count(),
    },
    maybe: {estimatedRemainingSeconds: count('Only where there is ground to say it.')},
  }),
  run_updated: ofRun<RunUpdatedEvent>('run_updated', 'State: what holds of the run.', {
    always: {run: named('RunSummary')},
    maybe: {},
  }),
}

const OF_HUB: Readonly<Record<Exclude<ServerMessage['type'], RunMessage['type']>, Schema>> = {
  subscribed: typed<SubscribedMessage>('subscribed', 'A subscription holds from here on.', {
    always: filter,
    maybe: {...target, since, ref: REF},
  }),
  unsubscribed: typed<UnsubscribedMessage>('unsubscribed', 'A subscription holds no more.', {
    always: {},
    maybe: {...target, ref: REF},
  }),
  gap: typed<GapMessage>('gap', 'Messages that this client was too slow for.', {
    always: {
      runId: text(),
      workOrderId: text(),
      from: count('The first that is missing.'),
      to: count('The last that is missing.'),
    },
    maybe: {},
  }),
  run_removed: typed<RunRemovedMessage>('run_removed', 'The recording of a run was removed.', {
    always: {runId: text(), workOrderId: text()},
    maybe: {},
  }),
  error: typed<ErrorMessage>('error', 'A message came to nothing; the connection lives on.', {
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
      message: text('For people.'),
    },
    maybe: {field: text('The field that is wrong, if it is one.'), ref: REF},
  }),
  pong: typed<PongMessage>('pong', 'The answer to a ping.', {
    always: {timestamp: {type: 'string', format: 'date-time'}},
    maybe: {ref: REF},
  }),
}

const OF_CLIENT: Readonly<Record<ClientMessage['type'], Schema>> = {
  subscribe: typed<SubscribeMessage>('subscribe', 'Wants messages: of a run, an order, or all.', {
    always: {},
    maybe: {...target, ...filter, since, ref: REF},
  }),
  unsubscribe: typed<UnsubscribeMessage>('unsubscribe', 'Wants no more of them.', {
    always: {},
    maybe: {...target, ref: REF},
  }),
  ping: typed<PingMessage>('ping', 'Is the hub there?', {always: {}, maybe: {ref: REF}}),
  answer_permission: typed<AnswerPermissionMessage>(
    'answer_permission',
    'Says what the agent may do. The first answer counts.',
    {
      always: {runId: text(), requestId: text(), allow: flag()},
      maybe: {
        message: text('What the agent is told when it may not.'),
        rule: text('Allow all that this covers, for the rest of the run; only with a yes.'),
        input: table({}, 'What the tool gets instead; only with a yes.'),
        answers: list(list(text()), ANSWERS),
        ref: REF,
      },
    },
  ),
  stop_run: typed<StopRunMessage>('stop_run', 'Wants a run to stop.', {
    always: {runId: text()},
    maybe: {ref: REF},
  }),
  watch_run: typed<WatchRunMessage>('watch_run', 'Wants all items of a run, then live.', {
    always: {runId: text()},
    maybe: {since: count('The number of the last item that is there already.'), ref: REF},
  }),
  unwatch_run: typed<UnwatchRunMessage>('unwatch_run', 'Wants no more items of it.', {
    always: {runId: text()},
    maybe: {ref: REF},
  }),
}

/** The schemas of all WebSocket messages, by `type`. */
export const messageSchemas: Readonly<Record<string, Schema>> = {
  ...OF_RUNS,
  ...OF_HUB,
  ...OF_CLIENT,
  RunMessage: union(Object.keys(OF_RUNS), 'Everything that is told of a run.'),
  ServerMessage: union(Object.keys({...OF_RUNS, ...OF_HUB}), 'All that the hub says at /ws.'),
  ClientMessage: union(Object.keys(OF_CLIENT), 'All that a client says at /ws.'),
  EventPage: object<{events: unknown; next: unknown; isEnd: unknown}>({
    always: {
      events: list(named('RunMessage'), 'In their order, without state.'),
      next: count('The `since` of the next page.'),
      isEnd: flag('Nothing that is wanted comes after these, so far.'),
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
