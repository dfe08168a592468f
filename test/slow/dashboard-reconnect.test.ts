import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {
  makeLoginLink,
  openDashboard,
  startHeldRun,
  type OpenDashboard,
} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

afterAll(() => browser?.close())

describe.skipIf(browser === undefined)(
  'the dashboard of a hub that is killed and restarted',
  () => {
    let place: Place
    let hub: RunningHub
    let seen: OpenDashboard | undefined

    beforeAll(async () => {
      place = createPlace()
      hub = await startHub(place)
    })

    afterAll(async () => {
      await seen?.close()
      await hub?.stop()
      place?.clear()
    })

    test('reconnects and shows the run without a gap', async () => {
      const run = startHeldRun(place, 'long', 'Count the lines', {intervalMs: 300})
      seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
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
      // A request that was sent while the hub was down is answered, too.
      await page.getByText('Parsed events').waitFor()
      const countLines = () =>
        place.read('long', 'stdout').toString().split('This is line').length - 1
      const linesAfterRestart = countLines()
      await expect.poll(countLines).toBeGreaterThan(linesAfterRestart)
      run.release()
      await page.getByRole('heading', {name: /^Succeeded in/}).waitFor({timeout: 30_000})
      await page.getByRole('article', {name: 'Run ended'}).waitFor()
      await run.ended
      expect(await page.evaluate('window.isFirst')).toBe(true)
      const feed = page.getByRole('feed')
      const missing = new Set(Array.from({length: countLines()}, (_, at) => String(at + 1)))
      // Only visible rows are in the DOM, so the feed is scrolled from its end to its beginning.
      const box = await feed.boundingBox()
      await page.mouse.move((box?.x ?? 0) + 20, 400)
      await expect
        .poll(
          async () => {
            for (const text of await feed.getByRole('article').allTextContents()) {
              missing.delete(/This is line (\d+)\./.exec(text)?.[1] ?? '')
            }
            await page.mouse.wheel(0, -300)
            return [...missing]
          },
          {timeout: 30_000, interval: 20},
        )
        .toEqual([])
      seen.forgive(/ERR_CONNECTION|WebSocket connection/)
      await seen.expectClean()
    })
  },
)
