import {rmSync} from 'node:fs'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
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

async function record(runId: string): Promise<void> {
  await place.runFake('happy', ['--id', runId, '--no-hub', '--format', 'quiet'])
  await until(async () => (await hub.get(`/api/runs/${runId}`)).status === 200)
}

test.skipIf(browser === undefined)(
  'an open dashboard stops showing a removed recording',
  async () => {
    await Promise.all(['kept', 'read', 'listed'].map(record))
    const seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    const {page} = seen
    const rows = page.locator('th[scope=row]')
    await expect.poll(() => rows.count()).toBe(3)
    rmSync(place.dirOf('listed'), {recursive: true})
    await expect.poll(() => rows.count(), {timeout: 5000}).toBe(2)
    await page.locator('th[scope=row] a[href="/runs/read"]').click()
    await page.getByRole('feed').waitFor()
    rmSync(place.dirOf('read'), {recursive: true})
    await page.getByRole('heading', {name: 'The recording of this run was removed'}).waitFor()
    await page.getByRole('link', {name: 'All runs'}).click()
    await page.getByRole('heading', {name: 'Runs', level: 1}).waitFor()
    expect(await rows.count()).toBe(1)
    seen.forgive(/404/)
    await seen.expectClean()
    await seen.close()
  },
)
