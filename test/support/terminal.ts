import {spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {stripVTControlCharacters} from 'node:util'
import type {Place} from './run.ts'
import {bin} from './vitrine.ts'

/** Whether there is a program that creates a pseudo-terminal: `script` of util-linux. */
export const hasTerminal: boolean =
  spawnSync('script', ['--version']).stdout?.includes('util-linux') === true

/** Runs a command of Vitrine on a terminal and returns the lines that it prints, without colours. */
export async function runOnTerminal(
  place: Place,
  args: readonly string[],
  columns: number,
): Promise<string[]> {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ')
  const child = spawn(
    'script',
    ['-qfec', `stty cols ${columns} rows 40; ${command}`, '/dev/null'],
    {
      cwd: place.folder,
      env: {
        PATH: process.env['PATH'],
        HOME: place.folder,
        TZ: 'UTC',
        TERM: 'xterm',
        LANG: 'C.UTF-8',
        ...place.env,
      },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  )
  let shown = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (shown += text))
  const [exitCode] = (await once(child, 'close')) as [number | null]
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}:\n${shown}`)
  return shown.trimEnd().split('\n').map(readLine)
}

/** The visible text of a line, of which a later part can replace an earlier one. */
function readLine(line: string): string {
  const shown = line.split('\r\u001B[K').at(-1) ?? ''
  return stripVTControlCharacters(shown).replaceAll('\r', '')
}
