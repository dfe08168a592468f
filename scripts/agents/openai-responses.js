import {timeFor, timeToFirst} from './measure.js'

/** @import {Dialect, Piece, Turn} from './model-server.js' */

/** @typedef {{type?: string, content?: {text?: string}[], output?: unknown}} Item */
/** @typedef {{input?: Item[], tools?: unknown[], model?: string}} Body */

/** The Responses API of OpenAI, for Codex. @type {Dialect} */
export const openaiResponses = {
  path: /\/v1\/responses/,
  read: (body) => {
    const {input = [], tools = [], model = ''} = /** @type {Body} */ (body)
    const said = input.filter(({type}) => type === 'message')
    return {
      // What the user says comes after what the agent says of itself.
      first: said.map(textOf).join('\n'),
      last: textOf(input.at(-1)),
      hasTools: tools.length > 0,
      model,
    }
  },
  *tell(turn, {ids, usage}) {
    const id = ids('resp_')
    yield toPiece({type: 'response.created', response: {id}}, timeToFirst(turn))
    let output_index = 0
    for (const {item, ms} of itemsOf(turn, ids)) {
      yield toPiece({type: 'response.output_item.added', output_index, item})
      yield toPiece({type: 'response.output_item.done', output_index, item}, ms)
      output_index += 1
    }
    const {input, cacheRead, cacheWrite, output, thinking} = usage
    const asked = input + cacheRead + cacheWrite
    const tokens = {
      input_tokens: asked,
      input_tokens_details: {cached_tokens: cacheRead},
      output_tokens: output,
      output_tokens_details: {reasoning_tokens: thinking},
      total_tokens: asked + output,
    }
    yield toPiece({type: 'response.completed', response: {id, usage: tokens}})
  },
  fail: ({kind = 'server_error', message}) => ({error: {type: kind, message}}),
}

/**
 * @param {{type: string, [name: string]: unknown}} data
 * @param {number} [ms]
 * @returns {Piece}
 */
function toPiece(data, ms = 0) {
  return {event: data.type, data, ms}
}

/**
 * @param {Turn} turn
 * @param {(prefix: string) => string} ids
 */
function* itemsOf({thinking, text, tools = []}, ids) {
  if (thinking !== undefined) {
    const summary = [{type: 'summary_text', text: thinking}]
    const item = {type: 'reasoning', id: ids('rs_'), summary, encrypted_content: null}
    yield {item, ms: timeFor('thinking', thinking)}
  }
  if (text !== undefined) {
    const content = [{type: 'output_text', text, annotations: []}]
    yield {
      item: {type: 'message', role: 'assistant', id: ids('msg_'), content},
      ms: timeFor('text', text),
    }
  }
  for (const {name, namespace, input} of tools) {
    const call = {id: ids('fc_'), call_id: ids('call_'), name, namespace}
    if (typeof input === 'string') {
      yield {item: {type: 'custom_tool_call', ...call, input}, ms: timeFor('tool', input)}
    } else {
      const given = JSON.stringify(input)
      yield {item: {type: 'function_call', ...call, arguments: given}, ms: timeFor('tool', given)}
    }
  }
}

/** @param {Item | undefined} item */
function textOf(item) {
  const said = (item?.content ?? []).map(({text = ''}) => text)
  const output = item?.output === undefined ? [] : [JSON.stringify(item.output)]
  return [...said, ...output].join('\n')
}
