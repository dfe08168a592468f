import {spawn} from 'node:child_process'

/** A program and its arguments. */
export type CommandWords = readonly [program: string, ...args: string[]]

/** Whether this machine has a display in front of the user: not in CI and not over SSH. */
export function canOpenBrowser(
  env: NodeJS.ProcessEnv = process.env,
  platform: NodeJS.Platform = process.platform,
): boolean {
  const isSet = (name: string) => env[name] !== undefined && env[name] !== ''
  if (['CI', 'SSH_CONNECTION', 'SSH_TTY'].some(isSet)) return false
  return platform !== 'linux' || isSet('DISPLAY') || isSet('WAYLAND_DISPLAY')
}

/** Returns the command that opens a URL, without a shell. */
export function getBrowserCommand(
  url: string,
  platform: NodeJS.Platform = process.platform,
): CommandWords {
  if (platform === 'darwin') return ['open', url]
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url]
  return ['xdg-open', url]
}

const OPEN_TIMEOUT_MS = 3000

/** Opens a URL in the browser and returns whether that succeeded. */
export function openBrowser(url: string): Promise<boolean> {
  const [program, ...args] = getBrowserCommand(url)
  return new Promise((resolve) => {
    const child = spawn(program, args, {stdio: 'ignore', detached: true})
    // The command may be the browser itself, which keeps running.
    const timer = setTimeout(() => resolve(true), OPEN_TIMEOUT_MS).unref()
    const settle = (isOpen: boolean) => {
      clearTimeout(timer)
      resolve(isOpen)
    }
    child.once('error', () => settle(false))
    child.once('exit', (code) => settle(code === 0))
    child.unref()
  })
}
