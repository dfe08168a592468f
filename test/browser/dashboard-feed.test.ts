import {writeFileSync} from 'node:fs'
import type {Locator, Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test} from 'vitest'
import {writeLongRecording} from '../../bench/long-recording.js'
import {launchBrowser} from '../support/browser.ts'
import {look, makeLoginLink, type Look} from '../support/dashboard.ts'
import {calls, init, result, returns, says, toStream} from '../fake-agents/lines.js'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, sleep, until, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined).each([390, 1280])('a long feed at %i px', (width) => {
  let place: Place
  let hub: RunningHub
  let seen: Look
  let page: Page

  beforeAll(async () => {
    place = createPlace()
    writeLongRecording(place.dataDir, 'long', {events: 4000})
    hub = await startHub(place)
    const loginUrl = await makeLoginLink(place)
    seen = await look(browser, hub.url, {width, height: 700, loginUrl})
    ;({page} = seen)
    await seen.go('/runs/long')
    await page.getByRole('article').first().waitFor()
    await page.locator('.loading').waitFor({state: 'detached'})
  })

  afterEach(async () => {
    await seen.expectClean()
  })

  afterAll(async () => {
    await seen?.close()
    await hub?.stop()
    place?.clear()
  })

  /** Where every row on screen is, by its number. */
  const places = () =>
    page.evaluate<Record<string, number>>(`Object.fromEntries(
      [...document.querySelectorAll('article[aria-posinset]')]
        .map((row) => [row.getAttribute('aria-posinset'), row.getBoundingClientRect().top])
        .filter(([, top]) => top > 0 && top < innerHeight),
    )`)

  /** The wheel goes up, and every row on screen goes with it. */
  async function expectSteadyWheel(steps: number): Promise<void> {
    for (let step = 0; step < steps; step++) {
      const before = await places()
      await page.mouse.wheel(0, -120)
      await sleep(120)
      const after = await places()
      const moves = Object.entries(after).flatMap(([row, top]) => {
        const was = before[row]
        return was === undefined ? [] : [Math.round(top - was)]
      })
      expect(moves.length, `step ${step}`).toBeGreaterThan(1)
      // All of them by as much as the wheel went, give or take what rounds.
      expect(
        moves.filter((move) => Math.abs(move - 120) > 2),
        `step ${step}`,
      ).toEqual([])
    }
  }

  test('shows what is selected, whatever grows above it', async () => {
    const chosen = page.locator('article[aria-current=true]')
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press(step < 30 ? 'j' : 'k')
      await chosen.waitFor()
      await sleep(60)
      const box = await chosen.boundingBox()
      expect(box?.y, `after ${step + 1} steps`).toBeGreaterThanOrEqual(0)
      expect(box?.y, `after ${step + 1} steps`).toBeLessThan(700)
    }
    await page.keyboard.press('Escape')
  })

  test('stays where it is read, whatever turns out higher above', async () => {
    await page.mouse.move(width / 4, 500)
    await page.mouse.wheel(0, 20_000)
    await sleep(400)
    await expectSteadyWheel(20)
  })

  test('jumps to its end, and follows', async () => {
    await page.keyboard.press('f')
    const last = page.locator('article').last()
    await expect
      .poll(async () => {
        const at = await last.getAttribute('aria-posinset')
        return at === (await last.getAttribute('aria-setsize'))
      })
      .toBe(true)
  })

  test('is left from its end without a jump', async () => {
    await page.mouse.move(width / 4, 500)
    await sleep(400)
    await expectSteadyWheel(8)
  })
})

describe.skipIf(browser === undefined).each([390, 1280])('a feed that grows at %i px', (width) => {
  let place: Place
  let hub: RunningHub
  let seen: Look
  let page: Page
  let following: Locator

  beforeAll(async () => {
    place = createPlace()
    hub = await startHub(place)
    place.startFake('slow', ['--id', 'live'], {env: {LINES: '100000', MS: '60', GROW: '0'}})
    const loginUrl = await makeLoginLink(place)
    seen = await look(browser, hub.url, {width, height: 700, loginUrl})
    ;({page} = seen)
    following = page.getByRole('button', {name: 'Following'})
    await seen.go('/runs/live')
    const size = () => page.locator('article').last().getAttribute('aria-setsize')
    await until(async () => Number(await size()) > 12)
    await page.mouse.move(width / 4, 500)
  })

  afterEach(async () => {
    await seen.expectClean()
  })

  afterAll(async () => {
    await seen?.close()
    await hub?.stop()
    place?.clear()
  })

  async function pullByFinger(): Promise<void> {
    const devtools = await seen.context.newCDPSession(page)
    const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', ys: number[]) =>
      devtools.send('Input.dispatchTouchEvent', {
        type,
        touchPoints: ys.map((y) => ({x: width / 4, y})),
      })
    await touch('touchStart', [400])
    for (let y = 410; y <= 600; y += 10) await touch('touchMove', [y])
    // Who rests before letting go does not throw it.
    await sleep(100)
    await touch('touchMove', [600])
    await touch('touchEnd', [])
    await devtools.detach()
  }

  test.each([
    ['chooses a row', () => page.keyboard.press('k')],
    ['scrolls up by wheel', () => page.mouse.wheel(0, -300)],
    ['scrolls up by finger', pullByFinger],
  ])('never carries off who %s', async (_, act) => {
    let carriedOff = 0
    for (let round = 0; round < 10; round++) {
      await page.keyboard.press('f')
      await following.waitFor()
      // Now at this moment, now at that.
      await sleep(100 + round * 13)
      await act()
      await following.waitFor({state: 'detached', timeout: 2000}).catch(() => {})
      await sleep(200)
      carriedOff += await following.count()
      await page.keyboard.press('Escape')
    }
    expect(carriedOff).toBe(0)
  })

  test('is followed again by who scrolls to its end, however often that moves on meanwhile', async () => {
    expect(await following.count()).toBe(0)
    await expect
      .poll(async () => {
        await page.mouse.wheel(0, 1_000_000)
        return following.count()
      })
      .toBe(1)
  })
})

// So low that a row is taller than what can be seen of the feed.
test.skipIf(browser === undefined).each([
  [390, 280],
  [1280, 450],
])('who folds a tall row at its end sees it folded, at %i × %i px', async (width, height) => {
  const place = createPlace()
  const output = Array.from({length: 300}, (_, line) => `line ${line}`).join('\n')
  const lines = Array.from({length: 40}, (_, index) => says(`This is text ${index}.`))
  const tool = [calls('tall', 'Bash', {command: 'seq 300'}), returns('tall', output, true)]
  writeFileSync(
    place.file('stream'),
    toStream([init(), ...lines, ...tool, ...lines, result('Done.')]),
  )
  await place.runFake('replay', ['--id', 'tall'], {env: {STDOUT_FILE: place.file('stream')}})
  const hub = await startHub(place)
  const loginUrl = await makeLoginLink(place)
  const seen = await look(browser, hub.url, {width, height, loginUrl})
  onTestFinished(async () => {
    await seen.close()
    await hub.stop()
    place.clear()
  })
  const {page} = seen
  await seen.go('/runs/tall?tool=tall')
  const row = page.locator('article[aria-current=true]')
  await row.waitFor()
  await page.keyboard.press('l')
  await expect.poll(async () => (await row.boundingBox())?.height).toBeGreaterThan(190)
  await row.evaluate((element) => element.scrollIntoView({block: 'end'}))
  await sleep(300)
  await page.keyboard.press('h')
  await sleep(300)
  const [top, bottom] = await page.evaluate<[number, number]>(`(() => {
      const {top, bottom} = document.querySelector('article[aria-current=true]').getBoundingClientRect()
      return [top, bottom]
    })()`)
  const bar = await page.getByRole('toolbar', {name: 'Feed'}).boundingBox()
  expect(bottom).toBeGreaterThan((bar?.y ?? 0) + (bar?.height ?? 0))
  expect(top).toBeLessThan(height)
  await seen.expectClean()
})

afterAll(async () => {
  await browser?.close()
})
