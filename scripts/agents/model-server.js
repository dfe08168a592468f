// A model that says what it is told to say: a server on loopback against which the real agents run with no network and no key.

import {once} from 'node:events'
import {createServer} from 'node:http'
import {setTimeout as delay} from 'node:timers/promises'
import {anthropicMessages} from './anthropic-messages.js'
import {geminiContent} from './gemini-content.js'
import {createIds, measure} from './measure.js'
import {openaiChat} from './openai-chat.js'
import {openaiResponses} from './openai-responses.js'

/** @import {IncomingMessage, ServerResponse} from 'node:http' */
/** @import {AddressInfo} from 'node:net' */
/** @import {Usage} from './measure.js' */

/**
 * What the model answers to one request: thoughts, then words, then calls of tools, or an error instead.
 *
 * @typedef {object} Turn
 * @property {string} [thinking]
 * @property {string} [text]
 * @property {ToolCall[]} [tools]
 * @property {{status: number, message: string, kind?: string, retryAfterS?: number, forever?: boolean}} [error]
 * @property {number} [pauseMs] Before the first word; else as long as is usual.
 * @property {boolean} [isSpare] Whether it may be that nobody asks for it.
 * @property {number} [outputTokens] How long the answer is said to be; else it is measured.
 * @property {number} [contextTokens] How long the conversation is said to be; else it is measured.
 */

/** An input that is a text is that of a tool without a schema, such as Codex's `apply_patch`. @typedef {{name: string, namespace?: string, input: Record<string, unknown> | string}} ToolCall */

/** A turn, or how to make it of what was asked. @typedef {Turn | ((request: ModelRequest) => Turn)} Step */

/**
 * All that the model will say, turn by turn. Requests without tools are for titles and the like and get `side`; those in whose
 * first or last message the words of one of `others` are belong to it; the rest is `main`.
 *
 * @typedef {object} Script
 * @property {Step[]} main
 * @property {Record<string, Step[]>} [others]
 * @property {string} [side]
 */

/**
 * A request, as far as it matters here.
 *
 * @typedef {object} ModelRequest
 * @property {string} first The text of the first message of the user.
 * @property {string} last The text of the last message, results of tools included.
 * @property {boolean} hasTools
 * @property {string} model
 */

/** A piece of an answer, and how long the model takes for it. @typedef {{event?: string, data: unknown, ms: number}} Piece */

/**
 * An API as agents speak it.
 *
 * @typedef {object} Dialect
 * @property {RegExp} path
 * @property {(body: unknown, url: string) => ModelRequest} read
 * @property {(turn: Turn, about: {ids: (prefix: string) => string, model: string, usage: Usage}) => Iterable<Piece>} tell
 * @property {(turn: Turn, about: {ids: (prefix: string) => string, model: string, usage: Usage}) => unknown} [tellWhole] For those who do not want it in pieces.
 * @property {(error: NonNullable<Turn['error']>) => unknown} fail
 */

/** @type {Dialect[]} */
const DIALECTS = [anthropicMessages, openaiResponses, openaiChat, geminiContent]

/** @type {('input' | 'cacheRead' | 'cacheWrite' | 'output')[]} */
const KINDS = ['input', 'cacheRead', 'cacheWrite', 'output']

const noTokens = () => ({input: 0, cacheRead: 0, cacheWrite: 0, output: 0})

/** What older versions of Claude say to see whether anybody is there. */
const WARM_UP = 'Warmup'

/**
 * Starts a server on a free port of loopback. At `speed` 1 it answers as slowly as a model does.
 *
 * @param {{script: Script, name?: string, speed?: number, onRequest?: (body: unknown, url: string) => void}} options
 */
export async function startModelServer({script, name = '', speed = 1, onRequest}) {
  /** What is not as the script has it. @type {string[]} */
  const problems = []
  /** How far each conversation is, and how long it was at its last request. @type {Map<string, {next: number, tokens: number}>} */
  const places = new Map()
  /** The tokens that were told: all of them, those of the script, and of that those that are not of sub-agents. */
  const spent = {all: noTokens(), script: noTokens(), main: noTokens()}
  const others = Object.entries(script.others ?? {})

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => {
      problems.push(String(error))
      response.destroy()
    })
  }).listen(0, '127.0.0.1')
  // Longer than agents wait before they try again.
  server.keepAliveTimeout = 120_000
  await once(server, 'listening')
  const {port} = /** @type {AddressInfo} */ (server.address())
  return {
    url: `http://127.0.0.1:${port}`,
    problems,
    spent,
    /** What nobody asked for. */
    leftOver: () =>
      Object.entries({...script.others, main: script.main}).flatMap(([key, steps]) => {
        const told = steps.findIndex(
          (step) => typeof step === 'object' && (step.error?.forever || step.isSpare),
        )
        const rest = (told === -1 ? steps.length : told) - (places.get(key)?.next ?? 0)
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
    const asked = dialect.read(body, url)
    const {key, turn, index, before} = choose(asked, text.length)
    if (turn.error !== undefined) {
      const {status, retryAfterS} = turn.error
      if (retryAfterS !== undefined) response.setHeader('retry-after', retryAfterS)
      return send(response, status, dialect.fail(turn.error))
    }
    const usage = measure(turn, {length: text.length, before})
    places.set(key, {next: index + 1, tokens: usage.context})
    for (const kind of KINDS) {
      spent.all[kind] += usage[kind]
      if (key !== 'side') spent.script[kind] += usage[kind]
      if (key === 'main') spent.main[kind] += usage[kind]
    }
    const ids = createIds(`${name}/${key}/${index}`)
    const about = {ids, model: asked.model, usage}
    if (body.stream !== true && dialect.tellWhole !== undefined) {
      return send(response, 200, dialect.tellWhole(turn, about))
    }
    response.writeHead(200, {'content-type': 'text/event-stream', 'request-id': ids('req_01')})
    for (const {event, data, ms} of dialect.tell(turn, about)) {
      if (ms > 0) await delay(ms / speed)
      const written = typeof data === 'string' ? data : toJson(data)
      response.write(`${event === undefined ? '' : `event: ${event}\n`}data: ${written}\n\n`)
    }
    response.end()
  }

  /**
   * @param {ModelRequest} asked
   * @param {number} length
   * @returns {{key: string, turn: Turn, index: number, before: number}}
   */
  function choose(asked, length) {
    const {first, last, hasTools} = asked
    const [key, steps] = others.find(
      ([words]) => first.includes(words) || last.includes(words),
    ) ?? ['main', script.main]
    if (key === 'main' && (!hasTools || first.trim() === WARM_UP)) {
      return {key: 'side', turn: {text: script.side ?? 'Done.'}, index: length, before: 0}
    }
    const {next, tokens} = places.get(key) ?? {next: 0, tokens: 0}
    const step = steps[next]
    if (step === undefined) problems.push(`${key}: nothing left to say to ${last.slice(0, 200)}`)
    const turn = (typeof step === 'function' ? step(asked) : step) ?? {text: 'That is all.'}
    if (turn.error?.forever !== true) places.set(key, {next: next + 1, tokens})
    return {key, turn, index: next, before: tokens}
  }
}

/**
 * As servers write it: what some take for the end of a line is escaped.
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
