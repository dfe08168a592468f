import {defaultFilter} from '../../core/protocol/server-message.ts'
import {messageSchemas} from './message-schemas.ts'
import {runSchemas} from './run-schemas.ts'
import {
  count,
  flag,
  list,
  named,
  object,
  orNull,
  text,
  word,
  type Fields,
  type Schema,
} from './schema.ts'

/** The OpenAPI description of the hub. */
export function openApi(version: string): object {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Vitrine hub',
      version,
      description:
        'Runs of coding agents, as they are and as they were. Fields that are not named here may be added: ignore them.',
      license: {name: 'MIT', identifier: 'MIT'},
    },
    paths: PATHS,
    components: {
      securitySchemes: {
        bearer: {type: 'http', scheme: 'bearer', description: 'The token of the data folder.'},
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'vitrine-4310',
          description: 'Set by a login link; its name ends in the port of the hub.',
        },
      },
      responses: {
        Error: {description: 'Why not.', content: json(named('Error'))},
      },
      schemas: {...runSchemas, ...messageSchemas, ...ANSWERS},
    },
  }
}

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string | undefined
  schema: Schema
}

type Responses = Readonly<Record<number, object>>

const INDEXING = count('How many recordings wait to be indexed.')

/** Bodies of a single path. */
const ANSWERS: Readonly<Record<string, Schema>> = {
  Error: only({
    error: only({code: text('For programs.'), message: text('For people.')}),
  }),
  RunPage: only({
    runs: list(named('RunSummary'), 'The newest first.'),
    total: count('Of all pages.'),
    next: orNull({type: 'string', description: 'The `before` of the next page; null on the last.'}),
    indexing: INDEXING,
  }),
  Run: only({run: named('RunSummary'), lastSeq: count('Of the last message in the index.')}),
  Tools: only({uses: list(named('ToolUse')), stats: list(named('ToolStats'))}),
  Files: only({files: list(named('ChangedFile'), 'By path.')}),
  Records: only({records: list(named('FullRecord'))}),
  FoundLines: only({
    lines: list(count(), 'The first 1,000.'),
    total: count('How many lines hold it.'),
  }),
  FullRecord: only({
    line: count('From 1.'),
    raw: text('As it came, without secrets, cut at 64 KiB.'),
    events: list({type: 'object'}, 'What it means; see src/core/events/events.ts.'),
  }),
  HitPage: only({
    hits: list(named('Hit'), 'The newest first.'),
    next: orNull({
      type: 'integer',
      description: 'The `before` of the next page; null on the last.',
    }),
    waiting: count('How many messages cannot be found yet.'),
    indexing: INDEXING,
  }),
  LoginLink: only({url: text('Logs one browser in, once, within 10 minutes.')}),
  HookTaken: only({runId: text('The run that the payload is of.')}),
  Health: only({status: {const: 'ok'}, version: text()}),
}

const RUN_ID: Parameter = {name: 'runId', in: 'path', required: true, schema: text()}
const SINCE = query('since', {...count('Only what comes after this `seq`.'), default: 0})
const TYPES = query('types', text('Types of messages, with commas between them.'))
const FILTER = Object.entries(defaultFilter).map(([name, isIncluded]) =>
  query(name, {...flag(), default: isIncluded}),
)
const THINKING = query('includeThinking', {...flag(), default: false})
const BYTES = {'application/octet-stream': {}}

const PAGE = {
  200: {description: 'The page.', content: {'text/html': {}}},
  401: {description: 'How to get in.', content: {'text/html': {}}},
}
const FILE_NAME: Parameter = {name: 'name', in: 'path', required: true, schema: text()}
const ASSET = {
  responses: {200: {description: 'A file.', content: BYTES}, ...errors(404)},
}

/** All paths. */
const PATHS = {
  '/api/runs': {
    get: guarded('view', 'Lists runs', {
      parameters: [
        limit(50, 500),
        query('before', text('`next` of the page before.')),
        query('agent', text()),
        query('verdict', text()),
        query('state', word(['live', 'over'])),
        query('workOrderId', text()),
        query('q', text('Words that are all in the title or in one of the ids.')),
      ],
      responses: answers(200, 'RunPage', 400),
    }),
  },
  '/api/runs/{runId}': {
    get: guarded('view', 'What holds of a run', {
      parameters: [RUN_ID],
      responses: answers(200, 'Run', 404),
    }),
  },
  '/api/runs/{runId}/events': {
    get: guarded('view', 'Pages the messages of a run', {
      parameters: [RUN_ID, SINCE, limit(500, 5000), TYPES, THINKING],
      responses: answers(200, 'EventPage', 400, 404),
    }),
  },
  '/api/runs/{runId}/tools': {
    get: guarded('view', 'The tools that a run used', {
      parameters: [RUN_ID],
      responses: answers(200, 'Tools', 404),
    }),
  },
  '/api/runs/{runId}/files': {
    get: guarded('view', 'The files that a run changed', {
      parameters: [RUN_ID],
      responses: answers(200, 'Files', 404),
    }),
  },
  '/api/runs/{runId}/records': {
    get: guarded('view', 'Lines of what a run printed, in full, and what they mean', {
      parameters: [
        RUN_ID,
        query('lines', text('Which, from 1, at most 1,000: such as `3,17,20-25`.')),
        query('find', text('Or a text: then the answer is which lines hold it. Needs `answer`.')),
      ],
      responses: {
        200: {
          description: 'Records, or with `find` FoundLines.',
          content: json({oneOf: [named('Records'), named('FoundLines')]}),
        },
        ...errors(400, 404),
      },
    }),
  },
  '/api/runs/{runId}/stream': {
    get: guarded('view', 'The messages of a run as server-sent events, until it is over', {
      parameters: [
        RUN_ID,
        SINCE,
        header('Last-Event-ID', count('The same as `since`, and before it.')),
        ...FILTER,
      ],
      responses: {
        200: {
          description: 'Each event has `id` (seq), `event` (type) and `data` (a ServerMessage).',
          content: {'text/event-stream': {schema: text()}},
        },
        204: {description: 'The run is over and everything was seen: do not come again.'},
        ...errors(404),
      },
    }),
  },
  '/api/runs/{runId}/raw': {
    get: guarded('answer', 'What a run printed or was told, byte for byte, secrets and all', {
      parameters: [
        RUN_ID,
        query('file', {...word(['stdout', 'stderr', 'stdin']), default: 'stdout'}),
        header('Range', text('One range of bytes, such as `bytes=0-1023` or `bytes=-500`.')),
      ],
      responses: {
        200: {description: 'All of it.', content: BYTES},
        206: {description: 'The part that was asked for.', content: BYTES},
        416: {description: 'There is no such part; `Content-Range` has the size.'},
        ...errors(400, 404),
      },
    }),
  },
  '/api/search': {
    get: guarded('view', 'Searches the messages of all runs', {
      parameters: [
        query('q', text('Words that are all in the message; the last one may go on.')),
        query('runId', text()),
        TYPES,
        limit(50, 500),
        query('before', count('`next` of the page before.')),
      ],
      responses: answers(200, 'HitPage', 400),
    }),
  },
  '/api/stats': {
    get: guarded('view', 'All runs in figures', {responses: answers(200, 'Stats')}),
  },
  '/api/login-links': {
    post: guarded('answer', 'Makes a link that logs a browser in', {
      responses: answers(201, 'LoginLink'),
    }),
  },
  '/api/hooks': {
    post: guarded('ingest', "Takes a payload of an agent's hook", {
      requestBody: {required: true, content: json({type: 'object'})},
      responses: answers(202, 'HookTaken', 400, 404, 408, 413, 415, 503),
    }),
  },
  '/metrics': {
    get: guarded('view', 'Figures of the hub itself, for Prometheus', {
      responses: {200: {description: 'Text.', content: {'text/plain': {schema: text()}}}},
    }),
  },
  '/ws': {
    get: guarded('view', 'A WebSocket: ClientMessage in, ServerMessage out', {
      responses: {101: {description: 'Text frames of JSON follow.'}},
    }),
  },
  '/ingest': {
    get: guarded('ingest', 'A WebSocket for runners, by which they hand in their runs', {
      responses: {101: {description: 'See docs/protocol.md.'}},
    }),
  },
  '/healthz': {
    get: open('Whether the hub is there', answers(200, 'Health')),
  },
  '/api/openapi.json': {
    get: open('This', {200: {description: 'OpenAPI 3.1.', content: json({type: 'object'})}}),
  },
  '/login': {
    get: {
      ...open('Logs a browser in by the code of a login link', {
        200: {
          description:
            'From a link on another site: sets the cookie, and the page goes on by itself.',
          content: {'text/html': {}},
        },
        303: {description: 'Sets the cookie and leads to the page.'},
        403: {description: 'The code is not good any more.', content: {'text/html': {}}},
      }),
      parameters: [query('code', text('Good once.'))],
    },
  },
  '/logout': {
    post: open('Makes the browser forget its session', {204: {description: 'It has.'}}),
  },
  '/assets/{name}': {
    get: guarded('view', 'What the dashboard loads', {parameters: [FILE_NAME], ...ASSET}),
  },
  '/favicon.svg': {get: guarded('view', 'Its icon', ASSET)},
  '/': {get: open('The dashboard', PAGE)},
  '/runs/{runId}': {get: {...open('The dashboard, at a run', PAGE), parameters: [RUN_ID]}},
}

/** An object whose fields are all required. */
function only(always: Readonly<Record<string, Schema>>): Schema {
  const fields: Fields<Record<string, unknown>> = {always, maybe: {}}
  return object(fields)
}

function query(name: string, schema: Schema): Parameter {
  return {name, in: 'query', schema}
}

function header(name: string, schema: Schema): Parameter {
  return {name, in: 'header', schema}
}

function limit(usual: number, most: number): Parameter {
  const schema = {...count(`No more than ${most} are given.`), minimum: 1, default: usual}
  return query('limit', schema)
}

function json(schema: Schema): object {
  return {'application/json': {schema}}
}

function answers(status: number, name: string, ...refusals: number[]): Responses {
  return {[status]: {description: name, content: json(named(name))}, ...errors(...refusals)}
}

function errors(...statuses: number[]): Responses {
  const response = {$ref: '#/components/responses/Error'}
  return Object.fromEntries(statuses.map((status) => [status, response]))
}

/** An operation that needs a right. */
function guarded(
  right: 'view' | 'answer' | 'ingest',
  summary: string,
  operation: {parameters?: Parameter[]; requestBody?: object; responses: Responses},
): object {
  return {
    summary,
    security: [{bearer: [right]}, {cookie: [right]}],
    ...operation,
    responses: {...operation.responses, ...errors(401, 403, 421, 429)},
  }
}

/** A public operation. */
function open(summary: string, responses: Responses): object {
  return {summary, security: [], responses: {...responses, ...errors(421, 429)}}
}
