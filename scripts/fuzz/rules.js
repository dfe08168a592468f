// What holds for every stream, good or bad. Tests use it too.

/** @typedef {import('../../dist/core/index.js').AgentEvent} AgentEvent */

/**
 * The first rule that events of a stream break, in words; nothing when they keep them all.
 *
 * @param {readonly AgentEvent[]} events
 * @param {string} agent
 * @param {{isJoined?: boolean}} [stream] Whether it may be of several sessions, which use the same names again.
 * @returns {string | undefined}
 */
export function findBrokenRule(events, agent, {isJoined = false} = {}) {
  /** @type {Set<string>} */
  const started = new Set()
  /** @type {Set<string>} */
  const ended = new Set()
  let line = 0
  for (const event of events) {
    if (event.agent !== agent) return `an event of ${event.agent}`
    if (event.line < line) return `line ${event.line} after ${line}`
    if (!Number.isFinite(event.at)) return `${event.type} has no time`
    line = event.line
    if (isJoined && event.type === 'session-start' && [...started].every((id) => ended.has(id))) {
      started.clear()
      ended.clear()
    }
    const broken = ruleOfType(event, started, ended)
    if (broken !== undefined) return broken
  }
  const open = [...started].find((toolId) => !ended.has(toolId))
  return open === undefined ? undefined : `no end of ${open}`
}

/**
 * @param {AgentEvent} event
 * @param {Set<string>} started
 * @param {Set<string>} ended
 * @returns {string | undefined}
 */
function ruleOfType(event, started, ended) {
  if (event.type === 'tool-start') {
    if (started.has(event.toolId)) return `second start of ${event.toolId}`
    if (typeof event.summary !== 'string') return `no summary of ${event.toolId}`
    started.add(event.toolId)
  }
  if (event.type === 'tool-end') {
    const {toolId, ok, output, outputLength, error, exitCode = 0} = event
    if (ended.has(toolId)) return `second end of ${toolId}`
    if (outputLength !== output.length) return `wrong length of the output of ${toolId}`
    if (!ok && typeof error !== 'string') return `${toolId} failed without a reason`
    if (ok && exitCode !== 0) return `${toolId} is ok with exit code ${exitCode}`
    ended.add(toolId)
  }
  if (event.type === 'file-change' && event.toolId !== undefined && ended.has(event.toolId)) {
    return `change after the end of ${event.toolId}`
  }
  if ('text' in event && event.type !== 'turn-end' && event.type !== 'tool-update') {
    if (event.text === '') return `${event.type} without text`
  }
  if (event.type === 'turn-end' && !event.ok && (event.errors?.length ?? 0) === 0) {
    return 'a turn failed without a reason'
  }
  return undefined
}
