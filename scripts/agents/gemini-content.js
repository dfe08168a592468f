import {cut, timeFor, timeToFirst} from './measure.js'

/** @import {Dialect, Piece} from './model-server.js' */

/** @typedef {{role?: string, parts?: {text?: string}[]}} Content */
/** @typedef {{contents?: Content[], tools?: unknown[]}} Body */

/** The API of Gemini, for its CLI. @type {Dialect} */
export const geminiContent = {
  path: /:(?:streamGenerateContent|generateContent)/,
  read: (body, url) => {
    const {contents = [], tools = []} = /** @type {Body} */ (body)
    return {
      first: textOf(contents.find(({role}) => role === 'user')),
      last: textOf(contents.at(-1)),
      hasTools: tools.length > 0,
      model: /models\/([^:]+)/.exec(url)?.[1] ?? '',
    }
  },
  *tell(turn, {ids, usage}) {
    /**
     * @param {unknown} part
     * @param {number} ms
     * @returns {Piece}
     */
    const say = (part, ms) => ({data: {candidates: [toCandidate([part])]}, ms})
    let wait = timeToFirst(turn)
    const {thinking, text = '', tools = []} = turn
    if (thinking !== undefined) {
      yield say({text: thinking, thought: true}, wait + timeFor('thinking', thinking))
      wait = 0
    }
    for (const piece of cut(text, 90)) {
      yield say({text: piece}, wait + timeFor('text', piece))
      wait = 0
    }
    for (const {name, input} of tools) {
      const ms = wait + timeFor('tool', JSON.stringify(input))
      yield say({functionCall: {name, args: input, id: ids('call_')}}, ms)
      wait = 0
    }
    const asked = usage.input + usage.cacheRead + usage.cacheWrite
    const usageMetadata = {
      promptTokenCount: asked,
      cachedContentTokenCount: usage.cacheRead,
      candidatesTokenCount: usage.output - usage.thinking,
      thoughtsTokenCount: usage.thinking,
      totalTokenCount: asked + usage.output,
    }
    const last = {...toCandidate([{text: ''}]), finishReason: 'STOP'}
    yield {data: {candidates: [last], usageMetadata}, ms: 0}
  },
  fail: ({status, kind = 'UNAVAILABLE', message}) => ({
    error: {code: status, status: kind, message},
  }),
}

/** @param {unknown[]} parts */
function toCandidate(parts) {
  return {index: 0, content: {role: 'model', parts}}
}

/** @param {Content | undefined} content */
function textOf(content) {
  return (content?.parts ?? []).map(({text = ''}) => text).join('\n')
}
