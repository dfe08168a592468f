import {readFileSync} from 'node:fs'
import {recordingAt} from '../recording/recording.ts'
import {readTiming} from '../recording/timing.ts'

/** A line of a story and its time since the start. */
export interface StoryLine {
  atMs: number
  text: string
}

/** The start time of every recorded story, so that its timestamps can be found. */
const ORIGIN = 1_000_000_000_000
const TIME = /(?<![\w.-])(?:2001-09-\d\dT\d\d:\d\d:\d\d\.\d{3}Z|1000\d{9}|1000\d{6})(?![\w.])/g
/** The working directory in every recorded story. */
const RECORDED_CWD = '/home/dev/project'

/** Reads the lines of a story. */
export function readStoryLines(folder: string): StoryLine[] {
  const {stdout, timing} = recordingAt(folder)
  const bytes = readFileSync(stdout)
  let start = 0
  return readTiming(timing).flatMap(({at, end}) => {
    const text = bytes.subarray(start, end).toString('utf8')
    start = end
    return text === '' ? [] : {atMs: at - ORIGIN, text}
  })
}

/** Replaces the recorded times and working directory of a line. */
export function moveToNow(text: string, cwd: string, toTime: (ms: number) => number): string {
  const folder = JSON.stringify(cwd).slice(1, -1)
  return text
    .replaceAll(RECORDED_CWD, () => folder)
    .replaceAll(TIME, (time) => {
      if (time.includes('T')) return new Date(toTime(Date.parse(time) - ORIGIN)).toISOString()
      const isSeconds = time.length === 10
      const shifted = toTime(Number(time) * (isSeconds ? 1000 : 1) - ORIGIN)
      return `${Math.round(isSeconds ? shifted / 1000 : shifted)}`
    })
}
