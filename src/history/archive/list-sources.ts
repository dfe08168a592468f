import {statSync} from 'node:fs'
import {attempt} from '../../recording/attempt.ts'
import type {Session} from '../sessions.ts'
import {keyOf, pathOf, stampOf, type Transcript} from '../transcripts.ts'
import {listCompanions} from './companions.ts'

/** A file to archive, or a session in a database. */
export interface Source {
  key: string
  stamp: string
  agent: string
  root: string
  path: string
  sessionId?: string | undefined
  /** `undefined` for a file that is no transcript. */
  transcript?: Transcript | undefined
}

/** The part of a session that archiving needs. */
export type ArchivableSession = Pick<Session, 'agent' | 'sessionId' | 'transcripts'>

/** Lists the files of a session that exist: its transcripts and those around them. */
export function listSources(session: ArchivableSession): Source[] {
  const {agent, sessionId} = session
  const transcripts = session.transcripts.flatMap(({transcript}) =>
    transcript.archive === undefined ? [transcript] : [],
  )
  const sources: Source[] = transcripts.map((transcript) => {
    const {root, path, stamp} = transcript
    return {key: keyOf(transcript), stamp, agent, root, path, sessionId, transcript}
  })
  for (const {root, path, isShared} of listCompanions(transcripts, sessionId)) {
    const key = pathOf({root, path})
    const stats = attempt(() => statSync(key))
    if (stats === undefined) continue
    const owner = isShared ? undefined : sessionId
    sources.push({key, stamp: stampOf(stats), agent, root, path, sessionId: owner})
  }
  return sources
}
