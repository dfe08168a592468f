import {existsSync} from 'node:fs'
import {chromium, type Browser} from 'playwright-core'

const EXECUTABLES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Starts the browser of this machine. Without one, tests are skipped, but not in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const executablePath = EXECUTABLES.find((path) => path !== undefined && existsSync(path))
  if (executablePath === undefined) {
    if (process.env['CI'] === undefined) return undefined
    throw new Error('no browser found: install chromium, or name one in CHROMIUM')
  }
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
}
