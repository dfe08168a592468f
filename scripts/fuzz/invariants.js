// Invariants of every event stream, valid or not. Tests use them too.

/** @typedef {import('../../dist/core/index.js').AgentEvent} AgentEvent */

/**
 * Describes the first invariant that the events of a stream break.
 *
 * @param {readonly AgentEvent[]} events
 * @param {string} agent
 * @param {{isJoined?: boolean}} [stream] Whether it may contain several sessions, which use the same tool ids.
 * @returns {string | undefined}
 */
export function findBrokenInvariant(events, agent, {isJoined = false} = {}) {
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
    const broken = checkEvent(event, started, ended)
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
function checkEvent(event, started, ended) {
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
