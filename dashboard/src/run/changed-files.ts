import type {FileAction} from '../../../src/core/events/events.ts'
import type {ToolEntry} from '../model/entry.ts'
import type {RunSnapshot} from '../model/run-model.ts'

/** A file changed by a run. */
export interface ChangedFile {
  path: string
  action: FileAction
  added: number
  removed: number
  /** The calls that changed it, in order. */
  calls: readonly ToolEntry[]
  /** Its last known size on disk. */
  sizeBytes?: number | undefined
  /** Whether another run may have made all of its changes. */
  isUncertain: boolean
}

/** The files changed by a run, by path: as reported by tools and as seen on disk. */
export function listChangedFiles(
  model: Pick<RunSnapshot, 'fileCalls' | 'seenFiles' | 'start'>,
  until: number = Number.POSITIVE_INFINITY,
): ChangedFile[] {
  const files = new Map<string, ChangedFile & {calls: ToolEntry[]}>()
  const cwd = model.start?.cwd ?? ''
  for (const entry of model.fileCalls) {
    if (entry.path === undefined) continue
    if (entry.endAt === undefined || entry.endAt > until || entry.ok === false) continue
    const path = relativeTo(cwd, entry.path)
    const file = fileOf(path, entry.action ?? 'modified')
    file.calls.push(entry)
    file.added += entry.added
    file.removed += entry.removed
  }
  for (const {path, action, sizeBytes, at, isUncertain = false} of model.seenFiles) {
    if (at > until) continue
    const file = fileOf(relativeTo(cwd, path), action, isUncertain)
    file.isUncertain &&= isUncertain
    file.sizeBytes = sizeBytes
  }
  return [...files.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1))

  function fileOf(
    path: string,
    action: FileAction,
    isUncertain = false,
  ): ChangedFile & {calls: ToolEntry[]} {
    const known = files.get(path)
    if (known !== undefined) {
      // A file that was created and then modified counts as created.
      if (!(known.action === 'created' && action === 'modified')) known.action = action
      return known
    }
    const file = {path, action, added: 0, removed: 0, calls: [], isUncertain}
    files.set(path, file)
    return file
  }
}

function relativeTo(cwd: string, path: string): string {
  if (cwd === '') return path
  const separator = cwd.includes('\\') ? '\\' : '/'
  const root = cwd.endsWith(separator) ? cwd : `${cwd}${separator}`
  return path.startsWith(root) ? path.slice(root.length) : path
}
