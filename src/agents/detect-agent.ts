import {isRecord} from '../core/wire/json.ts'
import {parseRecord} from '../core/wire/records.ts'
import {agents} from './list.ts'

/**
 * The agent that printed these lines, or `null`. The first line that is likely to be of one agent decides; if there is none, the
 * agent that may have printed most of them. Lines that are not JSON are passed over.
 */
export function detectAgent(firstLines: string | readonly string[]): string | null {
  const detector = createAgentDetector()
  const lines = typeof firstLines === 'string' ? firstLines.split('\n') : firstLines
  for (const line of lines) {
    const agent = detector.add(line)
    if (agent !== null) return agent
  }
  return detector.guess()
}

/** Finds out whose output a stream is, line by line. */
export interface AgentDetector {
  /** Looks at the next line; the agent, once it is likely. */
  add(line: string): string | null
  /** The agent that may have printed most of the lines so far; `null` when there is none. */
  guess(): string | null
  /** How many of the lines so far were JSON objects. */
  readonly recordCount: number
}

/** Makes a detector for one stream. */
export function createAgentDetector(): AgentDetector {
  const votes = agents.map(() => 0)
  let recordCount = 0
  return {
    add(line) {
      const record = parseRecord(line)
      if (record.type !== 'json') return null
      const values: unknown[] = Array.isArray(record.value) ? record.value : [record.value]
      for (const value of values) {
        if (!isRecord(value)) continue
        recordCount++
        const scores: number[] = agents.map((agent) => agent.detect(value))
        const best = Math.max(...scores)
        if (best >= LIKELY) return agents[scores.indexOf(best)]?.id ?? null
        for (const [index, score] of scores.entries())
          if (score > 0) votes[index] = (votes[index] ?? 0) + 1
      }
      return null
    },
    guess() {
      const most = Math.max(...votes)
      return most * 2 > recordCount ? (agents[votes.indexOf(most)]?.id ?? null) : null
    },
    get recordCount() {
      return recordCount
    },
  }
}

const LIKELY = 2
