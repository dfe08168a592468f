import {readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {agents} from '../../src/agents/list.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'

/** Output of a real agent, or an example from its documentation if there is no other. */
export interface Fixture {
  agent: Adapter
  /** Such as `codex/0.166.0/shell_ok`. */
  name: string
  /** The path without its extension: the golden files beside it start with it. */
  base: string
  bytes: Buffer
}

/** Every recording that is not empty. */
export const fixtures: Fixture[] = agents.flatMap((agent) => {
  const folder = new URL(`../../src/agents/${agent.id}/fixtures/`, import.meta.url)
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.jsonl') && !file.endsWith('.stdin.jsonl'))
    .toSorted()
    .map((file) => ({
      agent,
      name: `${agent.id}/${file.replaceAll('\\', '/').replace(/\.jsonl$/, '')}`,
      base: fileURLToPath(new URL(file.replace(/\.jsonl$/, ''), folder)),
      bytes: readFileSync(new URL(file, folder)),
    }))
    .filter(({bytes}) => bytes.length > 0)
})
