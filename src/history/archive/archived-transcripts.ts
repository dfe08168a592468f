import {existsSync} from 'node:fs'
import type {TranscriptFormat} from '../../core/events/transcript.ts'
import {attempt} from '../../recording/attempt.ts'
import {keyOf, pathOf, type Transcript} from '../transcripts.ts'
import {archiveFolder, readManifest, type ArchivedFile} from './manifest.ts'

/**
 * The transcripts in the archive whose originals are gone. A file that the agent has moved or compressed is not gone.
 *
 * @param present - The transcripts that were found on the machine.
 */
export function archivedTranscripts(
  dataDir: string,
  formats: readonly TranscriptFormat[],
  present: readonly Transcript[],
): Transcript[] {
  const archive = archiveFolder(dataDir)
  // A damaged archive must not hide the sessions that exist.
  const files = attempt(() => readManifest(archive)) ?? new Map<string, ArchivedFile>()
  if (files.size === 0) return []
  const known = new Set(
    present.flatMap((transcript) => [keyOf(transcript), identityOf(transcript)]),
  )
  const databases = new Set(present.map(pathOf))
  return [...files.values()].flatMap((archived) => {
    const format = formats.find(({agent}) => agent === archived.agent)
    const {key, root, path, file, stamp, size, mtimeMs, storedSession} = archived
    if (format === undefined || file === undefined || known.has(key)) return []
    const [dev = 0, ino = 0] = stamp.split(' ').map(Number)
    const transcript: Transcript = {
      format,
      root,
      path,
      file,
      stats: {dev, ino, size, mtimeMs},
      sessionId: storedSession,
      stamp,
      archive,
    }
    return known.has(identityOf(transcript)) || exists(transcript) ? [] : [transcript]
  })

  /** Whether the original exists and is only not looked for, as when its agent now has another folder. */
  function exists(transcript: Transcript): boolean {
    const path = pathOf(transcript)
    return transcript.sessionId === undefined && !databases.has(path) && existsSync(path)
  }
}

/** Identifies a transcript wherever it is. */
function identityOf({format, path, file, sessionId}: Transcript): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const plain = file.compression === undefined ? name : name.replace(/\.[^.]+$/, '')
  return [format.agent, sessionId ?? file.sessionId, file.subAgentId, plain].join('\n')
}
