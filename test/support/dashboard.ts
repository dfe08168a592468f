import {expect} from 'vitest'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import type {Place} from './run.ts'

/** The dashboard as somebody looks at it. */
export interface Look {
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
export interface LookOptions {
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** For what is put into the page by a test. */
  bypassCSP?: boolean
  /** Without it the page is opened by somebody who is not logged in. */
  loginUrl?: string
}

/** Opens the dashboard in a browser of its own cookies. */
export async function look(
  browser: Browser | undefined,
  url: string,
  {width = 1280, height = 800, theme = 'light', bypassCSP = false, loginUrl}: LookOptions = {},
): Promise<Look> {
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

/** A link that logs in to the hub of a place, once. */
export async function makeLoginLink(place: Place): Promise<string> {
  const {stdout, stderr} = await place.vitrine(['login'])
  const link = /https?:\/\/\S+/.exec(stdout)?.[0]
  if (link === undefined) throw new Error(`no link: ${stdout}\n${stderr}`)
  return link
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

/** Fails when anything makes the page wider than the screen. */
export async function expectToFit(page: Page): Promise<void> {
  const [width, room] = await page.evaluate<[number, number]>(
    '[document.scrollingElement.scrollWidth, document.scrollingElement.clientWidth]',
  )
  expect(width).toBeLessThanOrEqual(room)
}

const WATCH = `addEventListener('securitypolicyviolation', (event) =>
  window.tellViolation('policy: ' + event.violatedDirective + ' ' + event.blockedURI + ' ' + event.sourceFile + ':' + event.lineNumber))`

function isOwn(address: string, origin: string): boolean {
  if (/^(data:|blob:|about:)/.test(address)) return true
  return address.replace(/^ws/, 'http').startsWith(`${origin}/`)
}
