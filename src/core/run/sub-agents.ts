/** A sub-agent, identified by the call that started it. */
export interface SubAgent {
  toolId: string
  /** The call of the parent sub-agent, if it has one. */
  parentToolId?: string | undefined
  summary: string
  startedAt: number
  /** Absent while it runs. */
  ok?: boolean | undefined
  durationMs?: number | undefined
  toolCount: number
}

/** Limits the memory of long runs. */
const MAX_SUB_AGENTS = 500

/** Adds a sub-agent. If there are too many, the one that ended first is dropped. */
export function addSubAgent(
  subAgents: readonly SubAgent[],
  subAgent: SubAgent,
): readonly SubAgent[] {
  return [...dropOldest(subAgents), subAgent]
}

function dropOldest(subAgents: readonly SubAgent[]): readonly SubAgent[] {
  if (subAgents.length < MAX_SUB_AGENTS) return subAgents
  const index = subAgents.findIndex(({ok}) => ok !== undefined)
  return index === -1 ? subAgents : subAgents.toSpliced(index, 1)
}

/** Changes the last sub-agent that a call started. */
export function updateSubAgent(
  subAgents: readonly SubAgent[],
  toolId: string,
  changes: (subAgent: SubAgent) => Partial<SubAgent>,
): readonly SubAgent[] {
  const index = subAgents.findLastIndex((subAgent) => subAgent.toolId === toolId)
  const subAgent = subAgents[index]
  return subAgent === undefined
    ? subAgents
    : subAgents.with(index, {...subAgent, ...changes(subAgent)})
}
