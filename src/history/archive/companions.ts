import {readdirSync, type Dirent} from 'node:fs'
import {join} from 'node:path'
import {attempt} from '../../recording/attempt.ts'
import type {Transcript} from '../transcripts.ts'

/** A file that belongs to a session beside its transcripts. */
export interface Companion {
  root: string
  /** Relative to the root. */
  path: string
  /** Whether other sessions use it too. */
  isShared: boolean
}

/** Files around a transcript: those of its session, in folders, and those that it shares with other sessions. */
interface Surroundings {
  folders?: readonly string[]
  shared?: readonly string[]
}

/** The part of a transcript that the files around it are found by. */
type Place = Pick<Transcript, 'format' | 'root' | 'path' | 'file'>

/** Lists the files that belong to a session, such as long outputs of tools. Some may be transcripts. */
export function listCompanions(transcripts: readonly Place[], sessionId: string): Companion[] {
  const seen = new Set<string>()
  return transcripts.flatMap((transcript) => {
    const {format, root} = transcript
    const {folders = [], shared = []} = SURROUNDINGS[format.agent]?.(transcript, sessionId) ?? {}
    // The transcripts of a session are often in one folder.
    const isNew = (name: string) => !seen.has(`${root}/${name}`) && seen.add(`${root}/${name}`)
    return [
      ...folders
        .filter(isNew)
        .flatMap((folder) => toCompanions(root, listFiles(root, folder), false)),
      ...toCompanions(root, shared.filter(isNew), true),
    ]
  })
}

function toCompanions(root: string, paths: readonly string[], isShared: boolean): Companion[] {
  return paths.map((path) => ({root, path, isShared}))
}

/** Where each agent keeps them. */
const SURROUNDINGS: Readonly<Record<string, (place: Place, sessionId: string) => Surroundings>> = {
  claude: ({path}, sessionId) => ({folders: [`${firstParts(path, 1)}/${sessionId}`]}),
  cline: ({path}) => ({folders: [withoutLastParts(path, 1)]}),
  copilot: ({path}) => ({folders: [withoutLastParts(path, 1)]}),
  gemini: ({path}, sessionId) => ({
    folders: [`${firstParts(path, 2)}/tool-outputs/session-${sessionId}`],
    shared: [`${firstParts(path, 2)}/.project_root`, 'projects.json'],
  }),
  kimi: ({path}) => ({folders: [withoutLastParts(path, 3)], shared: ['session_index.jsonl']}),
  opencode: listDocumentFolders,
  qwen: ({path}, sessionId) => ({folders: [`${firstParts(path, 2)}/subagents/${sessionId}`]}),
}

/** Versions before 1.2 have a document for each message and each part of one. */
function listDocumentFolders({root, file}: Place): Surroundings {
  if (file.storage !== 'document' || file.sessionId === undefined) return {}
  const messages = `storage/message/${file.sessionId}`
  const parts = listEntries(join(root, messages)).map(
    ({name}) => `storage/part/${name.replace(/\.json$/, '')}`,
  )
  return {folders: [messages, ...parts]}
}

function firstParts(path: string, count: number): string {
  return path.split('/').slice(0, count).join('/')
}

function withoutLastParts(path: string, count: number): string {
  return path.split('/').slice(0, -count).join('/')
}

/** Real folders are not deeper. */
const MAX_DEPTH = 8
/** A session does not have more. */
const MAX_FILES = 10_000

/** The regular files in a folder and in those below, without following links. */
function listFiles(root: string, start: string): string[] {
  const files: string[] = []
  visit(start, 0)
  return files

  function visit(folder: string, depth: number): void {
    // A transcript directly in the root has no folder of its own.
    if (folder === '' || depth > MAX_DEPTH) return
    for (const entry of listEntries(join(root, folder))) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) visit(path, depth + 1)
      else if (entry.isFile() && files.length < MAX_FILES) files.push(path)
    }
  }
}

function listEntries(path: string): Dirent[] {
  return attempt(() => readdirSync(path, {withFileTypes: true})) ?? []
}
