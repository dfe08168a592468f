import {splitText, computeDuration, computeFirstDelay} from './measure.js'

/** @import {Chunk, Dialect, Turn} from './model-server.js' */
/** @import {Usage} from './measure.js' */

/** @typedef {{role: string, content?: string | {text?: string, content?: unknown}[]}} Message */
/** @typedef {{messages?: Message[], tools?: unknown[], model?: string}} Body */

/** The Messages API of Anthropic, for Claude Code. @type {Dialect} */
export const anthropicMessages = {
  path: /\/v1\/messages/,
  parse: (body) => {
    const {messages = [], tools = [], model = ''} = /** @type {Body} */ (body)
    const userMessages = messages.filter(({role}) => role === 'user')
    return {
      first: readText(userMessages[0]),
      last: readText(userMessages.at(-1)),
      hasTools: tools.length > 0,
      model,
    }
  },
  *stream(turn, {ids, model, usage}) {
    const content = /** @type {never[]} */ ([])
    const tokens = {...toUsage(usage), output_tokens: 1}
    const head = {id: ids('msg_01'), type: 'message', role: 'assistant', model, content}
    const message = {...head, stop_reason: null, stop_sequence: null, usage: tokens}
    yield toChunk({type: 'message_start', message}, computeFirstDelay(turn))
    let index = 0
    for (const {block, deltas} of createBlocks(turn, ids)) {
      yield toChunk({type: 'content_block_start', index, content_block: block})
      for (const {delta, ms} of deltas)
        yield toChunk({type: 'content_block_delta', index, delta}, ms)
      yield toChunk({type: 'content_block_stop', index})
      index += 1
    }
    const delta = {stop_reason: toStopReason(turn), stop_sequence: null}
    yield toChunk({type: 'message_delta', delta, usage: toUsage(usage)})
    yield toChunk({type: 'message_stop'})
  },
  respond: (turn, {ids, model, usage}) => ({
    id: ids('msg_01'),
    type: 'message',
    role: 'assistant',
    model,
    content: [
      ...(turn.text === undefined ? [] : [{type: 'text', text: turn.text}]),
      ...(turn.tools ?? []).map(({name, input}) => ({
        type: 'tool_use',
        id: ids('toolu_01'),
        name,
        input,
      })),
    ],
    stop_reason: toStopReason(turn),
    stop_sequence: null,
    usage: toUsage(usage),
  }),
  toError: ({kind = 'api_error', message}) => ({type: 'error', error: {type: kind, message}}),
}

/**
 * @param {{type: string, [name: string]: unknown}} data
 * @param {number} [ms]
 * @returns {Chunk}
 */
function toChunk(data, ms = 0) {
  return {event: data.type, data, ms}
}

/**
 * @param {Turn} turn
 * @param {(prefix: string) => string} ids
 * @returns {{block: unknown, deltas: {delta: unknown, ms: number}[]}[]}
 */
function createBlocks({thinking, text, tools = []}, ids) {
  const blocks = []
  if (thinking !== undefined) {
    const deltas = splitText(thinking, 140).map((part) => ({
      delta: {type: 'thinking_delta', thinking: part},
      ms: computeDuration('thinking', part),
    }))
    const signature = {type: 'signature_delta', signature: Buffer.from(ids('')).toString('base64')}
    const block = {type: 'thinking', thinking: '', signature: ''}
    blocks.push({block, deltas: [...deltas, {delta: signature, ms: 0}]})
  }
  if (text !== undefined) {
    const deltas = splitText(text, 48).map((part) => ({
      delta: {type: 'text_delta', text: part},
      ms: computeDuration('text', part),
    }))
    blocks.push({block: {type: 'text', text: ''}, deltas})
  }
  for (const {name, input} of tools) {
    const partial_json = JSON.stringify(input)
    const delta = {type: 'input_json_delta', partial_json}
    const block = {type: 'tool_use', id: ids('toolu_01'), name, input: {}}
    blocks.push({block, deltas: [{delta, ms: computeDuration('tool', partial_json)}]})
  }
  return blocks
}

/** @param {Turn} turn */
function toStopReason({tools = []}) {
  return tools.length > 0 ? 'tool_use' : 'end_turn'
}

/** @param {Usage} usage */
function toUsage({input, cacheRead, cacheWrite, output}) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: cacheWrite,
    cache_read_input_tokens: cacheRead,
    cache_creation: {ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0},
    output_tokens: output,
    service_tier: 'standard',
  }
}

/** @param {Message | undefined} message */
function readText(message) {
  const content = message?.content ?? ''
  if (typeof content === 'string') return content
  return content.map(({text, content: result}) => text ?? JSON.stringify(result) ?? '').join('\n')
}
