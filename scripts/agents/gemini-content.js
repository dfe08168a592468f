import {splitText, computeDuration, computeFirstDelay} from './measure.js'

/** @import {Chunk, Dialect} from './model-server.js' */

/** @typedef {{role?: string, parts?: {text?: string}[]}} Content */
/** @typedef {{contents?: Content[], tools?: unknown[]}} Body */

/** The API of Gemini, for its CLI. @type {Dialect} */
export const geminiContent = {
  path: /:(?:streamGenerateContent|generateContent)/,
  parse: (body, url) => {
    const {contents = [], tools = []} = /** @type {Body} */ (body)
    return {
      first: readText(contents.find(({role}) => role === 'user')),
      last: readText(contents.at(-1)),
      hasTools: tools.length > 0,
      model: /models\/([^:]+)/.exec(url)?.[1] ?? '',
    }
  },
  *stream(turn, {ids, usage}) {
    /**
     * @param {unknown} part
     * @param {number} ms
     * @returns {Chunk}
     */
    const toChunk = (part, ms) => ({data: {candidates: [toCandidate([part])]}, ms})
    let wait = computeFirstDelay(turn)
    const {thinking, text = '', tools = []} = turn
    if (thinking !== undefined) {
      yield toChunk({text: thinking, thought: true}, wait + computeDuration('thinking', thinking))
      wait = 0
    }
    for (const part of splitText(text, 90)) {
      yield toChunk({text: part}, wait + computeDuration('text', part))
      wait = 0
    }
    for (const {name, input} of tools) {
      const ms = wait + computeDuration('tool', JSON.stringify(input))
      yield toChunk({functionCall: {name, args: input, id: ids('call_')}}, ms)
      wait = 0
    }
    const inputTokens = usage.input + usage.cacheRead + usage.cacheWrite
    const usageMetadata = {
      promptTokenCount: inputTokens,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output - usage.thinking,
      thoughtsTokenCount: usage.thinking,
      totalTokenCount: inputTokens + usage.output,
    }
    const last = {...toCandidate([{text: ''}]), finishReason: 'STOP'}
    yield {data: {candidates: [last], usageMetadata}, ms: 0}
  },
  toError: ({status, kind = 'UNAVAILABLE', message}) => ({
    error: {code: status, status: kind, message},
  }),
}

/** @param {unknown[]} parts */
function toCandidate(parts) {
  return {index: 0, content: {role: 'model', parts}}
}

/** @param {Content | undefined} content */
function readText(content) {
  return (content?.parts ?? []).map(({text = ''}) => text).join('\n')
}
