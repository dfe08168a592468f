import {chromium, type Browser} from 'playwright-core'
import {findBrowser, needBrowser} from '../../scripts/find-browser.js'

/** Starts the browser of this machine. Without one, tests are skipped, but not in CI. */
export async function launchBrowser(): Promise<Browser | undefined> {
  const executablePath = process.env['CI'] === undefined ? findBrowser() : needBrowser()
  if (executablePath === undefined) return undefined
  return chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--no-first-run'],
  })
}
