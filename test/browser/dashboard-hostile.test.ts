import {writeFileSync} from 'node:fs'
import type {Page} from 'playwright-core'
import {afterAll, afterEach, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {expectToFit, look, makeLoginLink, showRecord, type Look} from '../support/dashboard.ts'
import {HOSTILE} from '../support/hostile.ts'
import {makeHostileClaude, makeHostileText} from '../support/hostile-recording.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, fake, type Place} from '../support/run.ts'

const WIDTHS = [1280, 390] as const
const title = `${HOSTILE['imageError']} ${HOSTILE['bidi']} ${'long'.repeat(500)}`
const browser = await launchBrowser()

describe.skipIf(browser === undefined)('what agents print does no harm', () => {
  const claude = makeHostileClaude()
  let place: Place
  let hub: RunningHub

  beforeAll(async () => {
    place = createPlace()
    const streams = {claude: place.file('claude'), text: place.file('text')}
    writeFileSync(streams.claude, claude.bytes)
    writeFileSync(streams.text, makeHostileText())
    hub = await startHub(place)
    const order = ['--work-order', (HOSTILE['script'] ?? '').slice(0, 100)]
    await place.runFake('replay', ['--id', 'claude', '--format', 'quiet', ...order], {
      env: {STDOUT_FILE: streams.claude, EXIT: '1'},
      agentArgs: ['-p', title],
    })
    const options = ['--data-dir', place.dataDir, '--id', 'text', '--format', 'quiet']
    await place.start(['run', ...options, '--', fake('replay'), title], {
      env: {STDOUT_FILE: streams.text},
    }).ended
  })

  afterAll(async () => {
    await browser?.close()
    await hub?.stop()
    place?.clear()
  })

  describe.each(WIDTHS)('at %d px', (width) => {
    let seen: Look
    let page: Page

    beforeAll(async () => {
      seen = await look(browser, hub.url, {width, loginUrl: await makeLoginLink(place)})
      ;({page} = seen)
    })

    afterEach(async () => {
      await seen.expectClean()
      await expectToFit(page)
    })

    afterAll(async () => {
      await seen?.close()
    })

    test('in the list of runs, and in what is searched', async () => {
      await page.getByRole('table', {name: 'Runs'}).waitFor()
      expect(await page.locator('th[scope=row]').count()).toBe(2)
      const link = page.locator('th[scope=row] a[href="/runs/claude"]')
      // It is shown as it is, with what would turn it around made visible.
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

    test('in the feed of an agent, with everything open', async () => {
      await seen.go('/runs/claude')
      await page.getByRole('feed').getByRole('article').first().waitFor()
      await caughtUp(page)
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
      // In their place: before the last words, which come before the line that is no text.
      const last = walked.findIndex(({text}) => text.includes('The end of it.'))
      expect(walked.slice(0, last).filter(({label}) => /^(Malf|Unkn)/.test(label))).toHaveLength(
        claude.malformed + claude.unknown - 1,
      )
      expect(walked[last + 1]?.label).toBe('Malformed line')
      expect(walked.filter(({isWide}) => isWide)).toEqual([])
      expect(
        walked.filter(({text}) =>
          / of [\d.,]+ (lines|MB|kB|characters)|show more|show all/i.test(text),
        ).length,
      ).toBeGreaterThan(5)
    })

    test('in the panels, and in the records', async () => {
      for (const key of ['1', '2', '3', '4']) {
        await page.keyboard.press(key)
        await expectToFit(page)
      }
      const search = page.getByRole('searchbox', {name: /^Find records/})
      const lines = claude.bytes.toString('latin1').split('\n').length - 1
      const long = claude.bytes
        .toString('latin1')
        .split('\n')
        .findIndex(({length}) => length > 4e6)
      for (const line of [1, long + 1, lines - 1, lines]) {
        await showRecord(page, line)
        await page.getByText('What it means').waitFor()
        await page.getByRole('button', {name: 'Exact'}).click()
        await expectToFit(page)
      }
      await search.fill('odd')
      const odd = claude.malformed + claude.unknown
      await expect.poll(() => page.getByText(`${odd} of ${lines}`, {exact: true}).count()).toBe(1)
    })

    test('in a replay', async () => {
      await seen.go('/runs/claude?at=0')
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

    test('in the feed of a program that is no agent', async () => {
      await seen.go('/runs/text')
      await page.getByRole('heading', {level: 1}).waitFor()
      await caughtUp(page)
      const walked = await page.evaluate<Walked[]>(`(${WALK})(40)`)
      expect(walked.filter(({isWide}) => isWide)).toEqual([])
      await page.keyboard.press('4')
      await page.getByRole('option').first().click()
      await page.getByText('What it means').waitFor()
    })
  })
})

interface Walked {
  place: number
  label: string
  text: string
  isWide: boolean
}

/** Waits until all of a recording is in the page. */
async function caughtUp(page: Page): Promise<void> {
  await page.getByText(/of the recording$/).waitFor({state: 'detached', timeout: 30_000})
}

/** Runs in the page: walks the feed by key from its first entry to its last, opens each, and tells what it shows. */
const WALK = `async (most = Infinity) => {
  const press = (key) => (document.activeElement ?? document.body)
    .dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}))
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const walked = []
  const read = (article) => ({
    place: Number(article.getAttribute('aria-posinset')),
    label: article.getAttribute('aria-label').slice(0, 100),
    text: article.textContent.slice(0, 300) + ' … ' + article.textContent.slice(-300),
    isWide: document.scrollingElement.scrollWidth > document.scrollingElement.clientWidth,
  })
  const find = () => document.querySelector('article[aria-current=true]')
  for (let place = 1; place <= most; place++) {
    press('j')
    for (let tries = 0; tries < 50 && Number(find()?.getAttribute('aria-posinset')) !== place; tries++) await frame()
    if (Number(find()?.getAttribute('aria-posinset')) !== place) break
    press('l')
    await frame()
    // Long texts that come in above may push it out of the page: then it is gone to once more.
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
