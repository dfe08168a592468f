import {createHash} from 'node:crypto'
import {existsSync, lstatSync, readdirSync, readFileSync} from 'node:fs'
import {join, relative} from 'node:path'

/** The content, time and mode of every file in a folder, by relative path. Programs can set times to the microsecond. */
export function hashFolder(folder: string): Record<string, string> {
  return Object.fromEntries(
    listFiles(folder).map((path) => {
      const {mtimeNs, mode} = lstatSync(path, {bigint: true})
      const content = digestOf(readFileSync(path))
      return [relative(folder, path), `${content} ${mtimeNs / 1000n} ${mode}`]
    }),
  )
}

/** The paths of all files in a folder and in those below. */
export function listFiles(folder: string): string[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, {withFileTypes: true}).flatMap((entry) => {
    const path = join(folder, entry.name)
    return entry.isDirectory() ? listFiles(path) : [path]
  })
}

/** The SHA-256 of content, in hexadecimal digits. */
export function digestOf(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}
