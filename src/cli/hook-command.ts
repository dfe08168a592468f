import {realpathSync} from 'node:fs'
import {resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {findProgram} from './programs.ts'

/** Creates the hook command: `vitrine` if the PATH leads to this program, else the paths of Node and this program. */
export function hookCommand(dataDir: string | undefined): string {
  const bin = fileURLToPath(new URL('./bin.js', import.meta.url))
  const program = isOnPath(bin) ? 'vitrine' : `${quote(process.execPath)} ${quote(bin)}`
  const target = dataDir === undefined ? '' : ` --data-dir ${quote(resolve(dataDir))}`
  return `${program} hook${target}`
}

/** Whether `vitrine` on the PATH is this program, ignoring directories that npm and npx add while they run. */
function isOnPath(bin: string): boolean {
  const found = findProgram(['vitrine'])
  if (found === null || /[\\/]node_modules[\\/]\.bin[\\/]/.test(found)) return false
  try {
    return realpathSync(found) === realpathSync(bin)
  } catch {
    return false
  }
}

function quote(word: string): string {
  if (process.platform === 'win32') return `"${word}"`
  return `'${word.replaceAll("'", `'\\''`)}'`
}
