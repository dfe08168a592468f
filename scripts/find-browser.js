// Where a browser is, for what looks at the dashboard: tests, benchmarks, pictures.

import {existsSync} from 'node:fs'

const PLACES = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** The browser of this machine, if it has one. @returns {string | undefined} */
export function findBrowser() {
  return PLACES.find((path) => path !== undefined && existsSync(path))
}

/** The same, for those who cannot do without. @returns {string} */
export function needBrowser() {
  const path = findBrowser()
  if (path === undefined) {
    throw new Error('no browser found: install chromium, or name one in CHROMIUM')
  }
  return path
}
