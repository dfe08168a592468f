import {writeFileSync} from 'node:fs'
import type {Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from './browser.ts'
import {isTooWide, look, makeLoginLink, type Look} from './dashboard.ts'
import {HOSTILE} from './hostile.ts'
import {makeHostileClaude, makeHostileText} from './hostile-recording.ts'
import {startHub, type RunningHub} from './hub.ts'
import {createPlace, type Place} from './run.ts'

const WIDTHS = [1280, 390] as const
const title = `${HOSTILE['imageError']} ${HOSTILE['bidi']} ${'long'.repeat(500)}`
const browser = await launchBrowser()

describe.skipIf(browser === undefined)('what agents print does no harm', () => {
  const claude = makeHostileClaude()
  let place: Place
  let hub: RunningHub
  let looks: Look[] = []

  beforeAll(async () => {
    place = createPlace()
    const streams = {claude: place.file('claude'), text: place.file('text')}
    writeFileSync(streams.claude, claude.bytes)
    writeFileSync(streams.text, makeHostileText())
    hub = await startHub(place)
    const order = ['--work-order', (HOSTILE['script'] ?? '').slice(0, 100)]
    await place.runFake('replay', ['--id', 'claude', '--quiet', ...order], {
      env: {STDOUT_FILE: streams.claude, EXIT: '1'},
      agentArgs: ['-p', title],
    })
    await place.runFake('replay', ['--id', 'text', '--quiet'], {
      agent: 'none',
      env: {STDOUT_FILE: streams.text},
      agentArgs: [title],
    })
    for (const width of WIDTHS) {
      const loginUrl = await makeLoginLink(place)
      looks.push(await look(browser, hub.url, {width, loginUrl}))
    }
  })

  afterAll(async () => {
    await browser?.close()
    await hub?.stop()
    place?.clear()
  })

  test.each(WIDTHS)('at %d px: x', async (width) => {
    const seen = looks[WIDTHS.indexOf(width)]
    if (seen === undefined) throw new Error('nobody looks')
    console.log((await place.list()).map(({runId, verdict, reason}) => [runId, verdict, reason]))
    await seen.expectClean()
  })
})
