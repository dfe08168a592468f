import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import type {Ended, Place} from './run.ts'

/** The dashboard as somebody looks at it. */
export interface OpenDashboard {
  page: Page
  context: BrowserContext
  /** Where all requests go. */
  origin: string
  /** Goes to a path of the dashboard, as whoever types it does. */
  go(path: string): Promise<void>
  /** Takes away the troubles that were meant to be. */
  forgive(pattern: RegExp): void
  /** Fails on errors, violations of the policy, dialogs, new windows, and requests to anywhere else. */
  expectClean(): Promise<void>
  close(): Promise<void>
}

/** How to look. */
export interface DashboardOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** For what is put into the page by a test. */
  bypassCSP?: boolean
  /** Without it the page is opened by somebody who is not logged in. */
  loginUrl?: string
}

/** Opens the dashboard in a browser of its own cookies. */
export async function openDashboard(
  browser: Browser | undefined,
  url: string,
  {width = 1280, height = 800, theme = 'light', bypassCSP = false, loginUrl}: DashboardOptions = {},
): Promise<OpenDashboard> {
  if (browser === undefined) throw new Error('there is no browser')
  const {origin} = new URL(url)
  const context = await browser.newContext({
    viewport: {width, height},
    colorScheme: theme,
    bypassCSP,
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(20_000)
  let troubles: string[] = []
  await context.exposeBinding('tellViolation', (_, words: string) => troubles.push(words))
  await context.addInitScript(WATCH)
  const page = await context.newPage()
  page.on('console', (message) => {
    const isWarning = message.type() === 'warning' && /policy|react/i.test(message.text())
    if (message.type() !== 'error' && !isWarning) return
    troubles.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => troubles.push(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => troubles.push('the page crashed'))
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => troubles.push(`new window: ${popup.url()}`))
  page.on('request', (request) => {
    if (!isOwn(request.url(), origin)) troubles.push(`request: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url(), origin)) troubles.push(`socket: ${socket.url()}`)
  })
  page.on('framenavigated', (frame) => {
    if (!isOwn(frame.url(), origin)) troubles.push(`went to ${frame.url()}`)
  })
  await page.goto(loginUrl ?? `${origin}/`)
  return {
    page,
    context,
    origin,
    async go(path) {
      await page.goto(origin + path)
    },
    forgive(pattern) {
      troubles = troubles.filter((trouble) => !pattern.test(trouble))
    },
    async expectClean() {
      expect(await page.evaluate('window.hacked')).toBeUndefined()
      expect(troubles).toEqual([])
    },
    close: () => context.close(),
  }
}

/** A demo at work on the data folder of a place. */
export interface RunningDemo {
  url: string
  loginUrl: string
  stop(): Promise<void>
}

/** Starts a demo. */
export async function startDemo(place: Place, speed: number): Promise<RunningDemo> {
  const options = ['--no-open', '--json', '--port', '0', '--data-dir', place.dataDir]
  const running = place.start(['demo', ...options, '--speed', String(speed)])
  let text = ''
  running.child.stdout.on('data', (piece: string) => (text += piece))
  await running.prints('}\n')
  const {url, loginUrl} = JSON.parse(text) as {url: string; loginUrl: string}
  return {
    url,
    loginUrl,
    async stop() {
      running.child.kill('SIGINT')
      await running.ended
    },
  }
}

/** A live run that prints lines until it is released. */
export interface HeldRun {
  ended: Promise<Ended>
  /** Lets it print its result and end. */
  release(): void
}

/** Starts a run whose end the test decides, so that no test depends on the speed of the machine. */
export function startHeldRun(
  place: Place,
  id: string,
  prompt: string,
  {intervalMs = 100} = {},
): HeldRun {
  const script = place.file('held-agent.mjs')
  const releaseFile = place.file(`release-${id}`)
  writeFileSync(script, HELD_AGENT, {mode: 0o755})
  const options = ['--data-dir', place.dataDir, '--agent', 'claude', '--id', id]
  const {ended} = place.start(['run', ...options, '--', script, '-p', prompt], {
    env: {RELEASE_FILE: releaseFile, INTERVAL_MS: String(intervalMs)},
  })
  return {ended, release: () => writeFileSync(releaseFile, '')}
}

/** Creates a login link, which works once, at the hub of a place. */
export async function makeLoginLink(place: Place): Promise<string> {
  const {url} = JSON.parse(readFileSync(join(place.dataDir, 'hub.json'), 'utf8')) as {url: string}
  const token = readFileSync(join(place.dataDir, 'token'), 'utf8').trim()
  const headers = {authorization: `Bearer ${token}`}
  const response = await fetch(`${url}/api/login-links`, {method: 'POST', headers})
  if (!response.ok) throw new Error(`no link: ${response.status} ${await response.text()}`)
  return ((await response.json()) as {url: string}).url
}

/** Shows a line of a run in the panel of its records, which is open. */
export async function showRecord(page: Page, line: number): Promise<void> {
  await page.getByRole('searchbox', {name: /^Find records/}).fill(String(line))
  await page
    .getByRole('listbox', {name: 'Records'})
    .getByRole('option')
    .filter({hasText: new RegExp(`^${line}\\D`)})
    .first()
    .click()
  await page.getByText(`Line ${line}, as received`).waitFor()
}

/** Waits for the last words of a fake agent; on failure the error has the text of the permission dock. */
export async function expectOutcome(page: Page, outcome: string): Promise<void> {
  const dock = page.getByRole('region', {name: 'Permission'})
  try {
    await page.getByText(outcome, {exact: true}).first().waitFor()
  } catch (error) {
    const text = (await dock.allInnerTexts()).join('\n')
    throw new Error(`no "${outcome}"; permission dock: ${text || 'none'}`, {cause: error})
  }
}

/** Waits until the rows of the feed and the scroll position stay the same for several frames. */
export async function waitUntilStill(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
    const read = () => [...document.querySelectorAll('article[aria-posinset]')]
      .map((row) => row.getAttribute('aria-posinset') + ' ' + row.getBoundingClientRect().top)
      .join()
    let previous = read()
    for (let same = 0; same < ${STILL_FRAMES};) {
      await frame()
      const now = read()
      same = now === previous ? same + 1 : 0
      previous = now
    }
  })()`)
}

/** Fails when anything makes the page wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  const [width, room] = await page.evaluate<[number, number]>(
    '[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]',
  )
  expect(width).toBeLessThanOrEqual(room)
}

const LINES_MODULE = new URL('../fake-agents/lines.js', import.meta.url).href

const HELD_AGENT = `#!/usr/bin/env node
import {existsSync} from 'node:fs'
import {assistantText, init, print, result, sleep} from '${LINES_MODULE}'
print(init())
for (let line = 1; !existsSync(process.env.RELEASE_FILE); line++) {
  print(assistantText('This is line ' + line + '.'))
  await sleep(Number(process.env.INTERVAL_MS))
}
print(result('Done.'))
`

const STILL_FRAMES = 4

const WATCH = `addEventListener('securitypolicyviolation', (event) =>
  window.tellViolation('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`

function isOwn(address: string, origin: string): boolean {
  if (/^(data:|blob:|about:)/.test(address)) return true
  return address.replace(/^ws/, 'http').startsWith(`${origin}/`)
}
