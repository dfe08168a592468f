import type {EventParser} from '../core/events/event-parser.ts'
import type {AgentEvent, Tokens} from '../core/events/events.ts'
import {countTokens, withPendingUsage, type Ledger} from '../core/run/ledger.ts'
import type {SpentSoFar, SubAgentSpent} from './run-item.ts'
import {maskText} from './show-events.ts'

/** Reports the usage of a run so far: at intervals, and whenever the agent reports usage. */
export interface UsageReporter {
  /**
   * @param ledger - After the events of the line.
   * @returns `undefined` if nothing changed since the last report.
   */
  report(ledger: Ledger, events: readonly AgentEvent[], now: number): SpentSoFar | undefined
}

/** A chart shows no more points than this, and adding up pending usage takes time. */
const MAX_REPORTS = 400
const NO_TOKENS: Tokens = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

export function createUsageReporter(parser: EventParser | null, startedAt: number): UsageReporter {
  let lastKey = ''
  let reportedAt = 0
  /** Last reported tokens of each sub-agent. */
  const subAgentTokens = new Map<string, number>()

  return {
    report(ledger, events, now) {
      const isReported = events.some(({type}) => type === 'usage' || type === 'turn-end')
      const intervalMs = (now - startedAt) / MAX_REPORTS
      if (!isReported && (events.length === 0 || now < reportedAt + intervalMs)) return undefined
      reportedAt = now
      const pendingUsage = parser?.pendingUsage
      const {tokens, costUsd, isEstimate} = withPendingUsage(ledger, pendingUsage)
      const {input, output, cacheRead, cacheWrite} = tokens ?? NO_TOKENS
      const context = pendingUsage?.context
      const key = `${costUsd} ${input} ${output} ${cacheRead} ${cacheWrite} ${context}`
      const subAgents = reportSubAgents()
      if (key === lastKey && subAgents === undefined) return undefined
      lastKey = key
      return {
        context,
        costUsd: costUsd ?? null,
        isEstimate: isEstimate && costUsd !== undefined,
        input,
        output,
        cacheRead,
        cacheWrite,
        subAgents,
      }
    },
  }

  function reportSubAgents(): SubAgentSpent[] | undefined {
    const spent: SubAgentSpent[] = []
    for (const [id, {tokens, costUsd = null}] of parser?.subAgentUsage ?? []) {
      const sum = countTokens(tokens)
      if (sum === subAgentTokens.get(id)) continue
      subAgentTokens.set(id, sum)
      spent.push({toolId: maskText(id), tokens: sum, costUsd})
    }
    return spent.length === 0 ? undefined : spent
  }
}
