import {readdirSync, utimesSync} from 'node:fs'
import {join} from 'node:path'
import axe from 'axe-core'
import type {Locator, Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import type {RunSummary} from '../../src/core/run/run-summary.ts'
import {runAxeInThemes} from '../support/axe.ts'
import {launchBrowser} from '../support/browser.ts'
import {
  expectToFit,
  makeLoginLink,
  openDashboard,
  type OpenDashboard,
} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'
import {createHome, removeHome} from '../support/transcripts.ts'

const browser = await launchBrowser()
const HOUR = 3_600_000
/** The title of a session of Claude Code. */
const TITLE = 'Count the lines of the notes'

describe.skipIf(browser === undefined)('the history of the dashboard', () => {
  const home = createHome('claude', 'codex')
  const place: Place = createPlace()
  let hub: RunningHub
  let seen: OpenDashboard
  let page: Page
  let listed: RunSummary[]
  /** The session with the title. */
  let session: RunSummary

  beforeAll(async () => {
    // Copied files are new, and sessions that were written just now are live.
    for (const path of listFiles(home)) setWritten(path, 2 * HOUR)
    await place.runFake('happy', ['--id', 'happy', '--no-hub'], {agentArgs: ['-p', 'Be happy']})
    hub = await startHub(place, [], {HOME: home})
    seen = await openDashboard(browser, hub.url, {
      bypassCSP: true,
      loginUrl: await makeLoginLink(place),
    })
    await seen.context.addInitScript(axe.source)
    ;({page} = seen)
    listed = await list()
    const found = listed.find(({title, agent}) => title === TITLE && agent === 'claude')
    if (found === undefined) throw new Error(`no session: ${TITLE}`)
    session = found
  })

  afterEach(async () => {
    await seen.expectClean()
  })

  afterAll(async () => {
    await browser?.close()
    await hub?.stop()
    place.clear()
    removeHome(home)
  })

  async function list(): Promise<RunSummary[]> {
    const {runs} = (await hub.json('/api/runs?limit=500')) as unknown as {runs: RunSummary[]}
    return runs
  }

  const rows = () => page.getByRole('row').filter({has: page.locator('th[scope=row]')})
  const rowOf = (runId: string): Locator =>
    rows().filter({has: page.locator(`a[href="/runs/${runId}"]`)})
  const kind = (name: RegExp) => page.getByRole('radio', {name})
  const query = () => Object.fromEntries(new URL(page.url()).searchParams)
  const sessions = () => listed.filter((entry) => entry.kind === 'session')

  test('lists sessions beside runs, under headings with their number', async () => {
    await seen.go('/')
    await page.getByRole('table', {name: 'Runs and sessions'}).waitFor()
    expect(sessions().length).toBeGreaterThan(20)
    await kind(new RegExp(`^All ${listed.length}$`)).waitFor()
    await kind(/^Runs 1$/).waitFor()
    await kind(new RegExp(`^Sessions ${sessions().length}$`)).waitFor()
    const run = rowOf('happy')
    expect(await run.innerText()).toContain('Succeeded')
    expect(await run.getByRole('cell').nth(1).innerText()).toBe('Run')
    const row = rowOf(session.runId)
    expect(await row.getByRole('link').innerText()).toBe(TITLE)
    expect(await row.getByRole('cell').first().innerText()).toMatch(/^Ended/)
    expect(await row.getByRole('cell').nth(1).innerText()).toBe('Session')
    expect(await row.innerText()).toMatch(/\d turns? · \d+ tools?/)
    expect(await page.getByRole('heading', {level: 2}).allInnerTexts()).toContain('Today')
    const text = await page.evaluate<string>('document.body.innerText')
    for (const {sessionId = 'none'} of sessions()) expect(text).not.toContain(sessionId)
  })

  test('filters by kind, agent, project and date, and shows all again', async () => {
    await seen.go('/')
    await kind(/^Runs/).click()
    await expect.poll(() => rows().count()).toBe(1)
    expect(query()).toEqual({kind: 'run'})
    await page.keyboard.press('s')
    await expect.poll(query).toEqual({kind: 'session'})
    const codex = sessions().filter(({agent}) => agent === 'codex')
    await page.getByRole('combobox', {name: 'Agent'}).selectOption('codex')
    await expect.poll(() => rows().count()).toBe(codex.length)
    await kind(new RegExp(`^Sessions ${codex.length}$`)).waitFor()
    const [{cwd} = {cwd: ''}] = codex
    await page.getByRole('combobox', {name: 'Project'}).selectOption(cwd)
    const inProject = codex.filter((entry) => entry.cwd === cwd)
    await expect.poll(() => rows().count()).toBe(inProject.length)
    await page.getByRole('combobox', {name: 'Date'}).selectOption('custom')
    await page.getByLabel('First day').fill('2001-01-01')
    await page.getByLabel('Last day').fill('2001-01-02')
    await page.getByText('No run or session matches').waitFor()
    await page.getByText('Agent: Codex').waitFor()
    await page.getByRole('button', {name: 'Clear filters'}).click()
    await kind(new RegExp(`^All ${listed.length}$`)).waitFor()
    expect(query()).toEqual({})
  })

  test('opens a session without a verdict, a button to stop it, or an exit code', async () => {
    await seen.go('/?kind=session')
    await rowOf(session.runId).getByRole('link').click()
    const header = page.locator('[data-part=run-header]')
    await header.getByRole('heading', {name: TITLE}).waitFor()
    expect(await header.innerText()).toMatch(/Session[^]*Ended/)
    await page.getByRole('feed').getByRole('article').nth(1).waitFor()
    await page.getByRole('button', {name: 'More about this session'}).waitFor()
    expect(await page.getByRole('button', {name: /stop|evidence/i}).count()).toBe(0)
    expect(await page.evaluate('document.body.innerText')).not.toMatch(/exit code|verdict/i)
  })

  test('jumps from a match to its moment', async () => {
    await seen.go('/')
    await rowOf(session.runId).waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('lines notes')
    const results = page.getByRole('region', {name: 'Search results'})
    const entry = results
      .getByRole('article')
      .filter({has: page.locator(`a[href="/runs/${session.runId}"]`)})
    const match = entry.getByRole('link', {name: /Jump to/}).first()
    await match.waitFor()
    expect(query()).toEqual({q: 'lines notes'})
    expect(await page.getByRole('status').first().innerText()).toMatch(/^\d+ match/)
    const marked = await match.locator('mark').allInnerTexts()
    expect(marked.length).toBeGreaterThan(0)
    await match.click()
    const chosen = page.locator('article[aria-current=true]')
    await expect.poll(() => chosen.innerText()).toContain(marked[0])
    await page.goBack()
    await results.waitFor()
    await page.getByRole('searchbox', {name: 'Search'}).fill('xyzzyplugh')
    await page.getByText('No run or session matches “xyzzyplugh”').waitFor()
  })

  test('shows a session that is being written as live, and follows it', async () => {
    await seen.go('/')
    await rowOf(session.runId).waitFor()
    const {sessionId = 'none'} = session
    const path = listFiles(home).find((file) => file.includes(sessionId))
    if (path === undefined) throw new Error(`no file of ${sessionId}`)
    setWritten(path, 0)
    const state = rowOf(session.runId).getByRole('cell').first()
    await expect.poll(() => state.innerText()).toMatch(/^Live\s+written \d+ s ago/)
    await page.getByRole('button', {name: /^Live/}).click()
    await expect.poll(() => rows().count()).toBe(1)
    setWritten(path, 2 * HOUR)
    await page.getByText('No run or session matches').waitFor({timeout: 40_000})
  })

  test.each([1280, 390])(
    'fits at %d px, and has no serious accessibility violation in any theme',
    async (width) => {
      await page.setViewportSize({width, height: 844})
      const found: string[] = []
      const views: [path: string, wait: () => Promise<void>][] = [
        ['/', () => rows().first().waitFor()],
        ['/?q=notes', () => page.getByRole('region', {name: 'Search results'}).waitFor()],
        ['/?q=xyzzyplugh&kind=run', () => page.getByText('No run or session matches').waitFor()],
        [
          `/runs/${session.runId}`,
          () => page.getByRole('feed').getByRole('article').nth(1).waitFor(),
        ],
      ]
      for (const [path, wait] of views) {
        await seen.go(path)
        await wait()
        await expectToFit(page)
        found.push(...(await runAxeInThemes(page, path)))
      }
      expect(found).toEqual([])
    },
  )
})

function listFiles(folder: string): string[] {
  return readdirSync(folder, {recursive: true, withFileTypes: true})
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

/** Sets the time when a file was last written, in milliseconds ago. */
function setWritten(path: string, agoMs: number): void {
  const at = new Date(Date.now() - agoMs)
  utimesSync(path, at, at)
}
