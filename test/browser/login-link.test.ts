import {once} from 'node:events'
import {createServer} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink} from '../support/dashboard.ts'
import {startHub} from '../support/hub.ts'
import {createPlace} from '../support/run.ts'

const browser = await launchBrowser()

test.skipIf(browser === undefined)(
  'links on a page of another site log in, and open a run for a logged-in browser',
  async () => {
    const place = createPlace()
    const hub = await startHub(place)
    await place.runFake('happy', ['--id', 'happy', '--format', 'quiet'])
    const login = await makeLoginLink(place)
    const links = `<a id="login" href="${login}">x</a><a id="run" href="${hub.url}/runs/happy">x</a>`
    const mail = createServer((_, response) => {
      response.writeHead(200, {'content-type': 'text/html'}).end(`<!doctype html>${links}`)
    }).listen(0, '127.0.0.1')
    await once(mail, 'listening')
    const mailUrl = `http://localhost:${(mail.address() as AddressInfo).port}/`
    const context = await browser?.newContext()
    try {
      const page = await context?.newPage()
      if (page === undefined) throw new Error('no page')
      await page.goto(mailUrl)
      await page.click('#login')
      await page.getByRole('link', {name: 'happy'}).first().waitFor()
      expect(page.url()).toBe(`${hub.url}/`)
      await page.goto(mailUrl)
      await page.click('#run')
      await page.getByRole('feed').waitFor()
      expect(page.url()).toBe(`${hub.url}/runs/happy`)
      await context?.clearCookies()
      await page.goto(mailUrl)
      await page.click('#run')
      await page.getByRole('heading', {name: 'Log in'}).waitFor()
    } finally {
      await context?.close()
      mail.close()
      await hub.stop()
      place.clear()
    }
  },
)
