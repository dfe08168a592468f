import {readFileSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {assistantText, init, result, toolResult, toolUse} from '../fake-agents/lines.js'
import {launchBrowser} from '../support/browser.ts'
import {
  exportBig,
  exportGoing,
  exportTools,
  openExport,
  writeFinishedRun,
} from '../support/export-page.ts'
import {HOSTILE} from '../support/hostile.ts'
import {createPlace, type Place} from '../support/run.ts'
import {fixture} from '../support/vitrine.ts'

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('an exported page', () => {
  let place: Place

  beforeAll(async () => {
    place = createPlace()
    await exportTools(place)
  })

  afterAll(async () => {
    await browser?.close()
    place?.clear()
  })

  /** Opens a file and waits for the header of the run. */
  async function open(name: string, options: Parameters<typeof openExport>[2] = {}) {
    const opened = await openExport(browser, place.file(name), options)
    await opened.page.locator('[data-part=run-header]').waitFor()
    return opened
  }

  test('shows the run and the version that wrote it, without actions', async () => {
    const {page, close} = await open('tools.html')
    expect(await page.title()).toBe('Do it · Vitrine')
    const {version} = createRequire(import.meta.url)('../../package.json') as {version: string}
    await page.getByText(`Exported from Vitrine ${version} on`).waitFor()
    await page.getByText('I look at it first.').waitFor()
    await page.getByText('const one: number = 1').waitFor()
    await page.getByText('That was it.').waitFor()
    expect(await page.getByRole('button', {name: /stop/i}).count()).toBe(0)
    expect(await page.getByRole('link').count()).toBe(0)
    await page.getByRole('button', {name: 'More about this run'}).click()
    expect(await page.getByText('Recording', {exact: true}).count()).toBe(0)
    expect(await close()).toEqual([])
  })

  test('opens a tool with its complete output, also by link', async () => {
    const {page, close} = await open('tools.html', {query: '?tool=t1'})
    await page.locator('article[aria-current=true]').waitFor()
    await page.keyboard.press('l')
    const opened = page.getByRole('feed')
    await opened.getByText('line 0 of a long output').waitFor()
    // The middle of the output is there as well, on request.
    await opened.getByRole('button', {name: /show/}).first().click()
    await page.getByText('line 200 of a long output').first().waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => page.url()).toMatch(/\?tool=t2$/)
    expect(await close()).toEqual([])
  })

  test('shows a record exactly as received', async () => {
    const {page, close} = await open('tools.html', {query: '?tab=raw&line=4'})
    await page.getByRole('button', {name: 'Exact'}).click()
    const [, , , line = ''] = String(place.read('tools', 'stdout')).split('\n')
    await expect.poll(() => page.getByRole('tabpanel').locator('pre').textContent()).toBe(line)
    expect(await close()).toEqual([])
  })

  test('shows files and figures, and replays', async () => {
    const {page, close} = await open('tools.html')
    await page.keyboard.press('1')
    await page.getByRole('tabpanel').getByText('b.ts').first().waitFor()
    await page.keyboard.press('3')
    await page.getByRole('tabpanel').waitFor()
    await page.getByRole('button', {name: 'Replay'}).click()
    const replayed = page.getByRole('region', {name: 'Replay'})
    await replayed.getByRole('slider', {name: 'Moment'}).waitFor()
    await expect
      .poll(() => replayed.getByRole('slider').inputValue().then(Number))
      .toBeGreaterThan(0)
    // The first Escape closes the panel where that covers the feed.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await replayed.waitFor({state: 'detached'})
    await page.keyboard.press('?')
    await page.getByRole('heading', {name: 'Keyboard shortcuts'}).waitFor()
    expect(await close()).toEqual([])
  })

  test('changes the theme and keeps it', async () => {
    const {page, close} = await open('tools.html')
    const theme = () => page.locator('html').getAttribute('data-theme')
    await page.keyboard.press('t')
    await expect.poll(theme).toBe('dark')
    await page.reload()
    await page.locator('[data-part=run-header]').waitFor()
    expect(await theme()).toBe('dark')
    expect(await close()).toEqual([])
  })

  test('does not advance the clock of a run that was live', async () => {
    await exportGoing(place)
    const {page, close} = await openExport(browser, place.file('going.html'), {hasClock: true})
    await page.getByText('The run was still live when it was exported').waitFor()
    const time = page.locator('dt:text-is("Time") + dd')
    const before = await time.textContent()
    await page.clock.runFor(5000)
    expect(await time.textContent()).toBe(before)
    expect(await close()).toEqual([])
  })

  test('reports which records are not in the file', async () => {
    await exportBig(place)
    const {page, close} = await open('big.html', {query: '?tab=raw&line=2'})
    await page.getByText(/\d+ of 402 records are complete/).waitFor()
    await page.getByText('It was left out to keep this file small.').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('l')
    await page.getByRole('feed').getByText('It was left out to keep this file small.').waitFor()
    expect(await close()).toEqual([])
  })

  test('shows a recording of a real agent', async () => {
    await place.runFake('replay', ['--id', 'real'], {
      agentArgs: ['-p', 'Do it'],
      env: {STDOUT_FILE: fixture('claude/2.1.325/large-read')},
    })
    await place.vitrine(['export', 'real'])
    const {page, close} = await open('real.html')
    const feed = page.getByRole('feed')
    await expect.poll(async () => (await feed.textContent())?.length).toBeGreaterThan(100)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    expect(await close()).toEqual([])
  })

  test('runs nothing that agents print', async () => {
    const texts = Object.entries(HOSTILE).filter(([, text]) => text.length < 100_000)
    const lines = texts.flatMap(([name, text], at) => [
      assistantText(text),
      toolUse(`t${at}`, name === 'script' ? text : 'Bash', {command: text, description: text}),
      toolResult(`t${at}`, text),
    ])
    const title = '</title><script>window.hacked=1</script><img src=x onerror=window.hacked=1>'
    const script = HOSTILE['script'] ?? ''
    writeFinishedRun(place, 'hostile', [init(), ...lines, script, result('All done.')], title)
    const {exitCode} = await place.vitrine(['export', 'hostile'])
    expect(exitCode).toBe(0)
    const html = readFileSync(place.file('hostile.html'), 'utf8')
    expect(html.split('<script').length).toBe(html.split('</script>').length)
    expect(html.includes('<script>window')).toBe(false)
    const {page, close} = await open('hostile.html')
    expect(await page.title()).toBe(`${title} · Vitrine`)
    // From the end to the beginning, with every row open.
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('k')
      await page.keyboard.press('l')
    }
    await page.getByRole('feed').evaluate((feed) => feed.parentElement?.scrollTo(0, 0))
    await page.locator('article[aria-posinset="1"]').waitFor()
    await page.keyboard.press('4')
    await page.getByRole('tab', {name: 'Raw', selected: true}).waitFor()
    expect(await close()).toEqual([])
  })

  test('reports that the browser is too old to decompress it', async () => {
    const {page, close} = await openExport(browser, place.file('tools.html'), {
      initScript: 'delete globalThis.DecompressionStream',
    })
    await page.getByText('This browser is too old').waitFor()
    expect(await close()).toEqual([])
  })

  test('reports that the file is damaged', async () => {
    const html = readFileSync(place.file('tools.html'), 'utf8')
    writeFileSync(place.file('cut.html'), html.replace(/(data-items>.{200})[^<]*/, '$1'))
    const {page, close} = await open('cut.html')
    await page.getByText('The data in this file is damaged').waitFor()
    expect(await close()).toEqual([])
  })
})
