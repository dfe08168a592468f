import {realpathSync} from 'node:fs'
import {resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {findProgram} from './programs.ts'

/** The command that Claude Code is to call: by name where that leads here, else by the paths of Node and of this program. */
export function hookCommand(dataDir: string | undefined): string {
  const bin = fileURLToPath(new URL('./bin.js', import.meta.url))
  const program = isOnPath(bin) ? 'vitrine' : `${quote(process.execPath)} ${quote(bin)}`
  const target = dataDir === undefined ? '' : ` --data-dir ${quote(resolve(dataDir))}`
  return `${program} hook${target}`
}

/** Whether the name leads here, and will later: npm and npx put folders on the PATH for as long as they run. */
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
