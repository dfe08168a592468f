import {mkdirSync} from 'node:fs'
import {afterAll, beforeAll, beforeEach, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard, type OpenDashboard} from '../support/dashboard.ts'
import {assistantText, init, result, toStream} from '../fake-agents/lines.js'
import {OVER, writeRecording} from '../support/recording.ts'
import {findAgent} from '../../src/agents/find-agent.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, type Place} from '../support/run.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)(
  'a click on a run while a permission request inserts a row above',
  () => {
    let place: Place
    let hub: RunningHub
    let seen: OpenDashboard

    beforeAll(async () => {
      place = createPlace()
      for (const [index, id] of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].entries()) {
        mkdirSync(place.dirOf(id), {recursive: true})
        const stream = toStream([init(), assistantText('Done.'), result('Done.')])
        writeRecording(place.dirOf(id), findAgent('claude'), stream, [stream.length], {
          ...OVER,
          runId: id,
          argv: ['claude', '-p', `Run ${id}`],
          prompt: `Run ${id}`,
          startedAt: 1000 + index,
        })
      }
      hub = await startHub(place)
      // Low enough to leave some of the rows out of view.
      seen = await openDashboard(browser, hub.url, {
        height: 360,
        loginUrl: await makeLoginLink(place),
      })
    })

    beforeEach(async () => {
      await seen.go('/')
      await seen.page.getByRole('link', {name: 'Run a'}).waitFor()
      // The run of the previous test waits for an answer until the hub has read its end.
      await seen.page.locator('tr h2', {hasText: 'Live'}).waitFor({state: 'detached'})
    })

    afterAll(async () => {
      await browser?.close()
      await hub?.stop()
      place?.clear()
    })

    /** Clicks on a run as soon as another needs an answer; Enter is a click with detail 0. */
    async function clickInTheMoment(
      title: string,
      {byKey = false} = {},
    ): Promise<{path: string; movedBy: number}> {
      const {page} = seen
      const clicked = page.evaluate<number>(`new Promise((resolve) => {
      const link = [...document.querySelectorAll('tr a')].find((a) => a.textContent === '${title}')
      const {top} = link.getBoundingClientRect()
      const observer = new MutationObserver(() => {
        if (!document.querySelector('tbody').textContent.includes('Needs you')) return
        observer.disconnect()
        requestAnimationFrame(() => {
          const movedBy = link.getBoundingClientRect().top - top
          link.dispatchEvent(
            new MouseEvent('click', {bubbles: true, cancelable: true, detail: ${byKey ? 0 : 1}}),
          )
          resolve(movedBy)
        })
      })
      observer.observe(document.querySelector('table'), {subtree: true, childList: true})
    })`)
      const asking = place.startFake('asks', ['--permissions', 'ask'], {
        agentArgs: ['-p', 'Ask for it'],
      })
      const movedBy = await clicked
      const {pathname: path} = new URL(page.url())
      asking.child.kill('SIGINT')
      await asking.ended
      return {path, movedBy}
    }

    test('is ignored when the rows moved', async () => {
      const {path, movedBy} = await clickInTheMoment('Run h')
      expect(movedBy).toBeGreaterThan(0)
      expect(path).toBe('/')
      await seen.expectClean()
    })

    test('opens the run when the new row is out of view and nothing moved', async () => {
      const {page} = seen
      await page.getByRole('link', {name: 'Run a'}).scrollIntoViewIfNeeded()
      await page.mouse.wheel(0, 5000)
      await expect.poll(() => page.evaluate('scrollY > 0')).toBe(true)
      expect(await clickInTheMoment('Run a')).toEqual({path: '/runs/a', movedBy: 0})
      await seen.expectClean()
    })

    test('opens the run when it is activated by key', async () => {
      const {path, movedBy} = await clickInTheMoment('Run h', {byKey: true})
      expect(movedBy).toBeGreaterThan(0)
      expect(path).toBe('/runs/h')
      await seen.expectClean()
    })
  },
)
