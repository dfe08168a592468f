import {splitText, computeDuration, computeFirstDelay} from './measure.js'

/** @import {Chunk, Dialect} from './model-server.js' */

/** @typedef {{role: string, content?: string | {text?: string}[]}} Message */
/** @typedef {{messages?: Message[], tools?: unknown[], model?: string}} Body */

/** The Chat Completions API, for OpenCode and others. @type {Dialect} */
export const openaiChat = {
  path: /\/chat\/completions/,
  parse: (body) => {
    const {messages = [], tools = [], model = ''} = /** @type {Body} */ (body)
    return {
      first: readText(messages.find(({role}) => role === 'user')),
      last: readText(messages.at(-1)),
      hasTools: tools.length > 0,
      model,
    }
  },
  *stream(turn, {ids, model, usage}) {
    const head = {id: ids('chatcmpl-'), object: 'chat.completion.chunk', created: 0, model}
    /**
     * @param {Record<string, unknown>} delta
     * @param {number} ms
     * @returns {Chunk}
     */
    const toChunk = (delta, ms) => ({
      data: {...head, choices: [{index: 0, delta, finish_reason: null}]},
      ms,
    })
    yield toChunk({role: 'assistant', content: ''}, computeFirstDelay(turn))
    for (const part of splitText(turn.thinking ?? '', 80)) {
      yield toChunk({reasoning_content: part}, computeDuration('thinking', part))
    }
    for (const part of splitText(turn.text ?? '', 48)) {
      yield toChunk({content: part}, computeDuration('text', part))
    }
    const calls = turn.tools ?? []
    for (const [index, {name, input}] of calls.entries()) {
      const given = JSON.stringify(input)
      const call = {index, id: ids('call_'), type: 'function', function: {name, arguments: given}}
      yield toChunk({tool_calls: [call]}, computeDuration('tool', given))
    }
    const finish_reason = calls.length > 0 ? 'tool_calls' : 'stop'
    const {input, cacheRead, cacheWrite, output, thinking} = usage
    const inputTokens = input + cacheRead + cacheWrite
    const tokens = {
      prompt_tokens: inputTokens,
      completion_tokens: output,
      total_tokens: inputTokens + output,
      prompt_tokens_details: {cached_tokens: cacheRead},
      completion_tokens_details: {reasoning_tokens: thinking},
    }
    yield {data: {...head, choices: [{index: 0, delta: {}, finish_reason}]}, ms: 0}
    yield {data: {...head, choices: [], usage: tokens}, ms: 0}
    yield {data: '[DONE]', ms: 0}
  },
  toError: ({kind = 'server_error', message}) => ({error: {type: kind, message}}),
}

/** @param {Message | undefined} message */
function readText(message) {
  const content = message?.content ?? ''
  return typeof content === 'string' ? content : content.map(({text = ''}) => text).join('\n')
}
