import type {Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {look, startDemo, type Look, type RunningDemo} from '../support/dashboard.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('by the keyboard alone', () => {
  let place: Place
  let demo: RunningDemo
  let seen: Look
  let page: Page

  beforeAll(async () => {
    place = createPlace()
    demo = await startDemo(place, 1)
    seen = await look(browser, demo.url, demo)
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
  /** What has the focus, in a word. */
  const focused = () =>
    read(`document.activeElement.getAttribute('aria-label') || document.activeElement.textContent`)
  const pathname = () => new URL(page.url()).pathname
  const chosen = () => page.locator('article[aria-current=true]')
  const placeOf = async () => Number(await chosen().getAttribute('aria-posinset'))
  /** Filters the list to one run, and opens that. */
  const open = async (title: string) => {
    await press('g')
    await press('r')
    await page.getByRole('heading', {name: 'Runs', level: 1}).waitFor()
    await press('/')
    await press('Control+a')
    await type(title)
    await expect.poll(() => page.locator('th[scope=row]').count()).toBe(1)
    await press('Tab')
    await press('j')
    await expect.poll(focused).toContain(title)
    await press('Enter')
    await page.getByRole('feed').getByRole('article').first().waitFor()
  }

  test('runs are walked through and opened', async () => {
    await press('j')
    const first = await focused()
    expect(first).not.toBe('')
    expect(await read(`document.activeElement.getAttribute('href')`)).toMatch(/^\/runs\//)
    await press('j')
    const second = await focused()
    expect(second).not.toBe(first)
    await press('k')
    expect(await focused()).toBe(first)
    await press('ArrowDown')
    expect(await focused()).toBe(second)
    const href = await read(`document.activeElement.getAttribute('href')`)
    await press('Enter')
    await expect.poll(pathname).toBe(href)
    await page.getByRole('feed').waitFor()
    await press('g')
    await press('r')
    await expect.poll(pathname).toBe('/')
  })

  test('the filter is reached and left', async () => {
    await press('/')
    expect(await focused()).toBe('Filter')
    await type('jk?x')
    expect(await page.getByRole('searchbox', {name: 'Filter'}).inputValue()).toBe('jk?x')
    await page.getByText('No run matches.').waitFor()
    await press('Escape')
    expect(await page.getByRole('searchbox', {name: 'Filter'}).inputValue()).toBe('')
    await press('Escape')
    expect(await read('document.activeElement.tagName')).toBe('BODY')
  })

  test('a run is read: entries, errors, panels, its neighbours', async () => {
    await open('Ask the lab server for the sum')
    await press('j')
    expect(await placeOf()).toBe(1)
    await press('j')
    await press('j')
    await expect.poll(placeOf).toBe(3)
    const label = await chosen().getAttribute('aria-label')
    expect(label).toMatch(/^lab add/)
    // Whoever hears the page is where the selection is.
    await expect.poll(focused).toBe(label)
    const head = chosen().getByRole('button', {name: /^lab add/})
    expect(await head.getAttribute('aria-expanded')).toBe('false')
    await press('Enter')
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('true')
    await press('h')
    await expect.poll(() => head.getAttribute('aria-expanded')).toBe('false')
    await press('k')
    await expect.poll(placeOf).toBe(2)
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

  test('a replay is played, paused, sped up and left', async () => {
    await open('Ask the lab server for the sum')
    await press(' ')
    const bar = page.getByRole('region', {name: 'Replay'})
    await bar.getByRole('button', {name: 'Pause'}).waitFor()
    await press('.')
    expect(await bar.getByRole('combobox', {name: 'Speed'}).inputValue()).toBe('20')
    await press(',')
    await press(',')
    expect(await bar.getByRole('combobox', {name: 'Speed'}).inputValue()).toBe('5')
    await press(' ')
    await bar.getByRole('button', {name: 'Play'}).waitFor()
    await press('Escape')
    await bar.waitFor({state: 'detached'})
  })

  test('the palette finds commands, runs and text', async () => {
    await press('Control+k')
    const palette = page.getByRole('dialog', {name: 'Commands and search'})
    await palette.waitFor()
    const current = palette.getByRole('option', {selected: true})
    await type('show raw')
    expect(await current.innerText()).toContain('Show raw record')
    await press('Enter')
    await palette.waitFor({state: 'detached'})
    await page.getByRole('tab', {name: 'Raw', selected: true}).waitFor()

    await press('Control+k')
    await type('second line of keep')
    expect(await current.innerText()).toContain('Make the second line')
    await press('ArrowDown')
    await press('ArrowUp')
    await press('Enter')
    await page.getByRole('heading', {name: /^Make the second line/, level: 1}).waitFor()

    await press('Control+k')
    await type('it failed on purpose')
    await press('Tab')
    await expect.poll(() => palette.getByRole('option').count()).toBeGreaterThan(0)
    await expect.poll(() => current.innerText()).toContain('it failed on purpose')
    await press('Enter')
    await palette.waitFor({state: 'detached'})
    // It leads to what was found, not only to its run.
    await expect.poll(() => chosen().innerText()).toContain('it failed on purpose')

    await press('Control+k')
    await palette.waitFor()
    await press('Escape')
    await palette.waitFor({state: 'detached'})
  })

  test('all keys are listed', async () => {
    await press('?')
    const list = page.getByRole('dialog', {name: 'All keys'})
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
    // Nothing behind it hears them.
    await press('j')
    await press('Escape')
    await list.waitFor({state: 'detached'})
  })

  test('a request is answered, though not by a key that was pressed before it was seen', async () => {
    const requests = [1, 2].map((at) => ['Bash', {command: `touch file-${at}`}])
    const run = place.startFake('asks', ['--id', 'asked', '--permissions', 'ask'], {
      agentArgs: ['-p', 'Ask for two'],
      env: {REQUESTS: JSON.stringify(requests)},
    })
    await open('Ask for two')
    const dock = page.getByRole('region', {name: 'Permission'})
    await dock.getByText('touch file-1', {exact: true}).waitFor()
    await expect
      .poll(
        async () => {
          await press('a')
          return dock.getByText('touch file-2', {exact: true}).count()
        },
        {timeout: 10_000},
      )
      .toBe(1)
    // Too early for the second one, which came just now.
    await press('d')
    expect(await dock.getByText('touch file-2', {exact: true}).count()).toBe(1)
    await expect
      .poll(
        async () => {
          await press('d')
          return page.getByText('Outcome: allowed, denied').count()
        },
        {timeout: 10_000},
      )
      .toBeGreaterThan(0)
    await run.ended

    const early = place.startFake('asks', ['--id', 'early', '--permissions', 'ask'], {
      agentArgs: ['-p', 'Ask for one'],
    })
    // Presses the key as soon as the question is in the page, and notes how long it took until that was an answer.
    await page.evaluate(PRESS_EARLY)
    await open('Ask for one')
    await page.getByText('Outcome: allowed').first().waitFor()
    await early.ended
    const waited = Number(await read('window.answeredAfter'))
    expect(waited).toBeGreaterThanOrEqual(500)
    expect(waited).toBeLessThan(5000)
  })

  test('a run is stopped, after one question', async () => {
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

  // What is live moves.
  test.each(['/?q=-state:live', '/runs/asked'])(
    'the focus is seen on all that Tab reaches on %s',
    async (path) => {
      await seen.go(path)
      await page.getByRole('main').getByRole('button').first().waitFor()
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

/** Runs in the page: presses `a` all the time, and notes after how long the request is answered. */
const PRESS_EARLY = `(() => {
  let since
  const timer = setInterval(() => {
    const dock = document.querySelector('[aria-label=Permission] .ask')
    if (dock === null) return
    since ??= performance.now()
    if (dock.querySelector('output') !== null) {
      window.answeredAfter = performance.now() - since
      clearInterval(timer)
      return
    }
    document.body.dispatchEvent(new KeyboardEvent('keydown', {key: 'a', bubbles: true, cancelable: true}))
  }, 10)
})()`

const CONTROLS = `[...document.querySelectorAll('a[href], button, input, select, textarea, [tabindex="0"]')].filter((element) =>
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
