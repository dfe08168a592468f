import {execFile} from 'node:child_process'
import {constants} from 'node:fs'
import {access, stat} from 'node:fs/promises'
import {delimiter, join} from 'node:path'

/** Where the first of these programs is that is on the PATH. */
export async function findProgram(names: readonly string[]): Promise<string | null> {
  const {PATH = '', PATHEXT = '.EXE;.CMD;.BAT'} = process.env
  const endings = process.platform === 'win32' ? PATHEXT.split(';') : ['']
  for (const name of names) {
    for (const folder of PATH.split(delimiter).filter(Boolean)) {
      for (const ending of endings) {
        const path = join(folder, name + ending)
        if (await isProgram(path)) return path
      }
    }
  }
  return null
}

async function isProgram(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK)
    return (await stat(path)).isFile()
  } catch {
    return false
  }
}

const PATIENCE_MS = 10_000

/** The version that a program tells; `null` when it does not. */
export function readVersion(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const isScript = process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(path)
    const options = {timeout: PATIENCE_MS, shell: isScript, maxBuffer: 64 * 1024}
    const child = execFile(path, ['--version'], options, (error, stdout, stderr) => {
      const version = /\d+\.\d+(?:\.\d+)?[\w.+-]*/.exec(stdout || (error === null ? stderr : ''))
      resolve(version?.[0].replace(/\.$/, '') ?? null)
    })
    child.stdin?.end()
  })
}
