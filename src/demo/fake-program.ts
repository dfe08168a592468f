import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Story} from './stories.ts'

/** The story that a fake program replays, passed in `VITRINE_DEMO`. */
export interface FakeProgramJob extends Pick<Story, 'durationMs' | 'exitCode' | 'signal' | 'asks'> {
  /** The directory with the output and its timing. */
  folder: string
  speed: number
}

/**
 * Writes a program with the name of an agent that replays a story.
 *
 * @returns The path of the script for Node.
 */
export function writeFakeProgram(folder: string, agent: string): string {
  mkdirSync(folder, {recursive: true})
  const path = join(folder, `${agent}.mjs`)
  const script = new URL('replay-agent.js', import.meta.url).href
  const program = `await import(${JSON.stringify(script)})\n`
  // Another process may be reading the file at this moment.
  if (readIfExists(path) !== program) writeFileSync(path, program)
  return path
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
