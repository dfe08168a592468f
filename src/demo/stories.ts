import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {RunLimits, RunRecord} from '../recording/run-record.ts'

/** A recording of a real agent that the demo tells. `scripts/make-demo.js` puts them there. */
export interface Story {
  name: string
  agent: string
  prompt: string
  /** The name of the folder it works in. */
  project: string
  /** Those of a lane are told live, one after the other. */
  lane?: string | undefined
  /** When it ended, for one that is over. */
  minutesAgo?: number | undefined
  workOrder?: RunRecord['workOrder']
  limits?: RunLimits | undefined
  durationMs: number
  /** Whether it asks for permissions, and is answered on stdin. */
  asks: boolean
  exitCode: number | null
  signal: NodeJS.Signals | null
}

/** Where the recordings are. The build puts them there. */
const RECORDINGS = fileURLToPath(new URL('recordings/', import.meta.url))

/** All stories of the demo. */
export function readStories(): Story[] {
  return JSON.parse(readFileSync(join(RECORDINGS, 'stories.json'), 'utf8')) as Story[]
}

/** The folder with the output of a story and its times. */
export function getStoryDir({name}: Pick<Story, 'name'>): string {
  return join(RECORDINGS, name)
}
