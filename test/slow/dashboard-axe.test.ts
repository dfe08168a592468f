import axe from 'axe-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {runAxeInThemes} from '../support/axe.ts'
import {launchBrowser} from '../support/browser.ts'
import {
  makeLoginLink,
  openDashboard,
  startDemo,
  type OpenDashboard,
  type RunningDemo,
} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('the dashboard', () => {
  let place: Place
  let empty: Place
  let demo: RunningDemo
  let idle: RunningHub

  beforeAll(async () => {
    place = createPlace()
    empty = createPlace()
    ;[demo, idle] = await Promise.all([startDemo(place, 1), startHub(empty)])
    place.startFake('slow', ['--id', 'live'], {
      agentArgs: ['-p', 'Go on for long'],
      env: {LINES: '100000', MS: '500'},
    })
    place.startFake('asks', ['--id', 'asks', '--permissions', 'ask'], {
      agentArgs: ['-p', 'Ask for it'],
    })
  })

  afterAll(async () => {
    await browser?.close()
    await Promise.all([demo?.stop(), idle?.stop()])
    place?.clear()
    empty?.clear()
  })

  describe.each([1280, 390])('at %d px', (width) => {
    const isPhone = width < 768
    let seen: OpenDashboard

    beforeAll(async () => {
      const loginUrl = await makeLoginLink(place)
      seen = await openDashboard(browser, demo.url, {width, bypassCSP: true, loginUrl})
      await seen.context.addInitScript(axe.source)
    })

    afterAll(async () => {
      await seen?.close()
    })

    test('has no serious accessibility violation in the list of runs, the palette and the keys', async () => {
      const {page} = seen
      await seen.go('/')
      await page.getByRole('row').filter({hasText: 'Needs you'}).first().waitFor()
      const found = [...(await runAxeInThemes(page, 'runs'))]
      const field = page.getByRole('searchbox', {name: 'Search'})
      await field.fill('it failed on purpose')
      await page.getByRole('region', {name: 'Search results'}).waitFor()
      found.push(...(await runAxeInThemes(page, 'search')))
      await field.fill('nothing is called so')
      await page.getByText('No run or session matches').waitFor()
      found.push(...(await runAxeInThemes(page, 'search, nothing matches')))
      await page.getByRole('button', {name: 'Clear filters'}).click()
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').waitFor()
      found.push(...(await runAxeInThemes(page, 'palette')))
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({state: 'detached'})
      await page.keyboard.press('?')
      await page.getByRole('dialog').waitFor()
      found.push(...(await runAxeInThemes(page, 'keys')))
      expect(found).toEqual([])
    })

    test('has no serious accessibility violation in a live run and in a permission request', async () => {
      const {page} = seen
      await seen.go('/runs/live')
      await page.getByRole('button', {name: 'Stop the run'}).waitFor()
      await page.getByRole('feed').getByRole('article').first().waitFor()
      const found = [...(await runAxeInThemes(page, 'live'))]
      // A selection stops following while more records arrive.
      await page.keyboard.press('k')
      await page.getByRole('button', {name: /^Follow live · \d+ new$/}).waitFor()
      found.push(...(await runAxeInThemes(page, 'live, not followed')))
      await page.getByRole('button', {name: 'Stop the run'}).click()
      found.push(...(await runAxeInThemes(page, 'live, asked whether to stop')))
      await seen.go('/runs/asks')
      const dock = page.getByRole('region', {name: 'Permission'})
      await dock.getByRole('button', {name: 'Allow once'}).waitFor()
      found.push(...(await runAxeInThemes(page, 'permission')))
      await dock.getByRole('button', {name: 'Change it…'}).click()
      found.push(...(await runAxeInThemes(page, 'permission, changed')))
      await dock.getByRole('button', {name: 'Cancel'}).click()
      await dock.getByRole('button', {name: 'Deny with reason'}).click()
      found.push(...(await runAxeInThemes(page, 'permission, denied')))
      expect(found).toEqual([])
    })

    test('has no serious accessibility violation in a finished run, its panels and its replay', async () => {
      const {page} = seen
      await seen.go('/')
      await page.getByRole('link', {name: 'Run the release checks'}).first().click()
      await page.getByRole('feed').getByRole('group').first().waitFor()
      const found = [...(await runAxeInThemes(page, 'failed'))]
      await seen.go('/')
      await page.getByRole('link', {name: 'Run the three hooks'}).first().click()
      await page.getByRole('feed').getByRole('article').first().waitFor()
      const tabs = isPhone
        ? ['Timeline', 'Files', 'Stats', 'Raw']
        : ['Files', 'Plan', 'Stats', 'Raw']
      const bar = isPhone
        ? page.getByRole('navigation', {name: 'Views'}).getByRole('button')
        : page.getByRole('tab')
      for (const tab of tabs) {
        await bar.filter({hasText: tab}).click()
        found.push(...(await runAxeInThemes(page, tab)))
      }
      await page.getByRole('option').nth(3).click()
      await page.getByText('Parsed events').waitFor()
      found.push(...(await runAxeInThemes(page, 'a raw record')))
      await page.getByRole('button', {name: 'Exact'}).click()
      found.push(...(await runAxeInThemes(page, 'an exact record')))
      if (isPhone) await bar.filter({hasText: 'Feed'}).click()
      await page.getByRole('button', {name: 'Replay'}).click()
      await page.getByRole('button', {name: 'Pause'}).click()
      found.push(...(await runAxeInThemes(page, 'replay')))
      await page.getByRole('button', {name: 'More about this run'}).click()
      found.push(...(await runAxeInThemes(page, 'menu')))
      expect(found).toEqual([])
    })

    test('has no serious accessibility violation without runs and without a login', async () => {
      const loginUrl = await makeLoginLink(empty)
      const other = await openDashboard(browser, idle.url, {width, bypassCSP: true, loginUrl})
      await other.context.addInitScript(axe.source)
      await other.go('/')
      await other.page.getByText('No runs yet').waitFor()
      const found = [...(await runAxeInThemes(other.page, 'no runs'))]
      // A page whose session expired, then one without a session.
      await other.page.routeWebSocket('**/ws', (socket) => socket.close())
      await other.go('/')
      await other.context.clearCookies()
      await other.page.getByRole('heading', {name: 'Log in'}).waitFor()
      found.push(...(await runAxeInThemes(other.page, 'not logged in any more')))
      await other.go('/')
      await other.page.getByText('Log in').waitFor()
      found.push(...(await runAxeInThemes(other.page, 'not logged in')))
      await other.close()
      expect(found).toEqual([])
    })
  })
})
