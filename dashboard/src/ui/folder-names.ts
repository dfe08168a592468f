import {escapeControls} from '../../../src/core/text/text.ts'
import {groupBy} from './group-by.ts'

/** The last name of a folder. */
export function nameFolder(path: string): string {
  return escapeControls(shorten(path, 1))
}

/** The short name of each folder: its last name, or more names when several folders would have the same one. */
export function nameFolders(paths: Iterable<string>): Map<string, string> {
  const names = new Map<string, string>()
  let open = [...new Set(paths)]
  for (let count = 1; open.length > 0; count++) {
    const groups = groupBy(open, (path) => shorten(path, count))
    open = []
    for (const [name, group] of groups) {
      if (group.length > 1 && count < MAX_NAMES) open.push(...group)
      else for (const path of group) names.set(path, escapeControls(name) || 'No folder')
    }
  }
  return names
}

const MAX_NAMES = 8

function shorten(path: string, count: number): string {
  const names = path.split(/[/\\]/).filter((name) => name !== '')
  return names.slice(-count).join('/') || path
}
