import type {Locator, Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {escapeControls} from '../../src/core/text/text.ts'
import {launchBrowser} from '../support/browser.ts'
import {
  expectOutcome,
  openDashboard,
  showRecord,
  startDemo,
  startHeldRun,
  type OpenDashboard,
  type RunningDemo,
} from '../support/dashboard.ts'
import {createPlace, type Place} from '../support/run.ts'

/** Replay speed of the demo; 1 is natural. */
const SPEED = 15
const BAD = /^(Failed|Truncated|Timed out|Over budget|Stuck)/
const VERDICT = /^(Succeeded|Failed|Timed out)/
/** Stories of the demo that ask for permission. */
const ASKING = /Release 2\.4\.0|Add a currency column/
const LIVE = /Working|Starting|Retrying|Rate-limited|Compacting|Lingering/

const browser = await launchBrowser()

afterAll(() => browser?.close())

describe.skipIf(browser === undefined)('the dashboard of the demo', () => {
  let place: Place
  let demo: RunningDemo
  let seen: OpenDashboard
  let page: Page

  beforeAll(async () => {
    place = createPlace()
    demo = await startDemo(place, SPEED)
    seen = await openDashboard(browser, demo.url, demo)
    ;({page} = seen)
  })

  afterEach(async () => {
    await seen.expectClean()
  })

  afterAll(async () => {
    await seen?.close()
    await demo?.stop()
    place?.clear()
  })

  const rowOf = (title: string | RegExp): Locator =>
    page.getByRole('row').filter({has: page.getByRole('link', {name: title})})
  const stateOf = async (row: Locator) => (await row.getByRole('cell').first().innerText()).trim()
  const rows = () => page.getByRole('row').filter({has: page.locator('th[scope=row]')})
  const rowCount = () => rows().count()
  const entries = () => page.getByRole('feed').getByRole('article')
  const header = () => page.getByRole('main').getByRole('definition')
  const goToRuns = async () => {
    await page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name: 'Runs'}).click()
    await page.getByRole('heading', {name: 'Runs', level: 1}).waitFor()
  }
  const openRun = async (title: string | RegExp) => {
    await goToRuns()
    const link = page.getByRole('link', {name: title}).first()
    // Only the rows near the visible ones are in the page. A new run is at the top.
    await expect
      .poll(async () => {
        const isThere = (await link.count()) > 0
        const isEnd = 'scrollY + innerHeight >= document.documentElement.scrollHeight - 1'
        if (!isThere) await page.evaluate(`scrollTo(0, ${isEnd} ? 0 : scrollY + 400)`)
        return isThere
      })
      .toBe(true)
    await follow(link)
    await entries().first().waitFor()
  }
  /** A click right after a row was inserted above is ignored, because it was meant for another row. */
  const follow = async (link: Locator) => {
    await expect
      .poll(
        async () => {
          if (new URL(page.url()).pathname === '/') await link.click({timeout: 5000})
          return new URL(page.url()).pathname
        },
        {interval: 400, timeout: 20_000},
      )
      .toMatch(/^\/runs\//)
  }
  const runIdHere = () => /runs\/([^?]+)/.exec(page.url())?.[1] ?? ''

  test('opens with the runs in groups', async () => {
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
    expect(await page.title()).toMatch(/Vitrine$/)
    const groups = await page.getByRole('heading', {level: 2}).allInnerTexts()
    expect(groups).toContain('Live')
    expect(groups.length).toBeGreaterThan(1)
    expect(await rowCount()).toBeGreaterThan(10)
  })

  test('shows a run that begins, works and ends without a reload', async () => {
    await goToRuns()
    // A reloaded page would not have it.
    await page.evaluate('window.isFirst = true')
    const links = page.locator('th[scope=row]').getByRole('link', {name: /\w/})
    const readAll = () =>
      links.evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    const known = await readAll()
    let row: Locator | undefined
    await expect
      .poll(
        async () => {
          for (const href of (await readAll()).filter((link) => !known.includes(link))) {
            const found = rows().filter({has: page.locator(`a[href="${href}"]`)})
            const text = await found.innerText()
            // Runs that wait for permission do not end by themselves.
            if (LIVE.test(text) && !ASKING.test(text)) row = found
          }
          return row
        },
        {timeout: 30_000, interval: 50},
      )
      .toBeDefined()
    if (row === undefined) throw new Error('no run began')
    const begun = row
    await expect.poll(() => stateOf(begun), {timeout: 40_000}).toMatch(VERDICT)
    expect(await page.evaluate('window.isFirst')).toBe(true)
  })

  test('searches runs, filters them by agent and by state, and shows all again', async () => {
    await goToRuns()
    const all = await rowCount()
    const field = page.getByRole('searchbox', {name: 'Search'})
    await field.fill('MCP test server')
    const results = page.getByRole('region', {name: 'Search results'})
    await results
      .getByRole('link', {name: /^Call the MCP test server/})
      .first()
      .waitFor()
    expect(new URL(page.url()).searchParams.get('q')).toBe('MCP test server')
    await field.fill('')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
    const agent = page.getByRole('combobox', {name: 'Agent'})
    await agent.selectOption('codex')
    const listOthers = async () => {
      const agents = await rows().getByRole('rowheader').allInnerTexts()
      return agents.filter((text) => !/^(Cx|codex)/i.test(text))
    }
    await expect.poll(listOthers).toEqual([])
    expect(await rowCount()).toBeGreaterThan(1)
    expect(new URL(page.url()).searchParams.get('agent')).toBe('codex')
    await agent.selectOption('')
    await page.getByRole('button', {name: /^Failed/}).click()
    const listGood = async () => {
      const states = await rows().locator('td:first-child').allInnerTexts()
      return states.filter((word) => !BAD.test(word.trim()))
    }
    await expect.poll(listGood).toEqual([])
    expect(await rowCount()).toBeGreaterThan(0)
    expect(await rowCount()).toBeLessThan(all)
    await field.fill('no xylophone anywhere')
    await page.getByText('No run or session matches “no xylophone anywhere”').waitFor()
    await page.getByRole('button', {name: 'Clear filters'}).click()
    await expect.poll(rowCount).toBeGreaterThanOrEqual(all)
    expect(await field.inputValue()).toBe('')
    expect(page.url()).toBe(`${seen.origin}/`)
  })

  test('lists the sessions of the last weeks, and shows on the usage page what they cost', async () => {
    await page.goto(`${seen.origin}/?kind=session`)
    await rowOf('Sketch the new retry policy').waitFor()
    expect(await stateOf(rowOf('Sketch the new retry policy'))).toMatch(/^Idle/)
    expect(await stateOf(rowOf('Why does the invoice total differ by one cent?'))).toMatch(/^Live/)
    expect(await rowCount()).toBeGreaterThan(20)
    await page.getByRole('navigation', {name: 'Main'}).getByRole('link', {name: 'Usage'}).click()
    const figures = page.getByRole('region', {name: 'Key figures'})
    await expect.poll(() => figures.innerText()).toMatch(/≈\s*\$\d{3}/)
    expect(await figures.innerText()).toMatch(/[3-6]\d sessions/)
  })

  test('finds a failed tool by key and by filter, with its output', async () => {
    await openRun('Run the release checks')
    await page.keyboard.press('e')
    const chosen = page.locator('article[aria-current=true]')
    await expect.poll(() => chosen.getAttribute('aria-label')).toMatch(/^Bash .*failed after/)
    await chosen.getByText('exit 3', {exact: false}).first().waitFor()
    const output = chosen.getByRole('group')
    await expect.poll(() => output.first().innerText()).toMatch(/\S/)
    const words = await output.first().innerText()
    await page.keyboard.press('Escape')
    const errors = page.getByRole('toolbar', {name: 'Feed'}).getByRole('button', {name: /^Errors/})
    const count = Number(/\d+/.exec(await errors.innerText())?.[0])
    expect(count).toBeGreaterThan(0)
    await errors.click()
    await expect.poll(() => entries().count()).toBe(count)
    const failed = entries().filter({has: page.getByRole('button', {name: /^Bash/})})
    expect(await failed.getByRole('group').first().innerText()).toBe(words)
  })

  test('replays a finished run, with all parts at the same moment', async () => {
    await openRun('Call the MCP test server')
    const size = async () => Number(await entries().first().getAttribute('aria-setsize'))
    const fullSize = await size()
    const cost = await page.getByRole('definition').nth(1).innerText()
    const lines = place.read(runIdHere(), 'stdout').toString().trimEnd().split('\n').length
    await page.getByRole('tab', {name: 'Raw'}).click()
    const records = page.getByRole('listbox', {name: 'Records'}).getByRole('option')
    await records.first().waitFor()
    await page.getByRole('button', {name: 'Replay'}).click()
    const bar = page.getByRole('region', {name: 'Replay'})
    await bar.getByRole('button', {name: 'Pause'}).click()
    const moment = bar.getByRole('slider', {name: 'Moment'})
    const read = async () => ({
      feed: await size(),
      records: await records.count(),
      header: (await header().allInnerTexts()).join('\n'),
    })
    await moment.fill('0')
    await expect.poll(size).toBeLessThan(fullSize)
    const start = await read()
    expect(start.feed).toBeGreaterThan(0)
    expect(start.records).toBeLessThan(3)
    const length = Number(await moment.getAttribute('max'))
    await moment.fill(String(Math.round(length / 2)))
    await expect.poll(size).toBeGreaterThan(start.feed)
    const middle = await read()
    expect(middle.feed).toBeLessThan(fullSize)
    expect(middle.records).toBeGreaterThan(start.records)
    expect(middle.records).toBeLessThan(lines)
    expect(middle.header).not.toBe(start.header)
    expect(middle.header).toMatch(LIVE)
    expect(await page.getByRole('button', {name: 'Show the evidence'}).count()).toBe(0)
    await bar.getByRole('combobox', {name: 'Speed'}).selectOption('100')
    await bar.getByRole('button', {name: 'Play'}).click()
    await bar.getByRole('button', {name: 'Pause'}).waitFor()
    await bar.getByRole('button', {name: 'Play'}).waitFor()
    const end = await read()
    expect(end.feed).toBe(fullSize)
    await moment.press('Home')
    await expect.poll(size).toBe(start.feed)
    await moment.press('End')
    await expect.poll(read).toEqual(end)
    expect(end.header).toContain('Succeeded')
    await page.getByRole('button', {name: 'End replay'}).click()
    expect(await bar.count()).toBe(0)
    expect(await page.getByRole('definition').nth(1).innerText()).toBe(cost)
  })

  test('shows every line of the recording exactly', async () => {
    await openRun('Run the three hooks')
    const lines = place.read(runIdHere(), 'stdout').toString().trimEnd().split('\n')
    await page.getByRole('tab', {name: 'Raw'}).click()
    await page.getByText(`${lines.length} lines`, {exact: false}).first().waitFor()
    const list = page.getByRole('listbox', {name: 'Records'})
    const found = new Set<string>()
    await list.focus()
    for (let top = 0; found.size < lines.length && top < lines.length * 24 + 500; top += 200) {
      await list.evaluate((element, to) => (element.scrollTop = to), top)
      await expect.poll(() => list.getByRole('option').count()).toBeGreaterThan(0)
      for (const text of await list.getByRole('option').allInnerTexts()) {
        found.add(/^\d+/.exec(text)?.[0] ?? text)
      }
    }
    expect([...found].map(Number).toSorted((a, b) => a - b)).toEqual(lines.map((_, at) => at + 1))
    const malformed = lines.findIndex((line) => !line.startsWith('{')) + 1
    expect(malformed).toBeGreaterThan(0)
    for (const line of [malformed, lines.length, 1]) {
      await showRecord(page, line)
      await page.getByRole('button', {name: 'Exact'}).click()
      const exact = page.getByRole('tabpanel').locator('pre')
      await expect.poll(() => exact.textContent()).toBe(escapeControls(lines[line - 1] ?? ''))
    }
  })

  test('opens a tool, a line and a moment by link', async () => {
    await openRun('Call the MCP test server')
    const runId = runIdHere()
    await entries()
      .getByRole('button', {name: /^lab boom/})
      .click()
    await expect.poll(() => new URL(page.url()).searchParams.get('tool')).toMatch(/\w/)
    const toTool = page.url()
    await page.keyboard.press('4')
    await page.getByText(/^Line \d+, as received$/).waitFor()
    const shown = await page.getByText(/^Line \d+, as received$/).innerText()
    const toLine = page.url()
    expect(new URL(toLine).searchParams.get('line')).toBe(/\d+/.exec(shown)?.[0])

    await page.goto(toTool)
    const chosen = page.locator('article[aria-current=true]')
    await chosen.waitFor()
    expect(await chosen.getAttribute('aria-label')).toMatch(/^lab boom/)
    await page.goto(toLine)
    await page.getByText(shown, {exact: true}).waitFor()
    await page.goto(`${seen.origin}/runs/${runId}?at=60`)
    const bar = page.getByRole('region', {name: 'Replay'})
    await bar.waitFor()
    expect(await bar.getByRole('slider').getAttribute('aria-valuetext')).toMatch(/^1:00 of 3:/)
    await page.goto(`${seen.origin}/runs/${runId}?tab=plan`)
    await page.getByRole('tab', {name: 'Plan', selected: true}).waitFor()
    await page.goto(`${seen.origin}/runs/nowhere`)
    await page.getByRole('heading', {name: 'Run not found'}).waitFor()
    seen.forgive(/404/)
  })

  test('shows a live run from its first entry to its verdict without a reload', async () => {
    await goToRuns()
    await page.evaluate('window.isFirst = true')
    const run = startHeldRun(place, 'finishing', 'Say a few lines')
    await openRun('Say a few lines')
    const before = await entries().first().getAttribute('aria-setsize')
    expect(await header().first().innerText()).toMatch(LIVE)
    const verdict = page.getByRole('button', {name: 'Show the evidence'})
    expect(await verdict.count()).toBe(0)
    run.release()
    await verdict.waitFor()
    const dock = page.getByRole('region', {name: 'Feed'}).getByRole('heading', {level: 2})
    expect(await dock.innerText()).toMatch(/^Succeeded in/)
    expect(await header().first().innerText()).toMatch(VERDICT)
    const after = await entries().first().getAttribute('aria-setsize')
    expect(Number(after)).toBeGreaterThan(Number(before))
    expect(await page.evaluate('window.isFirst')).toBe(true)
    await verdict.click()
    await page.getByText(/^Line \d+, as received$/).waitFor()
    await run.ended
  })

  test('allows a request of the demo once, and the run continues', async () => {
    await goToRuns()
    const asking = rows().filter({hasText: 'Needs you'}).first()
    await asking.waitFor()
    await follow(asking.getByRole('rowheader').getByRole('link').first())
    const dock = page.getByRole('region', {name: 'Permission'})
    await dock.getByRole('heading', {name: /^Allow this/}).waitFor()
    expect(await header().first().innerText()).toContain('Needs you')
    await dock.getByRole('button', {name: 'Allow once'}).click()
    await page.getByRole('heading', {name: /^Succeeded in/}).waitFor()
    expect(await dock.count()).toBe(0)
    await page.getByText('Allowed by you').first().waitFor()
  })

  const ask = async (id: string, requests: unknown[][]) => {
    const run = place.startFake('asks', ['--id', id, '--permissions', 'ask'], {
      agentArgs: ['-p', `Ask for ${id}`],
      env: {REQUESTS: JSON.stringify(requests)},
    })
    await goToRuns()
    await follow(page.getByRole('link', {name: `Ask for ${id}`}))
    const dock = page.getByRole('region', {name: 'Permission'})
    await dock.getByRole('button', {name: 'Allow once'}).waitFor()
    return {dock, run}
  }
  const touch = ['Bash', {command: 'touch created', description: 'Touch'}]

  test('denies a request with a reason that the agent receives', async () => {
    const {dock, run} = await ask('denied', [touch])
    expect(await dock.innerText()).toContain('touch created')
    await dock.getByRole('button', {name: 'Deny with reason'}).click()
    await dock.getByRole('textbox', {name: 'Reason'}).fill('Not on a Sunday.')
    await dock.getByRole('button', {name: 'Deny', exact: true}).click()
    await expectOutcome(page, 'Outcome: denied')
    await page.getByRole('heading', {name: /^Succeeded in/}).waitFor()
    await page.getByText('Denied by you').first().waitFor()
    await run.ended
    expect(place.read('denied', 'stdin').toString()).toContain('"message":"Not on a Sunday."')
  })

  test('allows a changed command, and the agent receives the change', async () => {
    const {dock, run} = await ask('changed', [touch, touch])
    await dock.getByRole('button', {name: 'Change it…'}).click()
    await dock.getByRole('textbox', {name: 'The command'}).fill('touch "another file"')
    await dock.getByRole('button', {name: 'Allow this instead'}).click()
    // The second request is answered unchanged.
    await expect
      .poll(
        async () => {
          const alerts = await dock.getByRole('alert').allInnerTexts()
          return `${place.read('changed', 'stdin').toString()}${alerts.join()}`
        },
        {timeout: 30_000},
      )
      .toContain('"command":"touch \\"another file\\""')
    await page.getByText('Allowed by you').first().waitFor()
    await dock.getByRole('button', {name: 'Allow once'}).click()
    await expectOutcome(page, 'Outcome: allowed, allowed')
    await run.ended
    const inputs = place
      .read('changed', 'stdin')
      .toString()
      .match(/"updatedInput":\{[^}]*\}/g)
    expect(inputs).toEqual([
      '"updatedInput":{"command":"touch \\"another file\\"","description":"Touch"}',
      '"updatedInput":{"command":"touch created","description":"Touch"}',
    ])
  })

  test('stops a live run after a confirmation', async () => {
    const run = place.startFake('slow', ['--id', 'stopped'], {
      agentArgs: ['-p', 'Go on for long'],
      env: {LINES: '5000', MS: '50'},
    })
    await openRun('Go on for long')
    await page.getByRole('button', {name: 'Stop the run'}).click()
    await page.getByRole('button', {name: 'No'}).click()
    expect(run.child.exitCode).toBe(null)
    await page.getByRole('button', {name: 'Stop the run'}).click()
    await page.getByRole('button', {name: 'Stop? Yes'}).click()
    await page.getByRole('button', {name: 'Show the evidence'}).waitFor()
    expect(await header().first().innerText()).toMatch(/^Stopped/)
    await run.ended
    expect(place.readRun('stopped')).toMatchObject({result: {verdict: 'stopped'}})
    await goToRuns()
    await expect.poll(() => stateOf(rowOf('Go on for long'))).toBe('Stopped')
  })
})
