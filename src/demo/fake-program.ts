import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import type {Story} from './stories.ts'

/** What a stand-in has to tell. It is given to it in `VITRINE_DEMO`. */
export interface FakeProgramJob extends Pick<Story, 'durationMs' | 'exitCode' | 'signal' | 'asks'> {
  /** The folder with the output and its times. */
  folder: string
  speed: number
}

/**
 * Makes a program by the name of an agent that tells what it is given instead.
 *
 * @returns Its path, for Node.
 */
export function writeFakeProgram(folder: string, agent: string): string {
  mkdirSync(folder, {recursive: true})
  const path = join(folder, `${agent}.mjs`)
  const script = new URL('replay-agent.js', import.meta.url).href
  const program = `await import(${JSON.stringify(script)})\n`
  // Others may be starting it just now, and would read half of it.
  if (readIfExists(path) !== program) writeFileSync(path, program)
  return path
}

function readIfExists(path: string): string | undefined {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
