import {readdirSync, realpathSync, statSync, type Dirent} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'
import type {Machine, TranscriptFormat} from '../core/events/transcript.ts'
import {errnoOf, reasonOf} from '../recording/describe-errno.ts'
import {openTranscriptSource} from './source.ts'
import {pathOf, stampOf, type FileStats, type Transcript} from './transcripts.ts'

/** The transcripts on a machine. */
export interface Discovery {
  transcripts: Transcript[]
  folders: SessionFolder[]
}

/** A folder in which an agent keeps its sessions. */
export interface SessionFolder {
  agent: string
  path: string
  state: 'found' | 'missing' | 'unreadable'
  /** Folders and files in it that could not be read. */
  problems: Problem[]
}

/** A file or folder that could not be read. */
export interface Problem {
  path: string
  /** Such as `permission denied`. */
  reason: string
}

/** Real folders are not deeper; a loop of symbolic links is. */
const MAX_DEPTH = 12

/** This machine, with the home folder and the environment of the process. */
export function thisMachine(env: NodeJS.ProcessEnv = process.env): Machine {
  // A copy can be posted to a thread.
  return {home: env['HOME'] ?? homedir(), env: {...env}}
}

/** Finds the transcripts of all agents. It reads folders and the lists of databases, but no transcript. */
export function discoverTranscripts(
  formats: readonly TranscriptFormat[],
  machine: Machine,
): Discovery {
  const transcripts: Transcript[] = []
  const folders: SessionFolder[] = []
  /** Two roots can contain the same file through links. */
  const known = new Set<string>()

  for (const format of formats) {
    for (const root of new Set(format.roots(machine))) folders.push(discoverRoot(format, root))
  }
  return {transcripts, folders}

  function discoverRoot(format: TranscriptFormat, root: string): SessionFolder {
    const problems: Problem[] = []
    const found: Transcript[] = []
    const visited = new Set<string>()
    const state = visit('', 0)
    for (const transcript of withoutCopies(found)) add(transcript, problems)
    return {agent: format.agent, path: root, state, problems}

    function visit(folder: string, depth: number): SessionFolder['state'] {
      const absolute = folder === '' ? root : join(root, folder)
      const entries = listEntries(absolute, problems)
      if (entries === undefined) return 'missing'
      if (entries === null) return 'unreadable'
      for (const entry of entries) {
        const path = folder === '' ? entry.name : `${folder}/${entry.name}`
        const isLink = entry.isSymbolicLink()
        const file = entry.isDirectory() ? undefined : format.identify(path)
        const mayBeFolder = entry.isDirectory() || (isLink && file === undefined)
        if (mayBeFolder) {
          if (depth >= MAX_DEPTH || !format.hasTranscripts(path)) continue
          if (isLink && !isNewFolder(join(root, path))) continue
          visit(path, depth + 1)
        } else if (file !== undefined) {
          const stats = statFile(join(root, path), problems)
          if (stats !== undefined)
            found.push({format, root, path, file, stats, stamp: stampOf(stats)})
        }
      }
      return 'found'
    }

    /** Whether a link leads to a folder that was not visited yet. */
    function isNewFolder(path: string): boolean {
      try {
        const real = realpathSync(path)
        if (visited.has(real) || `${realpathSync(root)}/`.startsWith(`${real}/`)) return false
        visited.add(real)
        return statSync(real).isDirectory()
      } catch {
        return false
      }
    }
  }

  function add(transcript: Transcript, problems: Problem[]): void {
    const {dev, ino} = transcript.stats
    const identity = `${transcript.format.agent} ${dev} ${ino}`
    if (known.has(identity)) return
    known.add(identity)
    if (transcript.file.storage !== 'database') {
      transcripts.push(transcript)
      return
    }
    const source = openTranscriptSource(transcript)
    try {
      for (const {sessionId, stamp} of transcript.format.listSessions?.(source) ?? []) {
        transcripts.push({...transcript, sessionId, stamp})
      }
    } catch (error) {
      problems.push({path: pathOf(transcript), reason: reasonOf(error)})
    } finally {
      source.close()
    }
  }
}

/** The files without compressed ones that also exist in plain form. */
function withoutCopies(found: readonly Transcript[]): readonly Transcript[] {
  if (found.every(({file}) => file.compression === undefined)) return found
  const paths = new Set(found.map(({path}) => path))
  return found.filter(
    ({path, file}) => file.compression === undefined || !paths.has(path.replace(/\.[^./]+$/, '')),
  )
}

/** The entries of a folder; `undefined` if there is none, `null` if it cannot be read. */
function listEntries(path: string, problems: Problem[]): Dirent[] | null | undefined {
  try {
    return readdirSync(path, {withFileTypes: true})
  } catch (error) {
    const code = errnoOf(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    problems.push({path, reason: reasonOf(error)})
    return null
  }
}

function statFile(path: string, problems: Problem[]): FileStats | undefined {
  try {
    const stats = statSync(path)
    const {dev, ino, size, mtimeMs} = stats
    return stats.isFile() ? {dev, ino, size, mtimeMs} : undefined
  } catch (error) {
    if (errnoOf(error) !== 'ENOENT') problems.push({path, reason: reasonOf(error)})
    return undefined
  }
}
