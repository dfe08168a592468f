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
        'Live and recorded runs of coding agents. Clients must ignore unknown fields: later versions may add some.',
      license: {name: 'MIT', identifier: 'MIT'},
    },
    paths: PATHS,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token in `<data-dir>/token`, or one of `vitrine token`.',
        },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'vitrine-4310',
          description:
            'Session cookie set by a login link; its name ends with the port of the hub.',
        },
      },
      responses: {
        Error: {description: 'The error.', content: json(named('Error'))},
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

const INDEXING = count('Number of recordings waiting to be indexed.')

/** Bodies of a single path. */
const ANSWERS: Readonly<Record<string, Schema>> = {
  Error: only({
    error: only({
      code: text('Stable code for programs.'),
      message: text('Description for people.'),
    }),
  }),
  RunPage: only({
    runs: list(named('RunSummary'), 'Newest first.'),
    total: count('Number of runs on all pages.'),
    next: orNull({
      type: 'string',
      description: '`before` of the next page; null on the last page.',
    }),
    indexing: INDEXING,
  }),
  Run: only({run: named('RunSummary'), lastSeq: count('`seq` of the last indexed message.')}),
  Records: only({records: list(named('FullRecord'))}),
  FoundLines: only({
    lines: list(count(), 'Numbers of the first 1,000 matching lines.'),
    total: count('Number of matching lines.'),
  }),
  FullRecord: only({
    line: count('Line number, starting at 1.'),
    raw: text('The line with secrets masked, cut at 64 KiB.'),
    events: list({type: 'object'}, 'Its events, of the type AgentEvent of the npm package.'),
  }),
  HitPage: only({
    hits: list(named('Hit'), 'Newest first.'),
    next: orNull({
      type: 'integer',
      description: '`before` of the next page; null on the last page.',
    }),
    indexing: INDEXING,
  }),
  LoginLink: only({url: text('Logs one browser in; valid once, for 10 minutes.')}),
  HookAccepted: only({runId: text('The run that the payload belongs to.')}),
  Health: only({status: {const: 'ok'}, version: text()}),
}

const RUN_ID: Parameter = {name: 'runId', in: 'path', required: true, schema: text()}
const SINCE = query('since', {...count('Return only messages after this `seq`.'), default: 0})
const TYPES = query('types', text('Message types, separated by commas.'))
const FILTER = Object.entries(defaultFilter).map(([name, isIncluded]) =>
  query(name, {...flag(), default: isIncluded}),
)
const THINKING = query('includeThinking', {...flag(), default: false})
const BYTES = {'application/octet-stream': {}}

const PAGE = {
  200: {description: 'The dashboard.', content: {'text/html': {}}},
  401: {description: 'The login page.', content: {'text/html': {}}},
}
const FILE_NAME: Parameter = {name: 'name', in: 'path', required: true, schema: text()}
const ASSET = {
  responses: {200: {description: 'The file.', content: BYTES}, ...errors(404)},
}

/** All paths. */
const PATHS = {
  '/api/runs': {
    get: guarded('view', 'Lists runs', {
      parameters: [
        limit(50, 500),
        query('before', text('`next` of the previous page.')),
        query('agent', text()),
        query('verdict', text()),
        query('state', word(['live', 'over'])),
        query('workOrderId', text()),
        query('q', text('Words that must all occur in the title or in an id.')),
      ],
      responses: answers(200, 'RunPage', 400),
    }),
  },
  '/api/runs/{runId}': {
    get: guarded('view', 'Returns the current summary of a run', {
      parameters: [RUN_ID],
      responses: answers(200, 'Run', 404),
    }),
  },
  '/api/runs/{runId}/events': {
    get: guarded('view', 'Lists the messages of a run, page by page', {
      parameters: [RUN_ID, SINCE, limit(500, 5000), TYPES, THINKING],
      responses: answers(200, 'EventPage', 400, 404),
    }),
  },
  '/api/runs/{runId}/records': {
    get: guarded('view', 'Returns output lines of a run in full, with their events', {
      parameters: [
        RUN_ID,
        query('lines', text('Line numbers, at most 1,000, such as `3,17,20-25`.')),
        query('find', text('Instead of `lines`: a text to find. Needs the right `answer`.')),
      ],
      responses: {
        200: {
          description: 'Records, or FoundLines with `find`.',
          content: json({oneOf: [named('Records'), named('FoundLines')]}),
        },
        ...errors(400, 404),
      },
    }),
  },
  '/api/runs/{runId}/stream': {
    get: guarded(
      'view',
      'Streams the messages of a run as server-sent events, until it has ended',
      {
        parameters: [
          RUN_ID,
          SINCE,
          header('Last-Event-ID', count('Takes precedence over `since`.')),
          ...FILTER,
        ],
        responses: {
          200: {
            description: 'Each event has `id` (seq), `event` (type) and `data` (a ServerMessage).',
            content: {'text/event-stream': {schema: text()}},
          },
          204: {description: 'The run has ended and all messages were received: do not reconnect.'},
          ...errors(404),
        },
      },
    ),
  },
  '/api/runs/{runId}/raw': {
    get: guarded(
      'answer',
      'Returns the recorded stdout, stderr or stdin of a run, byte for byte, including secrets',
      {
        parameters: [
          RUN_ID,
          query('file', {...word(['stdout', 'stderr', 'stdin']), default: 'stdout'}),
          header('Range', text('One byte range, such as `bytes=0-1023` or `bytes=-500`.')),
        ],
        responses: {
          200: {description: 'The complete file.', content: BYTES},
          206: {description: 'The requested range.', content: BYTES},
          416: {description: 'The range is not satisfiable; `Content-Range` has the size.'},
          ...errors(400, 404),
        },
      },
    ),
  },
  '/api/search': {
    get: guarded('view', 'Searches the messages of all runs', {
      parameters: [
        query('q', text('Words that must all occur in the message; the last one is a prefix.')),
        query('runId', text()),
        TYPES,
        limit(50, 500),
        query('before', count('`next` of the previous page.')),
      ],
      responses: answers(200, 'HitPage', 400),
    }),
  },
  '/api/stats': {
    get: guarded('view', 'Returns statistics of all runs', {responses: answers(200, 'Stats')}),
  },
  '/api/login-links': {
    post: guarded('answer', 'Creates a login link for a browser', {
      responses: answers(201, 'LoginLink'),
    }),
  },
  '/api/hooks': {
    post: guarded('ingest', 'Records a hook payload of Claude Code', {
      requestBody: {required: true, content: json({type: 'object'})},
      responses: answers(202, 'HookAccepted', 400, 404, 408, 413, 415, 503),
    }),
  },
  '/metrics': {
    get: guarded('view', 'Returns metrics of the hub for Prometheus', {
      responses: {
        200: {
          description: 'Metrics in the text format of Prometheus.',
          content: {'text/plain': {schema: text()}},
        },
      },
    }),
  },
  '/ws': {
    get: guarded(
      'view',
      'Opens a WebSocket: the client sends ClientMessage, the hub ServerMessage',
      {
        responses: {101: {description: 'Switching to a WebSocket with text frames of JSON.'}},
      },
    ),
  },
  '/ingest': {
    get: guarded('ingest', 'Opens a WebSocket for runners that report runs', {
      responses: {101: {description: 'Switching to a WebSocket; see docs/protocol.md.'}},
    }),
  },
  '/healthz': {
    get: open('Checks that the hub is running', answers(200, 'Health')),
  },
  '/api/openapi.json': {
    get: open('Returns this document', {
      200: {description: 'An OpenAPI 3.1 document.', content: json({type: 'object'})},
    }),
  },
  '/login': {
    get: {
      ...open('Logs a browser in with the code of a login link', {
        200: {
          description:
            'After a link on another site: sets the session cookie; the page redirects by itself.',
          content: {'text/html': {}},
        },
        303: {description: 'Sets the session cookie and redirects to the dashboard.'},
        403: {description: 'The code was already used or has expired.', content: {'text/html': {}}},
      }),
      parameters: [query('code', text('The code of the link; valid once.'))],
    },
  },
  '/logout': {
    post: open('Removes the session cookie', {204: {description: 'The cookie was removed.'}}),
  },
  '/assets/{name}': {
    get: guarded('view', 'Returns an asset of the dashboard', {parameters: [FILE_NAME], ...ASSET}),
  },
  '/favicon.svg': {get: guarded('view', 'Returns the icon of the dashboard', ASSET)},
  '/': {get: open('Returns the dashboard', PAGE)},
  '/runs/{runId}': {get: {...open('Returns the dashboard for a run', PAGE), parameters: [RUN_ID]}},
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

function limit(defaultLimit: number, maxLimit: number): Parameter {
  const schema = {
    ...count(`At most ${maxLimit}; a larger value is reduced to it.`),
    minimum: 1,
    default: defaultLimit,
  }
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
