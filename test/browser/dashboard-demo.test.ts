import type {Locator, Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {makeHarmless} from '../../src/core/index.ts'
import {launchBrowser} from '../support/browser.ts'
import {
  look,
  makeLoginLink,
  showRecord,
  startDemo,
  type Look,
  type RunningDemo,
} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

/** How much faster than the agents were. */
const SPEED = 15
const BAD = /^(Failed|Truncated|Timed out|Over budget|Stuck)/
const VERDICT = /^(Succeeded|Failed|Timed out)/
const LIVE = /Working|Starting|Retrying|Rate-limited|Compacting|Lingering/

const browser = await launchBrowser()

afterAll(() => browser?.close())

describe.skipIf(browser === undefined)('the dashboard of the demo', () => {
  let place: Place
  let demo: RunningDemo
  let seen: Look
  let page: Page

  beforeAll(async () => {
    place = createPlace()
    demo = await startDemo(place, SPEED)
    seen = await look(browser, demo.url, demo)
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
    await follow(page.getByRole('link', {name: title}).first())
    await entries().first().waitFor()
  }
  /** A click right after somebody came in on top is swallowed, as it was meant for another row. */
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

  test('begins with the runs, in groups', async () => {
    expect(new URL(page.url()).pathname).toBe('/')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
    expect(await page.title()).toMatch(/Vitrine$/)
    const groups = await page.getByRole('heading', {level: 2}).allInnerTexts()
    expect(groups).toContain('Working')
    expect(groups.length).toBeGreaterThan(1)
    expect(await rowCount()).toBeGreaterThan(10)
  })

  test('runs are filtered by text, by fields and by chips, and all are back after', async () => {
    await goToRuns()
    const all = await rowCount()
    const field = page.getByRole('searchbox', {name: 'Filter'})
    await field.fill('lab server for the sum')
    await expect.poll(rowCount).toBe(1)
    await field.fill('agent:codex')
    await expect.poll(rowCount).toBeGreaterThan(1)
    const agents = await rows().getByRole('rowheader').allInnerTexts()
    expect(agents.filter((text) => !/^(Cx|codex)/i.test(text))).toEqual([])
    expect(new URL(page.url()).searchParams.get('q') ?? 'agent:codex').toBe('agent:codex')
    await field.fill('')
    await page.getByRole('button', {name: /^Failed/}).click()
    await expect.poll(rowCount).toBeLessThan(all)
    const states = await Promise.all((await rows().all()).map(stateOf))
    expect(states.length).toBeGreaterThan(0)
    expect(states.filter((word) => !BAD.test(word))).toEqual([])
    await field.fill('nothing is called so')
    await page.getByText('No run matches.').waitFor()
    await page.getByRole('button', {name: 'Clear filter'}).click()
    await expect.poll(rowCount).toBeGreaterThanOrEqual(all)
    expect(await field.inputValue()).toBe('')
    expect(page.url()).toBe(`${seen.origin}/`)
  })

  test('a tool that failed is found by key and by filter, with its output', async () => {
    await openRun('Run the release checks')
    await page.keyboard.press('e')
    const chosen = page.locator('article[aria-current=true]')
    expect(await chosen.getAttribute('aria-label')).toMatch(/^Bash .*failed after/)
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

  test('a run that is over is played again, and all parts show the same moment', async () => {
    await openRun('Ask the lab server for the sum')
    const size = async () => Number(await entries().first().getAttribute('aria-setsize'))
    const whole = await size()
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
    await expect.poll(size).toBeLessThan(whole)
    const start = await read()
    expect(start.feed).toBeGreaterThan(0)
    expect(start.records).toBeLessThan(3)
    const length = Number(await moment.getAttribute('max'))
    await moment.fill(String(Math.round(length / 2)))
    await expect.poll(size).toBeGreaterThan(start.feed)
    const middle = await read()
    expect(middle.feed).toBeLessThan(whole)
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
    expect(end.feed).toBe(whole)
    await moment.press('Home')
    await expect.poll(size).toBe(start.feed)
    await moment.press('End')
    await expect.poll(read).toEqual(end)
    expect(end.header).toContain('Succeeded')
    await page.getByRole('button', {name: 'End replay'}).click()
    expect(await bar.count()).toBe(0)
    expect(await page.getByRole('definition').nth(1).innerText()).toBe(cost)
  })

  test('every line of the recording is there, exactly', async () => {
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
      await expect.poll(() => exact.textContent()).toBe(makeHarmless(lines[line - 1] ?? ''))
    }
  })

  test('a link leads to a tool, to a line and to a moment', async () => {
    await openRun('Ask the lab server for the sum')
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
    await page.getByRole('heading', {name: 'There is no such run'}).waitFor()
    seen.forgive(/404/)
  })

  /** A row of a run that begins only now, and asks nobody. */
  const waitForNew = async (): Promise<Locator> => {
    await goToRuns()
    // What a page that was loaded again would not have.
    await page.evaluate('window.isFirst = true')
    const links = page.locator('th[scope=row]').getByRole('link', {name: /\w/})
    const readAll = () =>
      links.evaluateAll((all) => all.map((link) => String(link.getAttribute('href'))))
    const known = await readAll()
    let found: Locator | undefined
    await expect
      .poll(
        async () => {
          const now = await readAll()
          for (const href of now.filter((link) => !known.includes(link))) {
            const row = rows().filter({has: page.locator(`a[href="${href}"]`)})
            const text = await row.innerText()
            if (LIVE.test(text) && !/Read a\.txt|Ping the lab/.test(text)) found = row
          }
          return found
        },
        {timeout: 30_000, interval: 50},
      )
      .toBeDefined()
    if (found === undefined) throw new Error('no run began')
    return found
  }

  test('a run that begins shows up, works and ends, without a reload', async () => {
    const row = await waitForNew()
    await expect.poll(() => stateOf(row), {timeout: 30_000}).toMatch(VERDICT)
    expect(await page.evaluate('window.isFirst')).toBe(true)
  })

  test('a live run goes from its work to its verdict, without a reload', async () => {
    const row = await waitForNew()
    await follow(row.getByRole('link', {name: /\w/}).first())
    await entries().first().waitFor()
    const before = await entries().first().getAttribute('aria-setsize')
    expect(await header().first().innerText()).toMatch(LIVE)
    const verdict = page.getByRole('button', {name: 'Show the evidence'})
    await verdict.waitFor({timeout: 40_000})
    const dock = page.getByRole('region', {name: 'Feed'}).getByRole('heading', {level: 2})
    expect(await dock.innerText()).toMatch(/^(Succeeded in|Failed:|Ran past)/)
    expect(await header().first().innerText()).toMatch(VERDICT)
    const after = await entries().first().getAttribute('aria-setsize')
    expect(Number(after)).toBeGreaterThan(Number(before))
    expect(await page.evaluate('window.isFirst')).toBe(true)
    await verdict.click()
    await page.getByText(/^Line \d+, as received$/).waitFor()
  })

  test('a request of the demo is allowed once, and the run goes on', async () => {
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

  test('a request is denied with words that the agent gets', async () => {
    const {dock, run} = await ask('denied', [touch])
    expect(await dock.innerText()).toContain('touch created')
    await dock.getByRole('button', {name: 'Deny and say why'}).click()
    await dock.getByRole('textbox', {name: 'Why not'}).fill('Not on a Sunday.')
    await dock.getByRole('button', {name: 'Deny', exact: true}).click()
    await page.getByRole('heading', {name: /^Succeeded in/}).waitFor()
    await page.getByText('Outcome: denied').first().waitFor()
    await page.getByText('Denied by you').first().waitFor()
    await run.ended
    expect(place.read('denied', 'stdin').toString()).toContain('"message":"Not on a Sunday."')
  })

  test('a command is changed before it is allowed, and the agent gets the other one', async () => {
    const {dock, run} = await ask('changed', [touch, touch])
    await dock.getByRole('button', {name: 'Change it…'}).click()
    await dock.getByRole('textbox', {name: 'The command'}).fill('touch "another file"')
    await dock.getByRole('button', {name: 'Allow this instead'}).click()
    // The second one is as it was asked for.
    await expect
      .poll(() => place.read('changed', 'stdin').toString())
      .toContain('"command":"touch \\"another file\\""')
    await page.getByText('Allowed by you').first().waitFor()
    await dock.getByRole('button', {name: 'Allow once'}).click()
    await page.getByText('Outcome: allowed, allowed').first().waitFor()
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

  test('a live run is stopped, after one question', async () => {
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
    expect(await stateOf(rowOf('Go on for long'))).toBe('Stopped')
  })
})

describe.skipIf(browser === undefined)('a hub that goes away', () => {
  const LINES = 50
  let place: Place
  let hub: RunningHub
  let seen: Look | undefined

  beforeAll(async () => {
    place = createPlace()
    hub = await startHub(place)
  })

  afterAll(async () => {
    await seen?.close()
    await hub?.stop()
    place?.clear()
  })

  test('is waited for, and the run goes on without a gap', async () => {
    const run = place.startFake('slow', ['--id', 'long'], {
      agentArgs: ['-p', 'Count the lines'],
      env: {LINES: String(LINES), MS: '150'},
    })
    seen = await look(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    const {page} = seen
    await page.getByRole('link', {name: 'Count the lines'}).click()
    await page
      .getByText(/^This is line \d+\./)
      .first()
      .waitFor()
    await page.evaluate('window.isFirst = true')
    await hub.kill()
    await page.getByRole('region', {name: 'Connection'}).waitFor()
    expect(await page.getByRole('region', {name: 'Connection'}).innerText()).toContain(
      'Agents keep running',
    )
    await page.getByRole('tab', {name: 'Raw'}).click()
    await page.getByRole('option').first().click()
    await page.getByText('Loading…').waitFor()
    hub = await startHub(place, ['--port', String(hub.port)])
    await page.getByRole('region', {name: 'Connection'}).waitFor({state: 'detached'})
    // What was asked for while nobody answered comes, too.
    await page.getByText('What it means').waitFor()
    await page.getByRole('heading', {name: /^Succeeded in/}).waitFor({timeout: 30_000})
    await page.getByRole('article', {name: 'The run ended'}).waitFor()
    await run.ended
    expect(await page.evaluate('window.isFirst')).toBe(true)
    const feed = page.getByRole('feed')
    const missing = new Set(Array.from({length: LINES}, (_, at) => String(at + 1)))
    // Only what is on screen is in the page: it is walked from its end to its beginning.
    await expect
      .poll(
        async () => {
          for (const text of await feed.getByRole('article').allTextContents()) {
            missing.delete(/This is line (\d+)\./.exec(text)?.[1] ?? '')
          }
          await page.keyboard.press('k')
          return [...missing]
        },
        {timeout: 30_000, interval: 1},
      )
      .toEqual([])
    seen.forgive(/ERR_CONNECTION|WebSocket connection/)
    await seen.expectClean()
  })
})
