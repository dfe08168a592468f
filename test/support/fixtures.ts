import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {agents} from '../../src/agents/list.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'
import type {VerdictKind} from '../../src/core/run/verdict.ts'
import type {FixtureMeta} from '../../src/fixture/judge-fixture.ts'
import {listFixtureFiles} from './fixture-files.js'

/** The reason of every success. */
const SUCCESS = 'Last turn completed without errors'

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

/** A recording of a process, with the verdict that its `.meta.json` names. */
export interface FixtureEnding {
  agent: Adapter
  /** Such as `codex/0.166.0/shell_ok`. */
  name: string
  stdoutFile: string
  stderrFile: string
  exitCode: number | null
  signal: string | null
  verdict: VerdictKind | undefined
  /** A part of the reason of the verdict. */
  reason: string | undefined
}

/** Every recording of a process; an example from documentation has none. */
export const endings: FixtureEnding[] = agents.flatMap((agent) => {
  const folder = folderOf(agent)
  return listFiles(folder)
    .filter((file) => file.endsWith('.meta.json'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.meta\.json$/, ''))
    .toSorted()
    .flatMap((stem) => {
      const text = readFileSync(new URL(`${stem}.meta.json`, folder), 'utf8')
      const {exitCode, signal = null, verdict, reason} = JSON.parse(text) as FixtureMeta
      if (exitCode === undefined) return []
      return {
        agent,
        name: `${agent.id}/${stem}`,
        stdoutFile: fileURLToPath(new URL(`${stem}.jsonl`, folder)),
        stderrFile: fileURLToPath(new URL(`${stem}.stderr`, folder)),
        exitCode,
        signal,
        verdict,
        reason: reason ?? (verdict === 'succeeded' ? SUCCESS : undefined),
      }
    })
})

/** The content of a file; empty when a recording has no such file. */
export function readOrEmpty(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}

function folderOf({id}: Adapter): URL {
  return new URL(`../../src/agents/${id}/fixtures/`, import.meta.url)
}

function listFiles(folder: URL): string[] {
  return existsSync(folder) ? readdirSync(folder, {recursive: true, encoding: 'utf8'}) : []
}
