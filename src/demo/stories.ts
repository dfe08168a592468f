import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {RunLimits, RunRecord} from '../recording/run-record.ts'

/** A recording of a real agent that the demo replays, written by `scripts/make-demo.js`. */
export interface Story {
  name: string
  agent: string
  prompt: string
  /** The name of its working directory. */
  project: string
  /** The stories of a lane are replayed live, one after the other. */
  lane?: string | undefined
  /** When it ended, for a past run. */
  minutesAgo?: number | undefined
  workOrder?: RunRecord['workOrder']
  limits?: RunLimits | undefined
  durationMs: number
  /** Whether it asks for permissions and reads answers on stdin. */
  asks: boolean
  exitCode: number | null
  signal: NodeJS.Signals | null
}

/** The build puts the recordings there. */
const RECORDINGS = fileURLToPath(new URL('recordings/', import.meta.url))

/** Reads all stories of the demo. */
export function readStories(): Story[] {
  return JSON.parse(readFileSync(join(RECORDINGS, 'stories.json'), 'utf8')) as Story[]
}

/** Returns the directory with the output of a story and its timing. */
export function getStoryDir({name}: Pick<Story, 'name'>): string {
  return join(RECORDINGS, name)
}
