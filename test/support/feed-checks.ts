import {writeFileSync} from 'node:fs'
import type {Locator, Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {writeLongRecording} from '../../bench/long-recording.js'
import {assistantText, init, result, toolResult, toolUse, toStream} from '../fake-agents/lines.js'
import {launchBrowser} from './browser.ts'
import {makeLoginLink, openDashboard, waitUntilStill, type OpenDashboard} from './dashboard.ts'
import {startHub, type RunningHub} from './hub.ts'
import {createPlace, sleep, until, type Place} from './run.ts'

/** Sizes of the tests: the fast suite uses small ones. */
interface FeedOptions {
  /** Widths of the window. */
  widths: readonly (keyof typeof LOW_HEIGHTS)[]
  /** Length of the long run. */
  events: number
  /** Keys pressed to walk down; a third as many walk up again. */
  keys: number
  /** Steps of the wheel in the middle of the feed. */
  wheelSteps: number
  /** Steps of the wheel from the end of the feed. */
  wheelStepsAtEnd: number
  /** Times that each kind of input interrupts following, each at another moment. */
  interruptions: number
}

const HEIGHT = 700
/** So low that a row is taller than the visible part of the feed. */
const LOW_HEIGHTS = {390: 280, 1280: 450} as const
/** Length of a run of which the hub sends the end first. */
const PREVIEWED_EVENTS = 8000
/** Delay between two records of the live run. */
const LIVE_INTERVAL_MS = 60

/** Registers the tests of the feed's scrolling, at the width of a phone and of a desktop. */
export async function defineFeedTests(options: FeedOptions): Promise<void> {
  const browser = await launchBrowser()
  let place: Place
  let hub: RunningHub

  beforeAll(async () => {
    if (browser === undefined) return
    place = createPlace()
    writeLongRecording(place.dataDir, 'long', {events: options.events})
    writeLongRecording(place.dataDir, 'previewed', {events: PREVIEWED_EVENTS})
    writeFileSync(place.file('stream'), makeTallStream())
    const recorded = place.runFake('replay', ['--id', 'tall'], {
      env: {STDOUT_FILE: place.file('stream')},
    })
    hub = await startHub(place)
    await recorded
  })

  afterAll(async () => {
    await browser?.close()
    await hub?.stop()
    place?.clear()
  })

  const open = async (width: number, height: number) =>
    openDashboard(browser, hub.url, {width, height, loginUrl: await makeLoginLink(place)})

  describe.skipIf(browser === undefined).each(options.widths)('the feed at %i px', (width) => {
    describe('of a long run', () => {
      let dashboard: OpenDashboard
      let page: Page

      beforeAll(async () => {
        dashboard = await open(width, HEIGHT)
        ;({page} = dashboard)
        await dashboard.go('/runs/long')
        await page.getByRole('article').first().waitFor()
        await page.locator('[data-part=loading]').waitFor({state: 'detached'})
      })

      afterEach(async () => {
        await dashboard.expectClean()
      })

      afterAll(() => dashboard?.close())

      test(
        'keeps the selected row in view while rows above it grow',
        {timeout: 180_000},
        async () => {
          const selected = page.locator('article[aria-current=true]')
          const ups = Math.round(options.keys / 3)
          for (let step = 0; step < options.keys + ups; step++) {
            await page.keyboard.press(step < options.keys ? 'j' : 'k')
            const row = step < options.keys ? step + 1 : 2 * options.keys - step - 1
            await page.locator(`article[aria-current=true][aria-posinset="${row}"]`).waitFor()
            await waitUntilStill(page)
            const box = await selected.boundingBox()
            expect(box?.y, `after ${step + 1} steps`).toBeGreaterThanOrEqual(0)
            expect(box?.y, `after ${step + 1} steps`).toBeLessThan(HEIGHT)
          }
          await page.keyboard.press('Escape')
        },
      )

      test('keeps the selected row in place when a visible row above it grows', async () => {
        const selected = page.locator('article[aria-current=true]')
        for (let step = 0; step < 4; step++) await page.keyboard.press('j')
        await waitUntilStill(page)
        const before = await selected.boundingBox()
        const above = page.locator('article:has(+ article[aria-current=true])')
        const [style] = await above.evaluateAll((rows) =>
          rows.map((row) => {
            row.style.minHeight = `${row.offsetHeight + 100}px`
            return row.style.minHeight
          }),
        )
        expect(style).toBeDefined()
        await waitUntilStill(page)
        expect((await selected.boundingBox())?.y).toBeCloseTo(before?.y ?? 0, 0)
        await page.keyboard.press('Escape')
      })

      test('moves every visible row by the distance of the wheel', async () => {
        await page.mouse.move(width / 4, 500)
        await page.mouse.wheel(0, 20_000)
        expect(await findJumps(page, options.wheelSteps)).toEqual([])
      })

      test('jumps to its end by key and follows', async () => {
        await page.keyboard.press('f')
        await expect.poll(() => isAtEnd(page)).toBe(true)
      })

      test('scrolls up from its end without a jump', async () => {
        await page.mouse.move(width / 4, 500)
        expect(await findJumps(page, options.wheelStepsAtEnd)).toEqual([])
      })
    })

    test('keeps the selected row in place when the rest of a long run is loaded', async () => {
      const seen = await open(width, HEIGHT)
      const {page} = seen
      const release = await holdAfterPreview(page)
      await seen.go('/runs/previewed')
      await page.getByRole('article').last().waitFor()
      for (let step = 0; step < 20; step++) await page.keyboard.press('k')
      await page.mouse.move(width / 4, 500)
      await page.mouse.wheel(0, -200)
      await waitUntilStill(page)
      const before = await readSelected(page)
      const progress = page.getByText(/of the recording$/)
      const progressBox = await progress.boundingBox()
      release()
      await progress.waitFor({state: 'detached'})
      await waitUntilStill(page)
      const after = await readSelected(page)
      expect(after.id).toBe(before.id)
      expect(after.count).toBeGreaterThan(before.count + 1000)
      // Only the progress of loading above the feed is gone.
      expect(after.top).toBeGreaterThanOrEqual(before.top - (progressBox?.height ?? 0) - 2)
      expect(after.top).toBeLessThanOrEqual(before.top + 2)
      await seen.expectClean()
      await seen.close()
    })

    test('shows a tall row that is folded while its end is in view', async () => {
      const height = LOW_HEIGHTS[width]
      const dashboard = await open(width, height)
      const {page} = dashboard
      await dashboard.go('/runs/tall?tool=tall')
      const row = page.locator('article[aria-current=true]')
      await row.waitFor()
      await page.keyboard.press('l')
      await expect.poll(async () => (await row.boundingBox())?.height).toBeGreaterThan(190)
      await row.evaluate((element) => element.scrollIntoView({block: 'end'}))
      await waitUntilStill(page)
      await page.keyboard.press('h')
      await expect.poll(async () => (await row.boundingBox())?.height).toBeLessThan(190)
      await waitUntilStill(page)
      const {top, bottom} = await row.evaluate((element) => element.getBoundingClientRect())
      const bar = await page.getByRole('toolbar', {name: 'Feed'}).boundingBox()
      expect(bottom).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0))
      expect(top).toBeLessThan(height)
      await dashboard.expectClean()
      await dashboard.close()
    })
  })

  describe.skipIf(browser === undefined)('the feed of a live run', () => {
    beforeAll(async () => {
      const env = {LINES: '100000', MS: String(LIVE_INTERVAL_MS), GROW: '0'}
      place.startFake('slow', ['--id', 'live'], {env})
      await until(async () => (await hub.get('/api/runs/live')).ok)
    })

    describe.each(options.widths)('at %i px', (width) => {
      let dashboard: OpenDashboard
      let page: Page
      let following: Locator
      const countRows = async () =>
        Number(await page.locator('article').last().getAttribute('aria-setsize'))

      beforeAll(async () => {
        dashboard = await open(width, HEIGHT)
        ;({page} = dashboard)
        following = page.getByRole('button', {name: 'Following'})
        await dashboard.go('/runs/live')
        await page.locator('article').last().waitFor()
        await until(async () => (await countRows()) > 12)
        await page.mouse.move(width / 4, 500)
      })

      afterEach(async () => {
        await dashboard.expectClean()
      })

      afterAll(() => dashboard?.close())

      test.each([
        ['a row is selected', () => page.keyboard.press('k')],
        ['the wheel scrolls up', () => page.mouse.wheel(0, -300)],
        ['a finger scrolls up', () => dragDown(dashboard, width / 4)],
      ])('stops following when %s', {timeout: 180_000}, async (_, act) => {
        let resumed = 0
        for (let round = 0; round < options.interruptions; round++) {
          await page.keyboard.press('f')
          await following.waitFor()
          // At another moment between two records each time.
          await sleep(100 + round * 13)
          await act()
          await following.waitFor({state: 'detached'})
          // More records arrive, and the feed does not follow them.
          const before = await countRows()
          await expect.poll(countRows, {interval: 20}).toBeGreaterThan(before + 3)
          resumed += await following.count()
          await page.keyboard.press('Escape')
          await waitUntilStill(page)
        }
        expect(resumed).toBe(0)
      })

      test('follows again when it is scrolled to its end, which moves on meanwhile', async () => {
        expect(await following.count()).toBe(0)
        await expect
          .poll(async () => {
            await page.mouse.wheel(0, 1_000_000)
            return following.count()
          })
          .toBe(1)
      })
    })
  })
}

function makeTallStream(): string {
  const output = Array.from({length: 300}, (_, line) => `line ${line}`).join('\n')
  const lines = Array.from({length: 40}, (_, index) => assistantText(`This is text ${index}.`))
  const tool = [toolUse('tall', 'Bash', {command: 'seq 300'}), toolResult('tall', output, true)]
  return toStream([init(), ...lines, ...tool, ...lines, result('Done.')])
}

/** Holds back all items of a run but its preview; returns a function that lets them pass. */
async function holdAfterPreview(page: Page): Promise<() => void> {
  let held: (() => void)[] | undefined = []
  await page.routeWebSocket(/./, (socket) => {
    const server = socket.connectToServer()
    server.onMessage((message) => {
      const text = String(message)
      const isHeld = text.startsWith('{"type":"run_items"') && !text.includes('"preview":{')
      if (isHeld && held !== undefined) held.push(() => socket.send(message))
      else socket.send(message)
    })
  })
  return () => {
    for (const send of held ?? []) send()
    held = undefined
  }
}

async function readSelected(page: Page): Promise<{id: string; top: number; count: number}> {
  return page.locator('article[aria-current=true]').evaluate((row) => ({
    id: row.getAttribute('data-entry') ?? '',
    top: row.getBoundingClientRect().top,
    count: Number(row.getAttribute('aria-setsize')),
  }))
}

async function isAtEnd(page: Page): Promise<boolean> {
  const last = page.locator('article').last()
  const position = await last.getAttribute('aria-posinset')
  return position === (await last.getAttribute('aria-setsize'))
}

/** The top of each visible row, by row number. */
async function readTops(page: Page): Promise<Record<string, number>> {
  return page.evaluate<Record<string, number>>(`Object.fromEntries(
    [...document.querySelectorAll('article[aria-posinset]')]
      .map((row) => [row.getAttribute('aria-posinset'), row.getBoundingClientRect().top])
      .filter(([, top]) => top > 0 && top < innerHeight),
  )`)
}

/** Scrolls up by wheel and returns the steps at which a visible row did not move by the same distance. */
async function findJumps(page: Page, steps: number): Promise<string[]> {
  const jumps: string[] = []
  await waitUntilStill(page)
  for (let step = 0; step < steps; step++) {
    const before = await readTops(page)
    await page.mouse.wheel(0, -120)
    await expect.poll(() => readTops(page), {interval: 5}).not.toEqual(before)
    await waitUntilStill(page)
    const after = await readTops(page)
    const moves = Object.entries(after).flatMap(([row, top]) => {
      const previous = before[row]
      return previous === undefined ? [] : [Math.round(top - previous)]
    })
    // 2 px are left for rounding.
    const isSteady = moves.length > 1 && moves.every((move) => Math.abs(move - 120) <= 2)
    if (!isSteady) jumps.push(`step ${step}: ${moves.join(', ')}`)
  }
  return jumps
}

/** Drags the page down by finger and rests before lifting it, so that there is no momentum. */
async function dragDown({context, page}: OpenDashboard, x: number): Promise<void> {
  const devtools = await context.newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ys: number[]) =>
    devtools.send('Input.dispatchTouchEvent', {type, touchPoints: ys.map((y) => ({x, y}))})
  await touch('touchStart', [400])
  for (let y = 410; y <= 600; y += 10) await touch('touchMove', [y])
  await sleep(100)
  await touch('touchMove', [600])
  await touch('touchEnd', [])
  await devtools.detach()
}
