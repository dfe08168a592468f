import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {readRecording, type Part} from '../fixture/script.ts'
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
export function getStoryDir({name}: Story): string {
  return join(RECORDINGS, name)
}

/** The start time of every recorded story, so that its timestamps can be found. */
const ORIGIN = 1_000_000_000_000
const TIME = /(?<![\w.-])(?:2001-09-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|1000\d{9}|1000\d{6})(?![\w.])/g
/** The working directory in every recorded story. */
const RECORDED_CWD = '/home/dev/project'

/** Reads the output of a story, one part per line. */
export function readStoryParts(dir: string): Part[] {
  return readRecording(dir, {startedAt: ORIGIN}).parts
}

/** Replaces the recorded times and working directory of a line. */
export function moveToNow(line: Buffer, cwd: string, toTime: (ms: number) => number): Buffer {
  const folder = JSON.stringify(cwd).slice(1, -1)
  const text = line
    .toString('utf8')
    .replaceAll(RECORDED_CWD, () => folder)
    .replaceAll(TIME, (time) => {
      if (time.includes('T')) return new Date(toTime(Date.parse(time) - ORIGIN)).toISOString()
      const isSeconds = time.length === 10
      const shifted = toTime(Number(time) * (isSeconds ? 1000 : 1) - ORIGIN)
      return `${Math.round(isSeconds ? shifted / 1000 : shifted)}`
    })
  return Buffer.from(text)
}
