import {writeFileSync} from 'node:fs'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard} from '../support/dashboard.ts'
import {toStream} from '../fake-agents/lines.js'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace} from '../support/run.ts'

const browser = await launchBrowser()
const place = createPlace()
const SESSION = 'f0e1d2c3-session'
let hub: RunningHub

const assistantMessage = (...content: object[]) => ({type: 'assistant', message: {content}})

beforeAll(async () => {
  hub = await startHub(place)
  writeFileSync(
    place.file('run.jsonl'),
    toStream([
      {type: 'system', subtype: 'init', session_id: SESSION, model: 'claude-opus-5-5', tools: []},
      assistantMessage({type: 'thinking', thinking: 'The password is in the file.'}),
      assistantMessage({
        type: 'tool_use',
        id: 't1',
        name: 'Bash',
        input: {command: 'cat notes.txt'},
      }),
      {
        type: 'user',
        message: {content: [{type: 'tool_result', tool_use_id: 't1', content: 'swordfish'}]},
      },
      assistantMessage({type: 'text', text: 'It is a fish.'}),
      {
        type: 'result',
        subtype: 'success',
        is_error: false,
        result: 'It is a fish.',
        session_id: SESSION,
        num_turns: 2,
        total_cost_usd: 0.42,
        usage: {input_tokens: 1234, output_tokens: 567},
      },
    ]),
  )
  await place.runFake('replay', ['--id', 'fish'], {
    agentArgs: ['-p', 'Find the fish'],
    env: {STDOUT_FILE: place.file('run.jsonl')},
  })
})
afterAll(async () => {
  await browser?.close()
  await hub.stop()
  place.clear()
})

test.skipIf(browser === undefined)(
  'shows calls, reasoning, output and figures, and the session id only on request',
  async () => {
    const seen = await openDashboard(browser, hub.url, {loginUrl: await makeLoginLink(place)})
    const {page} = seen
    const shown = () => page.evaluate<string>('document.body.innerText')
    await page.getByRole('link', {name: 'Find the fish'}).first().waitFor()
    expect(await shown()).not.toContain(SESSION)
    await seen.go('/runs/fish')
    const feed = page.getByRole('feed')
    await feed.getByText('It is a fish.').first().waitFor()
    await feed.getByText('The password is in the file.').waitFor()
    await feed.getByText('cat notes.txt').click()
    await feed.getByText('swordfish').waitFor()
    await page.getByRole('tab', {name: 'Stats'}).click()
    const tokens = page.getByRole('table', {name: 'Tokens by kind'})
    expect(await tokens.innerText()).toMatch(/Input\s+1\.2k\s+Output\s+567/)
    expect(await shown()).toMatch(/Cost\s+\$0\.42/)
    expect(await shown()).toContain('2 turns · 1 tool')
    expect(await shown()).not.toContain(SESSION)
    await page.getByRole('button', {name: 'More about this run'}).click()
    expect(await shown()).not.toContain(SESSION)
    await page.getByRole('button', {name: 'Show', exact: true}).click()
    await page.getByText(SESSION).waitFor()
    await seen.expectClean()
    await seen.close()
  },
)
