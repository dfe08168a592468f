// Finds a browser for the tests, benchmarks and screenshots of the dashboard.

import {existsSync} from 'node:fs'

const PATHS = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** @returns {string | undefined} */
export function findBrowser() {
  return PATHS.find((path) => path !== undefined && existsSync(path))
}

/** @returns {string} */
export function requireBrowser() {
  const path = findBrowser()
  if (path === undefined) {
    throw new Error('No browser found. Install chromium, or set CHROMIUM to the path of one.')
  }
  return path
}
