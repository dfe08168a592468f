import {chromium, type Browser} from 'playwright-core'
import {inject} from 'vitest'
import {findBrowser, requireBrowser} from '../../scripts/find-browser.js'
import {BROWSER_ARGS} from './browser-setup.ts'

/**
 * Connects to the browser of this test run, or starts one in a project without a shared browser.
 * Closing the result closes its contexts, not the shared browser. Without a browser, tests are skipped, except in CI.
 */
export async function launchBrowser(): Promise<Browser | undefined> {
  const endpoint = inject('browserEndpoint')
  if (endpoint !== undefined) return chromium.connect(endpoint)
  const executablePath = process.env['CI'] === undefined ? findBrowser() : requireBrowser()
  if (executablePath === undefined) return undefined
  return chromium.launch({executablePath, args: BROWSER_ARGS})
}
