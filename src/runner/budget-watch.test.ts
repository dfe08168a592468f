import {expect, test} from 'vitest'
import {findAgent} from '../agents/find-agent.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {createBudgetWatch} from './budget-watch.ts'

const stamp = {line: 1, at: 0, agent: 'x'}
const start = (model?: string): AgentEvent => ({
  ...stamp,
  type: 'session-start',
  sessionId: 's',
  model,
})
const used = (costUsd?: number, input = 5): AgentEvent => ({
  ...stamp,
  type: 'usage',
  tokens: {input, output: 0, cacheRead: 0, cacheWrite: 0},
  costUsd,
})

function watch(agent: string, maxCostUsd: number | undefined, ...events: AgentEvent[]): string[] {
  const doubts: string[] = []
  const see = createBudgetWatch(findAgent(agent), maxCostUsd, (reason) => doubts.push(reason))
  for (const event of events) see(event)
  return doubts
}

test('reports a model of unknown price once, when the session starts', () => {
  expect(watch('claude', 1, start('glm-4.6'), start('glm-4.6'), used(0.1))).toEqual([
    '--max-cost may be inaccurate: the price of glm-4.6 is unknown, so Claude Code and Vitrine use the price of another model',
  ])
})

test('reports a model with a cost of $0, and suggests other limits', () => {
  expect(watch('opencode', 1, start('local/qwen'), used(0), used(0))).toEqual([
    '--max-cost cannot be checked: OpenCode reports a cost of $0 for this model. Use --max-turns or --timeout',
  ])
})

test('reports nothing without a limit, with a known price, or for a request without tokens', () => {
  expect(watch('claude', undefined, start('glm-4.6'))).toEqual([])
  expect(watch('claude', 1, start('claude-opus-5-5'), start(), used(0.1), used(0, 0))).toEqual([])
})
