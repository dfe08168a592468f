import {attempt} from '../recording/attempt.ts'
import {sizeOf} from '../recording/completeness.ts'
import {readBytes} from '../recording/read/byte-source.ts'
import {recordingAt} from '../recording/recording.ts'
import {toReadable} from './archive/readable.ts'
import {readTextFile} from './read-file.ts'
import {transcriptListOf, type ListedTranscript} from './session-adapter.ts'
import type {Session} from './sessions.ts'
import type {Transcript} from './transcripts.ts'

/** The transcripts in the order of an earlier copy; `undefined` if it cannot be continued. */
export function orderAsCopied(dir: string, session: Session): Transcript[] | undefined {
  if (!hasAllTimes(dir)) return undefined
  const list = attempt(() => JSON.parse(readTextFile(transcriptListOf(dir)) ?? '') as unknown)
  if (!Array.isArray(list)) return undefined
  const rest = session.transcripts.map(({transcript}) => transcript)
  const known: Transcript[] = []
  for (const {root, path, sessionId} of list as ListedTranscript[]) {
    const index = rest.findIndex((transcript) => {
      const readable = toReadable(transcript)
      return readable.root === root && readable.path === path && readable.sessionId === sessionId
    })
    if (index === -1) return undefined
    known.push(...rest.splice(index, 1))
  }
  return [...known, ...rest]
}

/** Whether the times of a copy reach the end of its records: the process that wrote it may have been killed. */
function hasAllTimes(dir: string): boolean {
  const {stdout, timing} = recordingAt(dir)
  const end = `,"out",${sizeOf(stdout)}]\n`
  const at = Math.max(0, sizeOf(timing) - end.length)
  return attempt(() => readBytes(timing, at, end.length).toString()) === end
}
