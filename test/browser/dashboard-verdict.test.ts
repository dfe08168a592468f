import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard, startHeldRun} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {OVER, writeRecording} from '../support/recording.ts'
import {createPlace, until} from '../support/run.ts'

const browser = await launchBrowser()
const place = createPlace()
let hub: RunningHub

beforeAll(async () => {
  hub = await startHub(place)
})
afterAll(async () => {
  await browser?.close()
  await hub.stop()
  place.clear()
})

test.skipIf(browser === undefined)(
  'shows a run that starts after its page was opened',
  async () => {
    const seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    await seen.go('/runs/later')
    await seen.page.getByRole('heading', {name: 'Run not found'}).waitFor()
    const run = startHeldRun(place, 'later', 'Say some lines')
    const items = seen.page.getByRole('feed').getByRole('article')
    await items.first().waitFor()
    expect(await items.count()).toBeGreaterThan(0)
    run.release()
    await run.ended
    seen.forgive(/404/)
    await seen.expectClean()
    await seen.close()
  },
)

test.skipIf(browser === undefined)(
  'shows the verdict only after the last item of the feed',
  async () => {
    const run = startHeldRun(place, 'slow', 'Say some lines')
    const seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    const {page} = seen
    // Messages about the run arrive; its items are held back.
    let isHeld = false
    let held: (string | Buffer)[] = []
    let release = () => {}
    await page.routeWebSocket(/\/ws$/, (socket) => {
      const server = socket.connectToServer()
      server.onMessage((message) => {
        if (isHeld && String(message).startsWith('{"type":"run_items"')) held.push(message)
        else socket.send(message)
      })
      release = () => {
        isHeld = false
        for (const message of held) socket.send(message)
        held = []
      }
    })
    await until(async () => (await hub.get('/api/runs/slow')).ok)
    await seen.go('/runs/slow')
    await page.getByRole('feed').getByRole('article').first().waitFor()
    isHeld = true
    await expect.poll(() => held.length).toBeGreaterThan(0)
    run.release()
    await run.ended
    await page.locator('[data-part=run-header]').getByText('Succeeded').first().waitFor()
    const evidence = page.getByRole('button', {name: 'Show the evidence'})
    expect(await evidence.count()).toBe(0)
    expect(held.length).toBeGreaterThan(0)
    release()
    await evidence.waitFor()
    await page.reload()
    await evidence.waitFor()
    await seen.expectClean()
    await seen.close()
  },
)

test.skipIf(browser === undefined)(
  'folds a long reason, so that rows of the feed stay in view, and shows all of it on request',
  async () => {
    const reason = `${'too long a reason '.repeat(80)}end of the reason`
    const output = 'One line\n'.repeat(50)
    const dir = join(place.dataDir, 'runs', 'long-reason')
    mkdirSync(dir, {recursive: true})
    writeRecording(dir, null, output, [output.length], {
      runId: 'long-reason',
      ...OVER,
      result: {...OVER.result, verdict: 'failed', reason, evidence: [reason.slice(0, 900)]},
    })
    await until(async () => (await hub.get('/api/runs/long-reason')).ok)
    const seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    const {page} = seen
    for (const width of [1280, 390]) {
      await page.setViewportSize({width, height: 800})
      await seen.go('/runs/long-reason')
      const verdict = page.locator('[data-part=verdict]')
      const feed = page.getByRole('feed')
      const heightOf = async () => (await verdict.boundingBox())?.height ?? 0
      await page.getByRole('button', {name: 'Show all'}).waitFor()
      expect(await heightOf()).toBeLessThan(260)
      await page.getByRole('button', {name: 'Show all'}).click()
      await page.getByRole('button', {name: 'Show less'}).waitFor()
      expect(await verdict.innerText()).toContain('end of the reason')
      expect(await feed.getByRole('article').count()).toBeGreaterThan(0)
      const shown = await feed.locator('..').boundingBox()
      expect(shown?.height).toBeGreaterThanOrEqual(120)
    }
    await seen.expectClean()
    await seen.close()
  },
)
