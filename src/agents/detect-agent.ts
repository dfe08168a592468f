import {isRecord} from '../core/wire/json.ts'
import {parseRecord} from '../core/wire/records.ts'
import {agents} from './list.ts'

/**
 * The agent that printed these lines, or `null`. The first line with a likely agent decides; without one, the agent that may
 * have printed most of the lines. Lines that are not JSON are ignored.
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

/** Detects the agent of a stream, line by line. */
export interface AgentDetector {
  /** Adds the next line; returns the agent as soon as it is likely. */
  add(line: string): string | null
  /** The agent that may have printed more than half of the lines so far; `null` when there is none. */
  guess(): string | null
  /** Number of JSON objects so far. */
  readonly recordCount: number
}

/** Creates a detector for one stream. Among equal scores, the first agent of `adapters.ts` wins. */
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
      const highest = Math.max(...votes)
      return highest * 2 > recordCount ? (agents[votes.indexOf(highest)]?.id ?? null) : null
    },
    get recordCount() {
      return recordCount
    },
  }
}

const LIKELY = 2
