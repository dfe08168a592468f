import {readFileSync} from 'node:fs'
import axe from 'axe-core'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {formatMoney, formatTokens} from '../../src/core/text/figures.ts'
import type {UsageOverview} from '../../src/hub/protocol/history.ts'
import {runAxe, runAxeInThemes} from '../support/axe.ts'
import {launchBrowser} from '../support/browser.ts'
import {
  expectToFit,
  makeLoginLink,
  openDashboard,
  type DashboardOptions,
  type OpenDashboard,
} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, sleep, type Place} from '../support/run.ts'
import {createHome, readTruth, removeHome, type TrueTokens} from '../support/transcripts.ts'

/** The sessions of the agents are of the day before. */
const NOW = new Date('2026-11-17T12:00:00Z')
const RANGE = 'since=2026-10-19&until=2026-11-17&timezone=UTC'

const ALL_TOKENS = countTokens([readTruth('claude').total.totals, readTruth('codex').total.totals])

const browser = await launchBrowser()

afterAll(async () => {
  await browser?.close()
})

describe.skipIf(browser === undefined)('the usage page', () => {
  let home: string
  let place: Place
  let hub: RunningHub
  let seen: OpenDashboard
  let overview: UsageOverview

  const open = async (options: DashboardOptions = {}) => {
    const loginUrl = await makeLoginLink(place)
    const opened = await openDashboard(browser, hub.url, {...options, bypassCSP: true, loginUrl})
    await opened.page.clock.setFixedTime(NOW)
    await opened.context.addInitScript(axe.source)
    return opened
  }
  const show = async ({go, page}: OpenDashboard, query = '') => {
    await go(`/usage${query}`)
    await page.getByRole('region', {name: 'Key figures'}).waitFor()
  }
  const chart = () => seen.page.getByRole('slider', {name: /^(?:Spend|Tokens) per day/})

  beforeAll(async () => {
    home = createHome('claude', 'codex')
    place = createPlace()
    hub = await startHub(place, [], {HOME: home})
    overview = await waitForTokens(hub, ALL_TOKENS)
    seen = await open()
  })

  beforeEach(() => show(seen))

  afterAll(async () => {
    await seen?.expectClean()
    await seen?.close()
    await hub?.stop()
    place?.clear()
    removeHome(home)
  })

  test('is a tab beside the runs', async () => {
    const {page} = seen
    await seen.go('/')
    const navigation = page.getByRole('navigation', {name: 'Main'})
    await navigation.getByRole('link', {name: 'Usage'}).click()
    await page.getByRole('heading', {name: 'Usage', level: 1}).waitFor()
    expect(new URL(page.url()).pathname).toBe('/usage')
    expect(await navigation.getByRole('link', {name: 'Usage'}).getAttribute('aria-current')).toBe(
      'page',
    )
  })

  test('shows the cost and the tokens of all agents', async () => {
    const {cells} = overview
    const cost = cells.reduce((sum, {costUsd}) => sum + (costUsd ?? 0), 0)
    const figures = seen.page.getByRole('region', {name: 'Key figures'})
    const text = await figures.innerText()
    expect(text).toContain('Spend, 30 days')
    expect(text).toContain(formatMoney(cost))
    expect(text).toContain(formatTokens(countTokens(cells.map(({tokens}) => tokens))))
    const rows = seen.page.getByRole('table', {name: 'Projects'}).locator('tbody tr')
    const projects = new Set(cells.map(({project}) => project))
    expect(await rows.count()).toBe(Math.min(projects.size, 10))
  })

  test('reads out the days of the chart by key', async () => {
    const {page} = seen
    await chart().waitFor()
    await page.keyboard.press('ArrowLeft')
    expect(await chart().getAttribute('aria-valuetext')).toMatch(/^Tue 17 Nov: \$0\.00/)
    await page.keyboard.press('ArrowLeft')
    const words = await chart().getAttribute('aria-valuetext')
    expect(words).toMatch(/^Mon 16 Nov: /)
    expect(words).toContain('Claude Code')
    expect(words).toContain('Codex CLI')
    await page.getByRole('listitem').filter({hasText: 'Mon 16 Nov'}).waitFor()
    await page.keyboard.press('Escape')
    expect(await chart().getAttribute('aria-valuetext')).toBe('All days')
  })

  test('keeps the controls in the URL', async () => {
    const {page} = seen
    await page.keyboard.press('1')
    await page.keyboard.press('b')
    await page.keyboard.press('m')
    await page.keyboard.press('v')
    await page.getByRole('table', {name: 'Projects'}).waitFor()
    expect(new URL(page.url()).search).toBe('?range=7&by=model&unit=tokens&view=table')
    await page.reload()
    await page.getByRole('heading', {name: 'Tokens per day'}).waitFor()
    for (const name of ['7 days', 'Model', 'Tokens']) {
      expect(await page.getByRole('radio', {name}).isChecked()).toBe(true)
    }
    const table = page.getByRole('group', {name: 'Daily values'}).getByRole('table')
    expect(await table.locator('tbody tr').count()).toBe(7)
    await page.getByRole('button', {name: 'Show chart'}).first().click()
    await chart().waitFor()
    await page.getByRole('radio', {name: 'Agent'}).check()
    await page.getByRole('radio', {name: 'Spend'}).check()
    expect(new URL(page.url()).search).toBe('?range=7')
  })

  test('shows a chosen range', async () => {
    const {page} = seen
    await page.keyboard.press('c')
    expect(new URL(page.url()).search).toBe('?since=2026-10-19&until=2026-11-17')
    const first = page.getByLabel('From')
    await expect.poll(() => first.evaluate((field) => field.matches(':focus'))).toBe(true)
    await first.fill('2026-11-16')
    await page.getByText('Spend, 16 Nov to today').waitFor()
    await first.fill('2026-11-17')
    await page.getByRole('heading', {name: 'No usage today'}).waitFor()
    await page.getByText('The last usage before is from 16 Nov.').waitFor()
  })

  test('shows one agent', async () => {
    const {page} = seen
    await page.getByRole('combobox', {name: 'Agent'}).selectOption('codex')
    const tokens = formatTokens(countTokens([readTruth('codex').total.totals]))
    await page.getByRole('region', {name: 'Key figures'}).getByText(tokens, {exact: true}).waitFor()
    const legend = page.getByRole('region', {name: 'Spend per day'}).getByRole('list')
    expect(await legend.innerText()).not.toContain('Claude Code')
  })

  test('exports the figures as CSV', async () => {
    const {page} = seen
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', {name: 'Export CSV'}).click(),
    ])
    expect(download.suggestedFilename()).toBe('vitrine-usage-2026-10-19-to-2026-11-17.csv')
    await download.saveAs(place.file('usage.csv'))
    const lines = readFileSync(place.file('usage.csv'), 'utf8').trimEnd().split('\r\n')
    expect(lines[0]).toMatch(/^day,agent,model,project,input_tokens,/)
    expect(lines).toHaveLength(overview.cells.length + 1)
  })

  test('leads to a session', async () => {
    const {page} = seen
    const session = page.getByRole('table', {name: 'Most expensive sessions'}).getByRole('link')
    await session.first().click()
    await page.getByRole('feed').waitFor()
    expect(new URL(page.url()).pathname).toMatch(/^\/runs\/./)
  })

  test.each([1280, 390])(
    'fits at %d px, and has no serious accessibility violation in any theme',
    async (width) => {
      const opened = await open({width})
      const found: string[] = []
      for (const query of ['', '?view=table']) {
        await show(opened, query)
        await expectToFit(opened.page)
        found.push(...(await runAxeInThemes(opened.page, query)))
      }
      expect(found).toEqual([])
      await opened.expectClean()
      await opened.close()
    },
  )
})

describe.skipIf(browser === undefined)('the usage page without any session', () => {
  let place: Place
  let hub: RunningHub
  let seen: OpenDashboard

  beforeAll(async () => {
    place = createPlace()
    hub = await startHub(place)
    const loginUrl = await makeLoginLink(place)
    seen = await openDashboard(browser, hub.url, {bypassCSP: true, loginUrl})
    await seen.context.addInitScript(axe.source)
  })

  afterAll(async () => {
    await seen?.expectClean()
    await seen?.close()
    await hub?.stop()
    place?.clear()
  })

  test('lists the folders where sessions are expected', async () => {
    const {page} = seen
    await seen.go('/usage')
    await page.getByRole('heading', {name: 'No usage yet'}).waitFor()
    const row = page.getByRole('row').filter({hasText: '~/.claude/'})
    expect(await row.innerText()).toMatch(/^Claude Code.*not found$/s)
    expect(await runAxe(page)).toEqual([])
  })
})

/** Waits until the hub has read all sessions. */
async function waitForTokens(hub: RunningHub, wanted: number): Promise<UsageOverview> {
  for (let attempt = 0; ; attempt++) {
    const answer: unknown = await hub.json(`/api/usage/overview?${RANGE}`)
    const overview = answer as UsageOverview
    const count = countTokens(overview.cells.map(({tokens}) => tokens))
    if (count === wanted) return overview
    if (attempt === MAX_ATTEMPTS) throw new Error(`${count} tokens instead of ${wanted}`)
    await sleep(100)
  }
}

const MAX_ATTEMPTS = 200

function countTokens(all: readonly TrueTokens[]): number {
  return all.reduce(
    (sum, {input, output, cacheRead, cacheWrite}) => sum + input + output + cacheRead + cacheWrite,
    0,
  )
}
