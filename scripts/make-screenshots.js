// Takes the screenshots of the dashboard for the README, from the demo: node scripts/make-screenshots.js
// Needs a build and Chromium. CHROMIUM is the path of the browser, if it is not in the usual places.

import {spawn} from 'node:child_process'
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {setTimeout as sleep} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {chromium} from 'playwright-core'
import {requireBrowser} from './find-browser.js'

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const images = fileURLToPath(new URL('../docs/images/', import.meta.url))
/** The run in the screenshots, and how long it is replayed before. */
const TITLE = /refund webhook/
const REPLAY_MS = 75_000
const WIDTH = 1280
const QUERY = 'createRefund idempotent'

const executablePath = requireBrowser()

mkdirSync(images, {recursive: true})
const home = mkdtempSync(join(tmpdir(), 'vitrine-screenshots-'))
const {PATH = ''} = process.env
const demo = spawn(
  process.execPath,
  [bin, 'demo', '--no-open', '--json', '--port', '0', '--speed', '2'],
  {env: {PATH, HOME: home, TZ: 'UTC'}, stdio: ['ignore', 'pipe', 'inherit']},
)
const browser = await chromium.launch({executablePath, args: ['--no-sandbox', '--disable-gpu']})
try {
  const {url, loginUrl} = await readAddress()
  const pages = {
    light: await openPage('light', loginUrl),
    dark: await openPage('dark', await createLoginLink(url)),
  }
  console.log(`Replaying for ${REPLAY_MS / 1000} s …`)
  await sleep(REPLAY_MS)
  for (const [theme, page] of Object.entries(pages)) {
    await page.goto(url)
    await page.getByRole('row').nth(5).waitFor()
    await sleep(1500)
    await page.screenshot({path: join(images, `runs-${theme}.png`)})
    await page.getByRole('link', {name: TITLE}).first().click()
    await page.getByRole('feed').getByRole('article').first().waitFor()
    await sleep(2500)
    await page.screenshot({path: join(images, `run-${theme}.png`)})
    await page.goto(`${url}/?q=${encodeURIComponent(QUERY)}`)
    await page.getByRole('region', {name: 'Search results'}).waitFor()
    await sleep(1500)
    await page.screenshot({path: join(images, `search-${theme}.png`)})
    await page.goto(`${url}/usage`)
    await page.getByRole('heading', {name: 'Usage'}).first().waitFor()
    await sleep(2500)
    // The bar at the bottom would be in the middle of a screenshot of the full page.
    const height = await page.evaluate(() => document.documentElement.scrollHeight)
    await page.setViewportSize({width: WIDTH, height})
    await sleep(1000)
    await page.screenshot({path: join(images, `usage-${theme}.png`), scale: 'css'})
  }
} finally {
  await browser.close()
  demo.kill('SIGINT')
  await new Promise((resolve) => demo.on('exit', resolve))
  rmSync(home, {recursive: true, force: true})
}

/** @returns {Promise<{url: string, loginUrl: string}>} */
function readAddress() {
  return new Promise((resolve) => {
    let text = ''
    demo.stdout.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
      if (text.includes('\n')) resolve(JSON.parse(text.split('\n', 1)[0] ?? ''))
    })
  })
}

/**
 * @param {'light' | 'dark'} colorScheme
 * @param {string} link
 */
async function openPage(colorScheme, link) {
  const viewport = {width: WIDTH, height: 860}
  const context = await browser.newContext({viewport, colorScheme, deviceScaleFactor: 1.5})
  const page = await context.newPage()
  await page.goto(link)
  return page
}

/**
 * Creates a login link: each one works once.
 *
 * @param {string} url
 */
async function createLoginLink(url) {
  const [page] = browser.contexts().flatMap((context) => context.pages())
  const created = await page?.evaluate(async () => {
    const response = await fetch('/api/login-links', {method: 'POST'})
    return response.json()
  })
  return /** @type {{url: string} | undefined} */ (created)?.url ?? url
}
