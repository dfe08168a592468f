import {cut, timeFor, timeToFirst} from './measure.js'

/** @import {Dialect, Piece} from './model-server.js' */

/** @typedef {{role: string, content?: string | {text?: string}[]}} Message */
/** @typedef {{messages?: Message[], tools?: unknown[], model?: string}} Body */

/** The Chat Completions API, for OpenCode and others. @type {Dialect} */
export const openaiChat = {
  path: /\/chat\/completions/,
  read: (body) => {
    const {messages = [], tools = [], model = ''} = /** @type {Body} */ (body)
    return {
      first: textOf(messages.find(({role}) => role === 'user')),
      last: textOf(messages.at(-1)),
      hasTools: tools.length > 0,
      model,
    }
  },
  *tell(turn, {ids, model, usage}) {
    const head = {id: ids('chatcmpl-'), object: 'chat.completion.chunk', created: 0, model}
    /**
     * @param {Record<string, unknown>} delta
     * @param {number} ms
     * @returns {Piece}
     */
    const say = (delta, ms) => ({
      data: {...head, choices: [{index: 0, delta, finish_reason: null}]},
      ms,
    })
    yield say({role: 'assistant', content: ''}, timeToFirst(turn))
    for (const piece of cut(turn.thinking ?? '', 80)) {
      yield say({reasoning_content: piece}, timeFor('thinking', piece))
    }
    for (const piece of cut(turn.text ?? '', 48)) {
      yield say({content: piece}, timeFor('text', piece))
    }
    const calls = turn.tools ?? []
    for (const [index, {name, input}] of calls.entries()) {
      const given = JSON.stringify(input)
      const call = {index, id: ids('call_'), type: 'function', function: {name, arguments: given}}
      yield say({tool_calls: [call]}, timeFor('tool', given))
    }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const {input, cacheRead, cacheWrite, output, thinking} = usage
    const asked = input + cacheRead + cacheWrite
    const tokens = {
      prompt_tokens: asked,
      completion_tokens: output,
      total_tokens: asked + output,
      prompt_tokens_details: {cached_tokens: cacheRead},
      completion_tokens_details: {reasoning_tokens: thinking},
    }
    yield {data: {...head, choices: [{index: 0, delta: {}, finish_reason}]}, ms: 0}
    yield {data: {...head, choices: [], usage: tokens}, ms: 0}
    yield {data: '[DONE]', ms: 0}
  },
  fail: ({kind = 'server_error', message}) => ({error: {type: kind, message}}),
}

/** @param {Message | undefined} message */
function textOf(message) {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : content.map(({text = ''}) => text).join('\n')
}
