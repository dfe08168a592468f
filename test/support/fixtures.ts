import {readFileSync} from 'node:fs'
import {agents} from '../../src/agents/list.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {listFixtureFiles} from './fixture-files.js'

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
export const fixtures: Fixture[] = agents.flatMap((agent) =>
  listFixtureFiles(agent.id)
    .map(({name, path}) => ({
      agent,
      name: `${agent.id}/${name}`,
      base: path.replace(/\.jsonl$/, ''),
      bytes: readFileSync(path),
    }))
    .filter(({bytes}) => bytes.length > 0),
)
