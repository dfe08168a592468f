import axe from 'axe-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {runAxe} from '../support/axe.ts'
import {launchBrowser} from '../support/browser.ts'
import {makeLoginLink, openDashboard, type OpenDashboard} from '../support/dashboard.ts'
import {startHub, type RunningHub} from '../support/hub.ts'
import {createPlace, until} from '../support/run.ts'

const browser = await launchBrowser()
const place = createPlace()
let hub: RunningHub
let seen: OpenDashboard

const option = (label: string) => ({label, description: `What ${label} means for this project`})
const questions = [
  {
    question: 'Which database should the service use?',
    header: 'Database',
    options: [option('SQLite'), option('PostgreSQL')],
  },
  {
    question: 'Which checks should run before a commit?',
    header: 'Checks',
    multiSelect: true,
    options: [option('Types'), option('Lint'), option('Tests')],
  },
  {
    question: 'What is the package called?',
    header: 'Name',
    options: [option('vitrine'), option('glass')],
  },
]

beforeAll(async () => {
  hub = await startHub(place)
  seen = await openDashboard(browser, hub.url, {
    bypassCSP: true,
    loginUrl: await makeLoginLink(place),
  })
  await seen.context.addInitScript(axe.source)
})
afterAll(async () => {
  await browser?.close()
  await hub.stop()
  place.clear()
})

async function ask(id: string) {
  const run = place.startFake('asks', ['--id', id, '--permissions', 'ask'], {
    agentArgs: ['-p', `Ask ${id}`],
    env: {REQUESTS: JSON.stringify([['AskUserQuestion', {questions}]])},
  })
  await until(async () => (await hub.get(`/api/runs/${id}`)).ok)
  await seen.go(`/runs/${id}`)
  const dock = seen.page.getByRole('region', {name: 'Permission'})
  await dock.getByRole('heading', {name: 'The agent has 3 questions'}).waitFor()
  return {run, dock, page: seen.page}
}

describe.skipIf(browser === undefined)('a question of the agent', () => {
  test('is answered with an option, several options and other text', async () => {
    const {run, dock, page} = await ask('clicked')
    expect(await dock.innerText()).toContain('What PostgreSQL means for this project')
    const send = dock.getByRole('button', {name: 'Send answers'})
    await dock.getByRole('radio', {name: 'PostgreSQL'}).check()
    await dock.getByRole('checkbox', {name: 'Types'}).check()
    await dock.getByRole('checkbox', {name: 'Tests'}).check()
    expect(await send.isDisabled()).toBe(true)
    await dock.getByRole('textbox', {name: 'Other answer to: What is the package'}).fill('showcase')
    for (const [width, theme] of [
      [1280, 'light'],
      [1280, 'dark'],
      [390, 'light'],
      [390, 'dark'],
    ] as const) {
      await page.setViewportSize({width, height: 844})
      await page.emulateMedia({colorScheme: theme})
      expect(await runAxe(page)).toEqual([])
      const folder = process.env['SCREENSHOTS']
      if (folder) await page.screenshot({path: `${folder}/question-${width}-${theme}.png`})
      const overflow = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize({width: 1280, height: 844})
    await send.click()
    await run.ended
    await page.getByText('Answered by you').first().waitFor()
    await page.getByText('Database: PostgreSQL; Checks: Types, Tests; Name: showcase').waitFor()
    const {stdout} = await run.ended
    expect(stdout).toContain('Succeeded')
    expect(place.read('clicked', 'stdin').toString()).toContain(
      JSON.stringify({
        'Which database should the service use?': 'PostgreSQL',
        'Which checks should run before a commit?': 'Types, Tests',
        'What is the package called?': 'showcase',
      }),
    )
  })

  test('is answered with the keyboard alone', async () => {
    const {run, dock, page} = await ask('typed')
    const {keyboard} = page
    await page.waitForTimeout(600)
    await keyboard.press('a')
    await expect.poll(() => page.evaluate('document.activeElement?.type')).toBe('radio')
    await keyboard.press('Space')
    await keyboard.press('ArrowDown')
    expect(await dock.getByRole('radio', {name: 'PostgreSQL'}).isChecked()).toBe(true)
    await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.press('Space')
    expect(await dock.getByRole('checkbox', {name: 'Types'}).isChecked()).toBe(true)
    for (const _ of [1, 2, 3, 4]) await keyboard.press('Tab')
    await keyboard.press('Tab')
    await keyboard.press('Space')
    expect(await dock.getByRole('radio', {name: 'vitrine'}).isChecked()).toBe(true)
    await keyboard.press('Enter')
    await run.ended
    expect(place.read('typed', 'stdin').toString()).toContain(
      '"What is the package called?":"vitrine"',
    )
  })

  test('is denied when it is not answered, and the agent gets the reason', async () => {
    const {run, dock} = await ask('refused')
    await dock.getByRole('button', {name: 'Give a reason'}).click()
    await dock.getByRole('textbox', {name: 'Reason'}).fill('Decide yourself.')
    await dock.getByRole('button', {name: 'Do not answer'}).click()
    await run.ended
    expect(place.read('refused', 'stdin').toString()).toContain('"message":"Decide yourself."')
  })
})
