import {computeDuration, computeFirstDelay} from './measure.js'

/** @import {Chunk, Dialect, Turn} from './model-server.js' */

/** @typedef {{type?: string, content?: {text?: string}[], output?: unknown}} Item */
/** @typedef {{input?: Item[], tools?: unknown[], model?: string}} Body */

/** The Responses API of OpenAI, for Codex. @type {Dialect} */
export const openaiResponses = {
  path: /\/v1\/responses/,
  parse: (body) => {
    const {input = [], tools = [], model = ''} = /** @type {Body} */ (body)
    const messages = input.filter(({type}) => type === 'message')
    return {
      // The first messages are instructions of the agent; the prompt follows.
      first: messages.map(readText).join('\n'),
      last: readText(input.at(-1)),
      hasTools: tools.length > 0,
      model,
    }
  },
  *stream(turn, {ids, usage}) {
    const id = ids('resp_')
    yield toChunk({type: 'response.created', response: {id}}, computeFirstDelay(turn))
    let output_index = 0
    for (const {item, ms} of createItems(turn, ids)) {
      yield toChunk({type: 'response.output_item.added', output_index, item})
      yield toChunk({type: 'response.output_item.done', output_index, item}, ms)
      output_index += 1
    }
    const {input, cacheRead, cacheWrite, output, thinking} = usage
    const inputTokens = input + cacheRead + cacheWrite
    const tokens = {
      input_tokens: inputTokens,
      input_tokens_details: {cached_tokens: cacheRead},
      output_tokens: output,
      output_tokens_details: {reasoning_tokens: thinking},
      total_tokens: inputTokens + output,
    }
    yield toChunk({type: 'response.completed', response: {id, usage: tokens}})
  },
  toError: ({kind = 'server_error', message}) => ({error: {type: kind, message}}),
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
 */
function* createItems({thinking, text, tools = []}, ids) {
  if (thinking !== undefined) {
    const summary = [{type: 'summary_text', text: thinking}]
    const item = {type: 'reasoning', id: ids('rs_'), summary, encrypted_content: null}
    yield {item, ms: computeDuration('thinking', thinking)}
  }
  if (text !== undefined) {
    const content = [{type: 'output_text', text, annotations: []}]
    yield {
      item: {type: 'message', role: 'assistant', id: ids('msg_'), content},
      ms: computeDuration('text', text),
    }
  }
  for (const {name, namespace, input} of tools) {
    const call = {id: ids('fc_'), call_id: ids('call_'), name, namespace}
    if (typeof input === 'string') {
      yield {item: {type: 'custom_tool_call', ...call, input}, ms: computeDuration('tool', input)}
    } else {
      const given = JSON.stringify(input)
      yield {
        item: {type: 'function_call', ...call, arguments: given},
        ms: computeDuration('tool', given),
      }
    }
  }
}

/** @param {Item | undefined} item */
function readText(item) {
  const texts = (item?.content ?? []).map(({text = ''}) => text)
  const output = item?.output === undefined ? [] : [JSON.stringify(item.output)]
  return [...texts, ...output].join('\n')
}
