import type {Adapter} from '../core/events/adapter.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {countTokens} from '../core/run/ledger.ts'

/** Reports once why the cost of a run cannot be checked against its limit as it is spent. */
export function createBudgetWatch(
  agent: Adapter | null,
  maxCostUsd: number | undefined,
  onDoubt: (reason: string) => void,
): (event: AgentEvent) => void {
  let isReported = maxCostUsd === undefined || agent === null
  return (event) => {
    const reason = isReported || agent === null ? undefined : findDoubt(agent, event)
    if (reason === undefined) return
    isReported = true
    onDoubt(reason)
  }
}

function findDoubt({label, hasPrice}: Adapter, event: AgentEvent): string | undefined {
  if (event.type === 'session-start') {
    const {model} = event
    if (model === undefined || hasPrice?.(model) !== false) return undefined
    return `--max-cost may be inaccurate: the price of ${model} is unknown, so ${label} and Vitrine use the price of another model`
  }
  if (event.type !== 'usage' || event.costUsd !== 0 || countTokens(event.tokens) === 0) {
    return undefined
  }
  return `--max-cost cannot be checked: ${label} reports a cost of $0 for this model. Use --max-turns or --timeout`
}
