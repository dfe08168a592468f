import {escapeControls} from '../../../src/core/text/text.ts'

/** Labels folders by their last name, with the names before it where that is ambiguous. */
export function labelFolders(
  folders: readonly string[],
): (readonly [folder: string, label: string])[] {
  const known = folders.filter((folder) => folder !== '')
  return known.map((folder) => {
    const names = namesOf(folder)
    for (let length = 1; length <= names.length; length++) {
      const label = names.slice(-length).join('/')
      const isUnique = known.every(
        (other) => other === folder || namesOf(other).slice(-length).join('/') !== label,
      )
      if (isUnique) return [folder, escapeControls(label)]
    }
    return [folder, escapeControls(folder)]
  })
}

function namesOf(folder: string): string[] {
  return folder.split(/[\\/]/).filter((name) => name !== '')
}
