// Joins several captures of an agent into one stream: one session, one start, one end, and added usage.

/**
 * A line, and the name of its capture.
 *
 * @typedef {{text: string, capture: string}} Line
 */

/** @typedef {{[name: string]: Json}} JsonObject */
/** @typedef {string | number | boolean | null | JsonObject | Json[]} Json */

/**
 * Rewrites the lines of captures as if the agent had printed them in one session.
 *
 * @param {string} agent
 * @param {Line[]} lines
 * @param {Map<string, string[]>} captures The complete captures.
 * @returns {Line[]}
 */
export function joinCaptures(agent, lines, captures) {
  const joinLines = new Map([
    ['claude', joinClaude],
    ['codex', joinCodex],
    ['gemini', joinGemini],
    ['opencode', joinOpencode],
  ]).get(agent)
  if (captures.size === 1) return lines
  if (joinLines === undefined) throw new Error(`Joining captures is not supported for ${agent}`)
  return joinLines(lines, captures)
}

/**
 * @param {Line[]} lines
 * @param {Map<string, string[]>} captures
 */
function joinClaude(lines, captures) {
  const session = lines
    .map(({text}) => parseObject(text)?.['session_id'])
    .find((id) => id !== undefined)
  const results = lines.filter(({text}) => isResult(text))
  /** The usage of earlier captures, and of captures whose result is not in the story. @type {JsonObject} */
  let carried = {}
  /** @type {Set<string>} */
  const seen = new Set()
  return lines.map((line) => {
    const {text, capture} = line
    const record = parseObject(text)
    if (record === undefined) return line
    if (session !== undefined && 'session_id' in record) record['session_id'] = session
    const own = results.filter((result) => result.capture === capture)
    if (!seen.has(capture) && own.length === 0) {
      const last = parseObject(captures.get(capture)?.findLast(isResult))
      carried = addUp(carried, pick(last ?? {}, FIGURES))
    }
    seen.add(capture)
    if (!isResult(text)) return {text: JSON.stringify(record), capture}
    const figures = pick(record, FIGURES)
    Object.assign(record, addUp(carried, figures))
    const before = pick(carried, CUMULATIVE)
    // Within a capture, these figures are already cumulative.
    carried = own.at(-1) === line ? addUp(before, pick(figures, CUMULATIVE)) : before
    return {text: JSON.stringify(record), capture}
  })
}

const CUMULATIVE = ['total_cost_usd', 'modelUsage']
const FIGURES = [...CUMULATIVE, 'usage', 'model_usage_since_last_result', 'num_turns']

/** @param {string} text */
function isResult(text) {
  return text.includes('"type":"result"')
}

/**
 * @param {Line[]} lines
 * @param {Map<string, string[]>} captures
 */
function joinCodex(lines, captures) {
  const usage = sumUp(captures, (record) => record['usage'])
  const firstItem = new Map([...captures.keys()].map((name, index) => [name, index * 100]))
  return lines.map(({text, capture}) => {
    const renumbered = text.replace(
      /(?<="id":"item_)\d+/,
      (digits) => `${Number(digits) + (firstItem.get(capture) ?? 0)}`,
    )
    const record = parseObject(renumbered)
    if (record?.['type'] !== 'turn.completed') return {text: renumbered, capture}
    return {text: JSON.stringify({...record, usage}), capture}
  })
}

/**
 * @param {Line[]} lines
 * @param {Map<string, string[]>} captures
 */
function joinGemini(lines, captures) {
  const stats = sumUp(captures, (record) =>
    record['type'] === 'result' ? record['stats'] : undefined,
  )
  return lines.map(({text, capture}) => {
    const record = parseObject(text)
    if (record?.['type'] !== 'result') return {text, capture}
    return {text: JSON.stringify({...record, stats}), capture}
  })
}

/** @param {Line[]} lines */
function joinOpencode(lines) {
  const session = textAt(parseObject(lines[0]?.text), 'sessionID')
  const last = lines.findLastIndex(({text}) => text.includes('"reason":"stop"'))
  return lines.map(({text, capture}, index) => {
    const own = text.replaceAll(/(?<="sessionID":")\w+/g, session)
    // Only the last step may stop the session.
    const joined = index < last ? own.replace('"reason":"stop"', '"reason":"tool-calls"') : own
    return {text: joined, capture}
  })
}

/**
 * @param {Map<string, string[]>} captures
 * @param {(record: JsonObject) => Json | undefined} find
 * @returns {JsonObject}
 */
function sumUp(captures, find) {
  /** @type {JsonObject} */
  let sum = {}
  for (const texts of captures.values()) {
    for (const text of texts) {
      const found = find(parseObject(text) ?? {})
      if (isObject(found)) sum = addUp(sum, found)
    }
  }
  return sum
}

/** Properties of a model, which do not add up. */
const NOT_ADDED = new Set(['contextWindow', 'maxOutputTokens'])

/**
 * Adds all numbers, nested ones too; other values of `other` replace those of `one`.
 *
 * @param {JsonObject} one
 * @param {JsonObject} other
 * @returns {JsonObject}
 */
function addUp(one, other) {
  /** @type {JsonObject} */
  const sum = {...one}
  for (const [name, value] of Object.entries(other)) {
    const before = sum[name]
    if (typeof value === 'number' && typeof before === 'number' && !NOT_ADDED.has(name)) {
      sum[name] = before + value
    } else if (isObject(value) && isObject(before)) sum[name] = addUp(before, value)
    else sum[name] = value
  }
  return sum
}

/**
 * @param {JsonObject} from
 * @param {string[]} names
 * @returns {JsonObject}
 */
function pick(from, names) {
  return Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)))
}

/**
 * @param {string | undefined} text
 * @returns {JsonObject | undefined}
 */
export function parseObject(text) {
  try {
    const value = /** @type {Json} */ (JSON.parse(text ?? ''))
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * @param {Json | undefined} value
 * @returns {value is JsonObject}
 */
function isObject(value) {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * @param {JsonObject | undefined} record
 * @param {string} name
 */
function textAt(record, name) {
  const value = record?.[name]
  if (typeof value !== 'string') throw new Error(`The first line has no ${name}`)
  return value
}
