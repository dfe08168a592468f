import type {Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {
  expectOutcome,
  openDashboard,
  startDemo,
  type OpenDashboard,
  type RunningDemo,
} from '../support/dashboard.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('the dashboard by keyboard', () => {
  let place: Place
  let demo: RunningDemo
  let seen: OpenDashboard
  let page: Page

  beforeAll(async () => {
    place = createPlace()
    demo = await startDemo(place, 1)
    seen = await openDashboard(browser, demo.url, demo)
    ;({page} = seen)
    await page.getByRole('table', {name: 'Runs'}).waitFor()
  })

  afterEach(async () => {
    await seen.expectClean()
  })

  afterAll(async () => {
    await browser?.close()
    await demo?.stop()
    place?.clear()
  })

  const press = (keys: string) => page.keyboard.press(keys)
  const type = (text: string) => page.keyboard.type(text)
  const read = (expression: string) => page.evaluate<string>(`String((${expression}) ?? '')`)
  /** Label or text of the focused element. */
  const focused = () =>
    read(`document.activeElement.getAttribute('aria-label') || document.activeElement.textContent`)
  const pathname = () => new URL(page.url()).pathname
  const chosen = () => page.locator('article[aria-current=true]')
  const placeOf = async () => Number(await chosen().getAttribute('aria-posinset'))
  /** Both keys of a sequence must arrive within a second, also on a busy machine. */
  const goToRuns = () => Promise.all([press('g'), press('r')])
  /** Opens a run by its title. */
  const open = async (title: string) => {
    await goToRuns()
    await page.getByRole('heading', {name: 'Runs', level: 1}).waitFor()
    await press('Control+k')
    const palette = page.getByRole('dialog', {name: 'Commands and search'})
    await palette.waitFor()
    await type(title)
    const current = palette.getByRole('option', {selected: true})
    // Until the run is known, only a search for its title is offered.
    await expect.poll(async () => (await current.innerText()).startsWith(title)).toBe(true)
    await press('Enter')
    await page.getByRole('feed').getByRole('article').first().waitFor()
  }

  test('walks through the runs and opens one', async () => {
    await press('j')
    await expect
      .poll(() => read(`document.activeElement.getAttribute('href')`))
      .toMatch(/^\/runs\//)
    const first = await focused()
    expect(first).not.toBe('')
    await press('j')
    await expect.poll(focused).not.toBe(first)
    const second = await focused()
    await press('k')
    await expect.poll(focused).toBe(first)
    await press('ArrowDown')
    await expect.poll(focused).toBe(second)
    const href = await read(`document.activeElement.getAttribute('href')`)
    await press('Enter')
    await expect.poll(pathname).toBe(href)
    await page.getByRole('feed').waitFor()
    await goToRuns()
    await expect.poll(pathname).toBe('/')
    await page.getByRole('heading', {name: 'Runs', level: 1}).waitFor()
  })

  test('focuses the search field, clears it and leaves it', async () => {
    await press('/')
    await expect.poll(focused).toBe('Search')
    await type('jk?x')
    const field = page.getByRole('searchbox', {name: 'Search'})
    expect(await field.inputValue()).toBe('jk?x')
    await page.getByText('No run or session matches “jk?x”').waitFor()
    await press('Escape')
    await expect.poll(() => field.inputValue()).toBe('')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
    await press('Escape')
    await expect.poll(() => read('document.activeElement.tagName')).toBe('BODY')
  })

  test('walks through the results of a search, jumps to a moment and comes back', async () => {
    await press('/')
    await type('it failed on purpose')
    const results = page.getByRole('region', {name: 'Search results'})
    await results.waitFor()
    await press('Enter')
    const marked = results.locator('[data-selected]')
    await expect.poll(() => marked.innerText()).toMatch(/Jump to \d+:\d\d/)
    const jump = await marked.getAttribute('href')
    await press('Enter')
    await expect.poll(pathname).toBe(new URL(jump ?? '', seen.origin).pathname)
    await expect.poll(() => chosen().innerText()).toContain('it failed on purpose')
    await page.goBack()
    await results.waitFor()
    await press('Escape')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
  })

  test('goes through the kinds and to a date', async () => {
    const kind = page.getByRole('radiogroup', {name: 'Kind'})
    await press('s')
    await expect.poll(() => new URL(page.url()).searchParams.get('kind')).toBe('run')
    await press('s')
    await kind.getByRole('radio', {name: /^Sessions/, checked: true}).waitFor()
    await press('s')
    await press('s')
    await kind.getByRole('radio', {name: /^All/, checked: true}).waitFor()
    await Promise.all([press('g'), press('d')])
    const dialog = page.getByRole('dialog', {name: 'Go to date'})
    await dialog.waitFor()
    await press('Enter')
    await dialog.waitFor({state: 'detached'})
  })

  test('moves through entries, errors, panels and neighbouring runs', async () => {
    await open('Call the MCP test server')
    await press('j')
    await expect.poll(placeOf).toBe(1)
    await press('j')
    await press('j')
    await expect.poll(placeOf).toBe(3)
    expect(await chosen().getAttribute('aria-label')).toMatch(/^Warning: MCP server not connected/)
    await press('j')
    await expect.poll(placeOf).toBe(4)
    const label = await chosen().getAttribute('aria-label')
    expect(label).toMatch(/^lab add/)
    // The focus follows the selection, for screen readers.
    await expect.poll(focused).toBe(label)
    const head = chosen().getByRole('button', {name: /^lab add/})
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await press('Enter')
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('true')
    await press('h')
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await press('k')
    await expect.poll(placeOf).toBe(3)
    await press('e')
    await expect.poll(() => chosen().getAttribute('aria-label')).toMatch(/^lab boom.*failed/)
    for (const [key, tab] of [
      ['1', 'Files'],
      ['2', 'Plan'],
      ['3', 'Stats'],
      ['4', 'Raw'],
    ] as const) {
      await press(key)
      await page.getByRole('tab', {name: tab, selected: true}).waitFor()
    }
    await page.getByText(/^Line \d+, as received$/).waitFor()
    await press('/')
    await expect.poll(focused).toMatch(/^Find records/)
    await type('1')
    await press('Escape')
    await press('Tab')
    await press('f')
    await page.getByRole('button', {name: 'End of run', pressed: true}).waitFor()

    const here = pathname()
    await press(']')
    await expect.poll(pathname).not.toBe(here)
    const next = pathname()
    await page.getByRole('feed').waitFor()
    await press('[')
    await expect.poll(pathname).toBe(here)
    expect(next).toMatch(/^\/runs\//)
    await page.getByRole('feed').getByRole('article').first().waitFor()
  })

  test('plays, pauses, speeds up and ends a replay', async () => {
    await open('Call the MCP test server')
    await press(' ')
    const bar = page.getByRole('region', {name: 'Replay'})
    await bar.getByRole('button', {name: 'Pause'}).waitFor()
    const speed = bar.getByRole('combobox', {name: 'Speed'})
    await press('.')
    await expect.poll(() => speed.inputValue()).toBe('20')
    await press(',')
    await press(',')
    await expect.poll(() => speed.inputValue()).toBe('5')
    await press(' ')
    await bar.getByRole('button', {name: 'Play'}).waitFor()
    await press('Escape')
    await bar.waitFor({state: 'detached'})
  })

  test('finds commands, runs and text in the palette', async () => {
    await press('Control+k')
    const palette = page.getByRole('dialog', {name: 'Commands and search'})
    await palette.waitFor()
    const current = palette.getByRole('option', {selected: true})
    await type('show raw')
    await expect.poll(() => current.innerText()).toContain('Show raw record')
    await press('Enter')
    await palette.waitFor({state: 'detached'})
    await page.getByRole('tab', {name: 'Raw', selected: true}).waitFor()

    await press('Control+k')
    await palette.waitFor()
    await type('second line of keep')
    await expect.poll(() => current.innerText()).toContain('Change the second line')
    await press('ArrowDown')
    await press('ArrowUp')
    await press('Enter')
    await page.getByRole('heading', {name: /^Change the second line/, level: 1}).waitFor()

    await press('Control+k')
    await palette.waitFor()
    await type('it failed on purpose')
    await press('Tab')
    await expect.poll(() => palette.getByRole('option').count()).toBeGreaterThan(0)
    await expect.poll(() => current.innerText()).toContain('it failed on purpose')
    await press('Enter')
    await palette.waitFor({state: 'detached'})
    // The result opens the matching entry, not only its run.
    await expect.poll(() => chosen().innerText()).toContain('it failed on purpose')

    await press('Control+k')
    await palette.waitFor()
    await press('Escape')
    await palette.waitFor({state: 'detached'})
  })

  test('lists all keys', async () => {
    await press('?')
    const list = page.getByRole('dialog', {name: 'Keyboard shortcuts'})
    await list.waitFor()
    const titles = await list.getByRole('heading', {level: 3}).allInnerTexts()
    expect(titles).toEqual([...new Set(titles)])
    const words = await list.getByRole('definition').allInnerTexts()
    for (const word of ['next entry', 'previous run', 'next run', 'next error', 'all keys']) {
      expect(words).toContain(word)
    }
    const keys = (await list.getByRole('term').allInnerTexts()).join(' ')
    for (const key of ['j', '⏎', '[', ']', 'e', 'f', '1', '4', 'n', 't', '?', 'esc', 'K']) {
      expect(keys).toContain(key)
    }
    // Keys do not reach the page behind the dialog.
    await press('j')
    await press('Escape')
    await list.waitFor({state: 'detached'})
  })

  test('answers a request, but not by a key pressed within 500 ms of its appearance', async () => {
    const requests = [1, 2].map((at) => ['Bash', {command: `touch file-${at}`}])
    const run = place.startFake('asks', ['--id', 'asked', '--permissions', 'ask'], {
      agentArgs: ['-p', 'Ask for two'],
      env: {REQUESTS: JSON.stringify(requests)},
    })
    /** Presses a key from the first moment of a request; resolves to the time until a press is accepted. */
    const answer = (key: string, command: string) =>
      page.evaluate<number>(`(${PRESS_UNTIL_ANSWERED})('${key}', '${command}')`)
    const [allowedAfter, deniedAfter] = await Promise.all([
      answer('a', 'touch file-1'),
      answer('d', 'touch file-2'),
      open('Ask for two'),
    ])
    for (const waited of [allowedAfter, deniedAfter]) {
      expect(waited).toBeGreaterThanOrEqual(500)
      expect(waited).toBeLessThan(5000)
    }
    await expectOutcome(page, 'Outcome: allowed, denied')
    await run.ended
  })

  test('stops a run after a confirmation', async () => {
    const run = place.startFake('slow', ['--id', 'long'], {
      agentArgs: ['-p', 'Go on for long'],
      env: {LINES: '5000', MS: '50'},
    })
    await open('Go on for long')
    await press('x')
    await expect.poll(focused).toContain('Stop? Yes')
    await press('Escape')
    await page.getByRole('button', {name: 'Stop the run'}).waitFor()
    expect(run.child.exitCode).toBe(null)
    await press('x')
    await expect.poll(focused).toContain('Stop? Yes')
    await press('Enter')
    await page.getByRole('heading', {name: /^Stopped/}).waitFor()
    await run.ended
  })

  // Live rows move.
  test.each(['/?state=failed', '/runs/asked'])(
    'shows the focus on every control that Tab reaches on %s',
    async (path) => {
      await seen.go(path)
      await page.getByRole('main').getByRole('button').first().waitFor()
      const content = page.getByText(path === '/runs/asked' ? 'Ask for two' : 'Failed').first()
      await content.waitFor()
      const controls = await page.evaluate<number>(COUNT_CONTROLS)
      const reached = new Set<string>()
      const unseen: string[] = []
      for (let step = 0; step < 250; step++) {
        await press('Tab')
        const {id, words, isSeen} = await page.evaluate<{
          id: string
          words: string
          isSeen: boolean
        }>(DESCRIBE_FOCUS)
        if (id === '' || reached.has(id)) break
        reached.add(id)
        if (!isSeen) unseen.push(words)
      }
      expect(unseen).toEqual([])
      expect(await page.evaluate(LIST_UNREACHED)).toEqual([])
      expect(reached.size).toBeGreaterThanOrEqual(controls)
      expect(controls).toBeGreaterThan(10)
    },
  )
})

/** Runs in the page: presses a key every 10 ms while a command is asked for. */
const PRESS_UNTIL_ANSWERED = `(key, command) => new Promise((resolve) => {
  let since
  const timer = setInterval(() => {
    const dock = document.querySelector('[aria-label=Permission]')
    const isAsked = dock?.querySelector('pre')?.textContent === command
    if (!isAsked && since === undefined) return
    since ??= performance.now()
    if (isAsked && dock.querySelector('output') === null) {
      document.body.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))
      return
    }
    clearInterval(timer)
    resolve(performance.now() - since)
  }, 10)
})`

// Tab reaches the selected radio button of a group; the arrow keys reach the others.
const CONTROLS = `[...document.querySelectorAll('a[href], button, input:not([type=radio]:not(:checked)), select, textarea, [tabindex="0"]')].filter((element) =>
  element.tabIndex >= 0 && !element.disabled && element.checkVisibility({visibilityProperty: true}))`

const COUNT_CONTROLS = `${CONTROLS}.length`

/** Runs in the page: what has the focus, and whether a ring is around it. Marks it as reached. */
const DESCRIBE_FOCUS = `(() => {
  const element = document.activeElement
  if (element === null || element === document.body) return {id: '', words: '', isSeen: true}
  window.lastId ??= 0
  element.dataset.reached ??= String(++window.lastId)
  const hasRing = ({outlineStyle, outlineWidth, boxShadow}) =>
    (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
  const box = element.getBoundingClientRect()
  // Where all of a row is a link, the ring is around the row.
  const isRing = hasRing(getComputedStyle(element)) || hasRing(getComputedStyle(element, '::after'))
  const isOn = box.width > 0 && box.height > 0 && box.bottom > 0 && box.top < innerHeight
  return {
    id: element.dataset.reached,
    words: element.outerHTML.slice(0, 160) + (isRing ? '' : ' has no ring') + (isOn ? '' : ' is off screen'),
    isSeen: element.matches(':focus-visible') && isRing && isOn,
  }
})()`

const LIST_UNREACHED = `${CONTROLS}.filter((element) => element.dataset.reached === undefined)
  .map((element) => element.outerHTML.slice(0, 160))`
