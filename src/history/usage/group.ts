import {agentOf} from './filter.ts'
import type {UsageEntry, UsagePart, UsageRequest, UsageRow, UsageTotal} from './report.ts'
import {addToSum, compareSums, createSum, mergeSums, toFigures, type Sum} from './sum.ts'

/** Adds up requests in total and by agent and model. */
export interface Group {
  sum: Sum
  parts: Map<string, Part>
  lastPart: Part | undefined
}

interface Part {
  agent: string
  model: string
  sum: Sum
}

/** Creates a group without requests. */
export function createGroup(): Group {
  return {sum: createSum(), parts: new Map(), lastPart: undefined}
}

/** Adds a request with its cost. */
export function addToGroup(
  group: Group,
  entry: UsageEntry,
  request: UsageRequest,
  costUsd: number | null,
): void {
  addToSum(group.sum, entry, request, costUsd)
  addToSum(partOf(group, agentOf(entry), request.model ?? '').sum, entry, request, costUsd)
}

/** Adds a group to another. Entries with requests in both are counted twice. */
export function mergeGroups(group: Group, added: Group): void {
  mergeSums(group.sum, added.sum)
  for (const {agent, model, sum} of added.parts.values()) {
    mergeSums(partOf(group, agent, model).sum, sum)
  }
}

/** The row of a group. */
export function toRow(key: string, group: Group, hasBreakdown = false): UsageRow {
  const row: UsageRow = {key, ...toTotal(group)}
  return hasBreakdown ? {...row, breakdown: toParts(group)} : row
}

/** The figures, agents and models of a group. */
export function toTotal(group: Group): UsageTotal {
  const list = (nameOf: (part: Part) => string) => {
    const sums = new Map<string, Sum>()
    for (const part of group.parts.values()) {
      const name = nameOf(part)
      if (name === '') continue
      const sum = sums.get(name) ?? createSum()
      sums.set(name, sum)
      mergeSums(sum, part.sum)
    }
    return [...sums].toSorted(([, one], [, other]) => compareSums(one, other)).map(([name]) => name)
  }
  return {
    ...toFigures(group.sum),
    agents: list(({agent}) => agent),
    models: list(({model}) => model),
  }
}

function toParts({parts}: Group): UsagePart[] {
  return [...parts.values()].toSorted((one, other) => compareSums(one.sum, other.sum)).map(toPart)
}

function toPart({agent, model, sum}: Part): UsagePart {
  return {agent, model, ...toFigures(sum)}
}

/** Most requests have the agent and model of the request before. */
function partOf(group: Group, agent: string, model: string): Part {
  const {lastPart, parts} = group
  if (lastPart?.agent === agent && lastPart.model === model) return lastPart
  const key = `${agent} ${model}`
  const part = parts.get(key) ?? {agent, model, sum: createSum()}
  parts.set(key, part)
  group.lastPart = part
  return part
}
