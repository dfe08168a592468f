import {readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect} from 'vitest'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import type {Ended, Place} from './run.ts'

/** The dashboard in a browser context of its own. */
export interface OpenDashboard {
  page: Page
  context: BrowserContext
  /** The only origin that may be requested. */
  origin: string
  /** Loads a path of the dashboard. */
  go(path: string): Promise<void>
  /** Removes expected problems from those that `expectClean` reports. */
  forgive(pattern: RegExp): void
  /** Fails on errors, violations of the policy, dialogs, new windows, and requests to anywhere else. */
  expectClean(): Promise<void>
  close(): Promise<void>
}

/** Size, theme and login of an opened dashboard. */
export interface DashboardOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** Allows scripts that the test adds to the page. */
  bypassCSP?: boolean
  /** Without it the client is not logged in. */
  loginUrl?: string
}

/** Opens the dashboard with its own cookies. */
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
  let problems: string[] = []
  await context.exposeBinding('reportViolation', (_, violation: string) => problems.push(violation))
  await context.addInitScript(REPORT_VIOLATIONS)
  const page = await context.newPage()
  page.on('console', (message) => {
    const isWarning = message.type() === 'warning' && /policy|react/i.test(message.text())
    if (message.type() !== 'error' && !isWarning) return
    problems.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => problems.push(`page error: ${error.stack ?? error.message}`))
  page.on('crash', () => problems.push('the page crashed'))
  page.on('dialog', (dialog) => {
    problems.push(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on('popup', (popup) => problems.push(`new window: ${popup.url()}`))
  page.on('request', (request) => {
    if (!isOwn(request.url(), origin)) problems.push(`request: ${request.url()}`)
  })
  page.on('websocket', (socket) => {
    if (!isOwn(socket.url(), origin)) problems.push(`socket: ${socket.url()}`)
  })
  page.on('framenavigated', (frame) => {
    if (!isOwn(frame.url(), origin)) problems.push(`went to ${frame.url()}`)
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
      problems = problems.filter((problem) => !pattern.test(problem))
    },
    async expectClean() {
      expect(await page.evaluate('window.hacked')).toBeUndefined()
      expect(problems).toEqual([])
    },
    close: () => context.close(),
  }
}

/** A running demo. */
export interface RunningDemo {
  url: string
  loginUrl: string
  stop(): Promise<void>
}

/** Starts a demo in the data folder of a place. */
export async function startDemo(place: Place, speed: number): Promise<RunningDemo> {
  const options = ['--no-open', '--json', '--port', '0', '--data-dir', place.dataDir]
  const running = place.start(['demo', ...options, '--speed', String(speed)])
  let text = ''
  running.child.stdout.on('data', (chunk: string) => (text += chunk))
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

/** Selects a line in the open panel of raw records. */
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

/** Waits for the last text of a fake agent; on failure the error contains the text of the permission dock. */
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

/** Fails if the page is wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  const [width, available] = await page.evaluate<[number, number]>(
    '[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]',
  )
  expect(width).toBeLessThanOrEqual(available)
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

const REPORT_VIOLATIONS = `addEventListener('securitypolicyviolation', (event) =>
  window.reportViolation('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`

function isOwn(address: string, origin: string): boolean {
  if (/^(data:|blob:|about:)/.test(address)) return true
  return address.replace(/^ws/, 'http').startsWith(`${origin}/`)
}
