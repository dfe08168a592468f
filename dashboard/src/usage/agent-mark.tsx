import {Monogram} from '../ui/monogram.tsx'
import type {Names} from './names.ts'

/** Two letters for an agent. */
export function AgentMark({agent, names}: {agent: string; names: Names}) {
  return <Monogram run={{agent: agent === '' ? null : agent, monogram: names.monogram(agent)}} />
}
