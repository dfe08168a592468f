import {expect} from 'vitest'
import type {AgentEvent} from '../src/core/index.ts'

/** What holds for every stream, good or bad. */
export function expectRules(events: AgentEvent[], agent: string): void {
  const started = new Set<string>()
  const ended = new Set<string>()
  let line = 0
  for (const event of events) {
    expect(event.agent).toBe(agent)
    expect(event.line).toBeGreaterThanOrEqual(line)
    expect(Number.isFinite(event.at)).toBe(true)
    line = event.line
    if (event.type === 'tool-start') {
      expect(started.has(event.toolId), `second start of ${event.toolId}`).toBe(false)
      expect(typeof event.summary).toBe('string')
      started.add(event.toolId)
    }
    if (event.type === 'tool-end') {
      expect(ended.has(event.toolId), `second end of ${event.toolId}`).toBe(false)
      expect(event.outputLength).toBe(event.output.length)
      expect(event.ok || typeof event.error === 'string').toBe(true)
      if ((event.exitCode ?? 0) !== 0) expect(event.ok).toBe(false)
      ended.add(event.toolId)
    }
    if (event.type === 'file-change' && event.toolId !== undefined) {
      expect(ended.has(event.toolId), `change after the end of ${event.toolId}`).toBe(false)
    }
    if ('text' in event && event.type !== 'turn-end' && event.type !== 'tool-update') {
      expect(event.text).not.toBe('')
    }
    if (event.type === 'turn-end') expect(event.ok || (event.errors?.length ?? 0) > 0).toBe(true)
  }
  for (const toolId of started) expect(ended.has(toolId), `no end of ${toolId}`).toBe(true)
}
