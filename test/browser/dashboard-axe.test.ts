import axe from 'axe-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {runAxe} from '../support/axe.ts'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard, type OpenDashboard} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

// test/slow/dashboard-axe.test.ts checks every view, at two widths and in both themes.
describe.skipIf(browser === undefined)(
  'the dashboard has no serious accessibility violation',
  () => {
    let place: Place
    let hub: RunningHub
    let seen: OpenDashboard

    beforeAll(async () => {
      place = createPlace()
      const recorded = place.runFake('happy', ['--id', 'happy'], {agentArgs: ['-p', 'Be happy']})
      hub = await startHub(place)
      await recorded
      seen = await openDashboard(browser, hub.url, {
        bypassCSP: true,
        loginUrl: await makeLoginLink(place),
      })
      await seen.context.addInitScript(axe.source)
    })

    afterAll(async () => {
      await browser?.close()
      await hub?.stop()
      place?.clear()
    })

    test('in the list of runs', async () => {
      await seen.go('/')
      await seen.page.getByRole('link', {name: 'Be happy'}).waitFor()
      expect(await runAxe(seen.page)).toEqual([])
    })

    test('in a run', async () => {
      await seen.go('/runs/happy')
      await seen.page.getByRole('button', {name: 'Show the evidence'}).waitFor()
      await seen.page.getByRole('feed').getByRole('article').first().waitFor()
      expect(await runAxe(seen.page)).toEqual([])
    })
  },
)
