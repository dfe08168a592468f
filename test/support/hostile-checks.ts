import {writeFileSync} from 'node:fs'
import type {Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from './browser.ts'
import {
  expectToFit,
  makeLoginLink,
  openDashboard,
  showRecord,
  type OpenDashboard,
} from './dashboard.ts'
import {HOSTILE} from './hostile.ts'
import {makeHostileClaude, makeHostileText} from './hostile-recording.ts'
import {startHub, type RunningHub} from './hub.ts'
import {createPlace, fake, type Place} from './run.ts'

const TITLE = `${HOSTILE['imageError']} ${HOSTILE['bidi']} ${'long'.repeat(500)}`

/** The labels of lines that could not be parsed or are not known. */
const DRIFT_LABELS = new Set(['Malformed line', 'Unknown record'])

/** Sizes of the tests: the fast suite uses small ones. */
interface HostileOptions {
  /** Each text is cut to this length. */
  maxLength: number
  /** Widths of the window. */
  widths: readonly number[]
}

/** Registers the tests of hostile output in the dashboard. */
export async function defineHostileTests({maxLength, widths}: HostileOptions): Promise<void> {
  const browser = await launchBrowser()

  describe.skipIf(browser === undefined)('the dashboard', () => {
    const claude = makeHostileClaude(maxLength)
    let place: Place
    let hub: RunningHub

    beforeAll(async () => {
      place = createPlace()
      const streams = {claude: place.file('claude'), text: place.file('text')}
      writeFileSync(streams.claude, claude.bytes)
      writeFileSync(streams.text, makeHostileText(maxLength))
      hub = await startHub(place)
      const order = ['--work-order', (HOSTILE['script'] ?? '').slice(0, 100)]
      await place.runFake('replay', ['--id', 'claude', '--format', 'quiet', ...order], {
        env: {STDOUT_FILE: streams.claude, EXIT: '1'},
        agentArgs: ['-p', TITLE],
      })
      const options = ['--data-dir', place.dataDir, '--id', 'text', '--format', 'quiet']
      await place.start(['run', ...options, '--', fake('replay'), TITLE], {
        env: {STDOUT_FILE: streams.text},
      }).ended
    })

    afterAll(async () => {
      await browser?.close()
      await hub?.stop()
      place?.clear()
    })

    test.each(widths)(
      'shows hostile output as text in the feed of an agent with every row open, at %d px',
      async (width) => {
        const dashboard = await openDashboard(browser, hub.url, {
          width,
          loginUrl: await makeLoginLink(place),
        })
        const {page} = dashboard
        await dashboard.go('/runs/claude')
        await waitUntilLoaded(page)
        const walked = await page.evaluate<Walked[]>(`(${WALK})()`)
        const total = Number(
          await page.getByRole('feed').getByRole('article').first().getAttribute('aria-setsize'),
        )
        expect(walked.map(({place: at}) => at)).toEqual(
          Array.from({length: total}, (_, at) => at + 1),
        )
        const count = (label: string) => walked.filter((row) => row.label === label).length
        expect(count('Malformed line')).toBe(claude.malformed)
        expect(count('Unknown record')).toBe(claude.unknown)
        // In order: before the last text, which comes before the line with invalid UTF-8.
        const last = walked.findIndex(({text}) => text.includes('The end of it.'))
        const drift = walked.slice(0, last).filter(({label}) => DRIFT_LABELS.has(label))
        expect(drift).toHaveLength(claude.malformed + claude.unknown - 1)
        expect(walked[last + 1]?.label).toBe('Malformed line')
        expect(walked.filter(({isWide}) => isWide)).toEqual([])
        expect(
          walked.filter(({text}) =>
            / of [\d.,]+ (lines|MB|kB|characters)|show more|show all/i.test(text),
          ).length,
        ).toBeGreaterThan(5)
        await dashboard.expectClean()
        await expectToFit(page)
        await dashboard.close()
      },
    )

    describe.each(widths)('at %d px', (width) => {
      let dashboard: OpenDashboard
      let page: Page

      beforeAll(async () => {
        dashboard = await openDashboard(browser, hub.url, {
          width,
          loginUrl: await makeLoginLink(place),
        })
        ;({page} = dashboard)
      })

      afterEach(async () => {
        await dashboard.expectClean()
        await expectToFit(page)
      })

      afterAll(async () => {
        await dashboard?.close()
      })

      test('shows hostile output as text in the list of runs and in search results', async () => {
        await page.getByRole('table', {name: 'Runs'}).waitFor()
        expect(await page.locator('th[scope=row]').count()).toBe(2)
        const link = page.locator('th[scope=row] a[href="/runs/claude"]')
        // The text is shown unchanged, with bidirectional controls escaped.
        expect(await link.innerText()).toContain('<img src=x onerror=')
        expect(await link.innerText()).not.toContain('\u202e')
        await page.keyboard.press('Control+k')
        const palette = page.getByRole('dialog')
        await palette.waitFor()
        await page.keyboard.type('hacked')
        await page.keyboard.press('Tab')
        await palette.getByText(/found\.|The newest 50\./).waitFor()
        expect(await palette.getByRole('option').count()).toBeGreaterThan(10)
        await expectToFit(page)
        await page.keyboard.press('Escape')
        await page.keyboard.press('Escape')
        await palette.waitFor({state: 'detached'})
      })

      test('shows hostile output as text in the panels and in the records', async () => {
        await dashboard.go('/runs/claude')
        await waitUntilLoaded(page)
        for (const key of ['1', '2', '3', '4']) {
          await page.keyboard.press(key)
          await expectToFit(page)
        }
        const search = page.getByRole('searchbox', {name: /^Find records/})
        const lines = claude.bytes.toString('latin1').split('\n').length - 1
        const lengths = claude.bytes
          .toString('latin1')
          .split('\n')
          .map(({length}) => length)
        const longest = lengths.indexOf(lengths.reduce((max, length) => Math.max(max, length)))
        for (const line of [1, longest + 1, lines - 1, lines]) {
          await showRecord(page, line)
          await page.getByText('Parsed events').waitFor()
          await page.getByRole('button', {name: 'Exact'}).click()
          await expectToFit(page)
        }
        await search.fill('odd')
        const odd = claude.malformed + claude.unknown
        await expect.poll(() => page.getByText(`${odd} of ${lines}`, {exact: true}).count()).toBe(1)
      })

      test('shows hostile output as text in a replay', async () => {
        await dashboard.go('/runs/claude?at=0')
        const bar = page.getByRole('region', {name: 'Replay'})
        await bar.waitFor()
        const moment = bar.getByRole('slider')
        const max = Number(await moment.getAttribute('max'))
        const size = () =>
          page.getByRole('feed').getByRole('article').first().getAttribute('aria-setsize')
        const start = Number(await size())
        for (const share of [0, 0.5, 1]) {
          await moment.fill(String(Math.floor(max * share)))
          await expectToFit(page)
        }
        await bar.getByRole('combobox', {name: 'Speed'}).selectOption('100')
        await bar.getByRole('button', {name: 'Play'}).click()
        await bar.getByRole('button', {name: 'Play'}).waitFor()
        await expect.poll(async () => Number(await size())).toBeGreaterThan(start)
      })

      test('shows hostile output as text in the feed of a program that is not an agent', async () => {
        await dashboard.go('/runs/text')
        await waitUntilLoaded(page)
        const walked = await page.evaluate<Walked[]>(`(${WALK})(40)`)
        expect(walked.length).toBeGreaterThan(0)
        expect(walked.filter(({isWide}) => isWide)).toEqual([])
        await page.keyboard.press('4')
        await page.getByRole('option').first().click()
        await page.getByText('Parsed events').waitFor()
      })
    })
  })
}

interface Walked {
  place: number
  label: string
  text: string
  isWide: boolean
}

/** Waits until the whole recording is loaded. */
async function waitUntilLoaded(page: Page): Promise<void> {
  // The share that is loaded is shown together with the first entries.
  await page.getByRole('feed').getByRole('article').first().waitFor()
  await page.getByText(/of the recording$/).waitFor({state: 'detached', timeout: 30_000})
}

/** Runs in the page: walks the feed by key from the first entry to the last, opens each, and returns what it shows. */
const WALK = `async (maxEntries = Infinity) => {
  const press = (key) => (document.activeElement ?? document.body)
    .dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const task = () => new Promise((resolve) => setTimeout(resolve))
  const waitFor = async (condition) => {
    for (const end = performance.now() + 10_000; !condition() && performance.now() < end;) await task()
  }
  const walked = []
  const read = (article) => ({
    place: Number(article.getAttribute('aria-posinset')),
    label: article.getAttribute('aria-label').slice(0, 100),
    text: article.textContent.slice(0, 300) + ' … ' + article.textContent.slice(-300),
    isWide: document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth,
  })
  const total = () => Number(document.querySelector('article').getAttribute('aria-setsize'))
  const find = () => document.querySelector('article[aria-current=true]')
  for (let place = 1; place <= maxEntries; place++) {
    press('j')
    await waitFor(() => place > total() || Number(find()?.getAttribute('aria-posinset')) === place)
    if (Number(find()?.getAttribute('aria-posinset')) !== place) break
    press('l')
    await frame()
    // Long texts that load above may push it out of the page: then it is selected again.
    for (let tries = 0; tries < 50 && find() === null; tries++) {
      if (tries % 10 === 9) {
        press('k')
        await frame()
        press('j')
      }
      await frame()
    }
    walked.push(read(find()))
  }
  return walked
}`
