// A scripted model: a server on loopback for the real agents, without network and without keys.

import {once} from 'node:events'
import {createServer} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {anthropicMessages} from './anthropic-messages.js'
import {geminiContent} from './gemini-content.js'
import {createIds, measureUsage} from './measure.js'
import {openaiChat} from './openai-chat.js'
import {openaiResponses} from './openai-responses.js'

/** @import {IncomingMessage, ServerResponse} from 'node:http' */
/** @import {AddressInfo} from 'node:net' */
/** @import {Usage} from './measure.js' */

/**
 * The answer to one request: thinking, then text, then tool calls; or an error.
 *
 * @typedef {object} Turn
 * @property {string} [thinking]
 * @property {string} [text]
 * @property {ToolCall[]} [tools]
 * @property {{status: number, message: string, kind?: string, retryAfterS?: number, forever?: boolean}} [error]
 * @property {number} [pauseMs] The delay of the first chunk, instead of the default.
 * @property {boolean} [isSpare] Whether it may stay unused.
 * @property {number} [outputTokens] The reported length of the answer, instead of the measured one.
 * @property {number} [contextTokens] The reported length of the conversation, instead of the measured one.
 */

/** Tools without a schema, such as `apply_patch` of Codex, have a string as input. @typedef {{name: string, namespace?: string, input: Record<string, unknown> | string}} ToolCall */

/** A turn, or a function that creates it from the request. @typedef {Turn | ((request: ModelRequest) => Turn)} Step */

/**
 * The turns of the model. A request without tools is for a title or the like and receives `side`. A request whose first or
 * last message contains a key of `others` receives the next turn of that list; all others receive the next one of `main`.
 *
 * @typedef {object} Script
 * @property {Step[]} main
 * @property {Record<string, Step[]>} [others]
 * @property {string} [side]
 */

/**
 * The parts of a request that select a turn.
 *
 * @typedef {object} ModelRequest
 * @property {string} first The text of the first message of the user.
 * @property {string} last The text of the last message, results of tools included.
 * @property {boolean} hasTools
 * @property {string} model
 */

/** A chunk of a streamed answer, and its delay. @typedef {{event?: string, data: unknown, ms: number}} Chunk */

/** @typedef {{ids: (prefix: string) => string, model: string, usage: Usage}} AnswerContext */

/**
 * The API of a provider.
 *
 * @typedef {object} Dialect
 * @property {RegExp} path
 * @property {(body: unknown, url: string) => ModelRequest} parse
 * @property {(turn: Turn, context: AnswerContext) => Iterable<Chunk>} stream
 * @property {(turn: Turn, context: AnswerContext) => unknown} [respond] The complete answer, for requests without streaming.
 * @property {(error: NonNullable<Turn['error']>) => unknown} toError
 */

/** @type {Dialect[]} */
const DIALECTS = [anthropicMessages, openaiResponses, openaiChat, geminiContent]

/** @type {('input' | 'cacheRead' | 'cacheWrite' | 'output')[]} */
const KINDS = ['input', 'cacheRead', 'cacheWrite', 'output']

const noTokens = () => ({input: 0, cacheRead: 0, cacheWrite: 0, output: 0})

/** The prompt of a request that older versions of Claude send on their own. */
const WARM_UP = 'Warmup'

/**
 * Starts a server on a free port of loopback. At `speed` 1 it is as slow as a real model.
 *
 * @param {{script: Script, name?: string, speed?: number, onRequest?: (body: unknown, url: string) => void}} options
 */
export async function startModelServer({script, name = '', speed = 1, onRequest}) {
  /** Requests that the script does not cover, and errors. @type {string[]} */
  const problems = []
  /** The next turn of each conversation, and its length at the last request. @type {Map<string, {next: number, tokens: number}>} */
  const conversations = new Map()
  /** The reported tokens: of all requests, of those in the script, and of those without sub-agents. */
  const spent = {all: noTokens(), script: noTokens(), main: noTokens()}
  const others = Object.entries(script.others ?? {})

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      problems.push(String(error))
      response.destroy()
    })
  }).listen(0, '127.0.0.1')
  // Longer than agents wait before a retry.
  server.keepAliveTimeout = 120_000
  await once(server, 'listening')
  const {port} = /** @type {AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    problems,
    spent,
    /** The turns that were not requested, without spare ones. */
    listUnused: () =>
      Object.entries({...script.others, main: script.main}).flatMap(([key, steps]) => {
        const firstSpare = steps.findIndex(
          (step) => typeof step === 'object' && (step.error?.forever || step.isSpare),
        )
        const required = firstSpare === -1 ? steps.length : firstSpare
        const rest = required - (conversations.get(key)?.next ?? 0)
        return rest > 0 ? [`${key}: ${rest} turns`] : []
      }),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  /**
   * @param {IncomingMessage} request
   * @param {ServerResponse} response
   */
  async function answer(request, response) {
    const url = request.url ?? ''
    const text = await readAll(request)
    const body = text.startsWith('{') ? JSON.parse(text) : {}
    onRequest?.(body, url)
    if (url.includes('count_tokens') || url.includes('countTokens')) {
      const count = Math.ceil(text.length / 4)
      return send(response, 200, {input_tokens: count, totalTokens: count})
    }
    const dialect = DIALECTS.find(({path}) => path.test(url))
    if (dialect === undefined) return send(response, 404, {error: {message: 'not found'}})
    const parsed = dialect.parse(body, url)
    const {key, turn, index, before} = selectTurn(parsed, text.length)
    if (turn.error !== undefined) {
      const {status, retryAfterS} = turn.error
      if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS)
      return send(response, status, dialect.toError(turn.error))
    }
    const usage = measureUsage(turn, {length: text.length, before})
    conversations.set(key, {next: index + 1, tokens: usage.context})
    for (const kind of KINDS) {
      spent.all[kind] += usage[kind]
      if (key !== 'side') spent.script[kind] += usage[kind]
      if (key === 'main') spent.main[kind] += usage[kind]
    }
    const ids = createIds(`${name}/${key}/${index}`)
    const context = {ids, model: parsed.model, usage}
    if (body.stream !== true && dialect.respond !== undefined) {
      return send(response, 200, dialect.respond(turn, context))
    }
    response.writeHead(200, {'content-type': 'text/event-stream', 'request-id': ids('req_01')})
    for (const {event, data, ms} of dialect.stream(turn, context)) {
      if (ms > 0) await delay(ms / speed)
      const written = typeof data === 'string' ? data : toJson(data)
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${written}\n\n`)
    }
    response.end()
  }

  /**
   * @param {ModelRequest} parsed
   * @param {number} length
   * @returns {{key: string, turn: Turn, index: number, before: number}}
   */
  function selectTurn(parsed, length) {
    const {first, last, hasTools} = parsed
    const [key, steps] = others.find(
      ([words]) => first.includes(words) || last.includes(words),
    ) ?? ['main', script.main]
    if (key === 'main' && (!hasTools || first.trim() === WARM_UP)) {
      return {key: 'side', turn: {text: script.side ?? 'Done.'}, index: length, before: 0}
    }
    const {next, tokens} = conversations.get(key) ?? {next: 0, tokens: 0}
    const step = steps[next]
    if (step === undefined) problems.push(`${key}: no turn left for ${last.slice(0, 200)}`)
    const turn = (typeof step === 'function' ? step(parsed) : step) ?? {text: 'That is all.'}
    if (turn.error?.forever !== true) conversations.set(key, {next: next + 1, tokens})
    return {key, turn, index: next, before: tokens}
  }
}

/**
 * Encodes like real servers: characters that some clients treat as line ends are escaped.
 *
 * @param {unknown} data
 */
function toJson(data) {
  return JSON.stringify(data).replaceAll(/[\u2028\u2029\ufeff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/** @param {IncomingMessage} request */
async function readAll(request) {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

/**
 * @param {ServerResponse} response
 * @param {number} status
 * @param {unknown} body
 */
function send(response, status, body) {
  response.writeHead(status, {'content-type': 'application/json'}).end(JSON.stringify(body))
}
