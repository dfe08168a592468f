import {execFile} from 'node:child_process'
import {findExecutable} from '../runner/command.ts'

/** Finds the first of these programs on the PATH. */
export function findProgram(names: readonly string[]): string | null {
  for (const name of names) {
    try {
      return findExecutable(name, process.env, process.cwd())
    } catch {
      // Try the next name.
    }
  }
  return null
}

const VERSION_TIMEOUT_MS = 10_000

/** Reads the version that a program prints; `null` when it prints none. */
export function readVersion(path: string): Promise<string | null> {
  return new Promise((resolve) => {
    const isScript = process.platform === 'win32' && /\.(?:cmd|bat)$/i.test(path)
    const options = {timeout: VERSION_TIMEOUT_MS, shell: isScript, maxBuffer: 64 * 1024}
    const child = execFile(path, ['--version'], options, (error, stdout, stderr) => {
      const version = /\d+\.\d+(?:\.\d+)?[\w.+-]*/.exec(stdout || (error === null ? stderr : ''))
      resolve(version?.[0].replace(/\.$/, '') ?? null)
    })
    child.stdin?.end()
  })
}
