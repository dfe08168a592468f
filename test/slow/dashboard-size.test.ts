import {readFileSync, writeFileSync} from 'node:fs'
import {gzipSync} from 'node:zlib'
import type {Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {launchBrowser} from '../support/browser.ts'
import {init, result, toolResult, toolUse, toStream} from '../fake-agents/lines.js'
import {
  openDashboard,
  startDemo,
  type OpenDashboard,
  type RunningDemo,
} from '../support/dashboard.ts'
import {createPlace, type Place} from '../support/run.ts'

/** Compressed size of all scripts of the list of runs. */
const MAX_BYTES = 180_000
/** Scripts that are loaded on demand. */
const HEAVY = {
  markdown: /render-markdown/,
  highlighting: /\/(?:core|bash|json|typescript|javascript|python|xml|yaml|css|markdown)-/,
  diffs: /tool-body/,
  charts: /uplot|chart/i,
}

const browser = await launchBrowser()

describe.skipIf(browser === undefined)('the scripts that the dashboard loads', () => {
  let place: Place
  let demo: RunningDemo
  let seen: OpenDashboard
  let page: Page
  let scripts: string[] = []

  beforeAll(async () => {
    place = createPlace()
    demo = await startDemo(place, 1)
    seen = await openDashboard(browser, demo.url, demo)
    ;({page} = seen)
    page.on('request', (request) => {
      if (request.resourceType() === 'script') scripts.push(new URL(request.url()).pathname)
    })
  })

  afterAll(async () => {
    await seen?.expectClean()
    await browser?.close()
    await demo?.stop()
    place?.clear()
  })

  const load = async (path: string) => {
    scripts = []
    await seen.go(path)
    await page.waitForLoadState('networkidle')
  }
  const sizeOf = (paths: readonly string[]) =>
    paths.reduce((sum, path) => {
      const file = new URL(`../../dist/dashboard${path}`, import.meta.url)
      return sum + gzipSync(readFileSync(file)).length
    }, 0)
  const areLoaded = (pattern: RegExp) => scripts.some((path) => pattern.test(path))
  const urlOf = async (title: string) =>
    (await page.getByRole('link', {name: title}).first().getAttribute('href')) ?? ''

  test('stay below the size limit for the list of runs', async () => {
    await load('/')
    await page.getByRole('table', {name: 'Runs'}).waitFor()
    expect(scripts.length).toBeGreaterThan(0)
    expect(sizeOf(scripts)).toBeLessThan(MAX_BYTES)
    // Otherwise the wrong files were counted.
    expect(sizeOf(scripts)).toBeGreaterThan(20_000)
    const heavy = Object.entries(HEAVY).filter(([, pattern]) => areLoaded(pattern))
    expect(heavy).toEqual([])
  })

  test('are loaded for a run when an entry needs them', async () => {
    const prose = await urlOf('Wait for the scheduled wake-up')
    const failing = await urlOf('Call the MCP test server')
    const marked = await urlOf('Audit every endpoint for missing auth checks')
    const editing = await urlOf('Change the second line of keep.txt to upper case')
    await load(prose)
    await page.getByRole('feed').getByRole('article').first().waitFor()
    expect(areLoaded(/run-page/)).toBe(true)
    await load(failing)
    await page.getByRole('feed').getByRole('group').first().waitFor()
    // This run has plain text only.
    expect(areLoaded(HEAVY.markdown)).toBe(false)
    expect(areLoaded(HEAVY.highlighting)).toBe(false)
    expect(areLoaded(HEAVY.charts)).toBe(false)
    await load(marked)
    await expect.poll(() => areLoaded(HEAVY.markdown)).toBe(true)
    await load(editing)
    await page.getByRole('feed').getByRole('article').first().waitFor()
    expect(sizeOf(scripts)).toBeLessThan(2 * MAX_BYTES)
  })

  test('are loaded for syntax highlighting with the first code', async () => {
    const stream = place.file('stream')
    const code = '     1\texport const one: number = 1\n'
    const input = {file_path: '/home/dev/project/one.ts'}
    writeFileSync(
      stream,
      toStream([init(), toolUse('t1', 'Read', input), toolResult('t1', code), result('Done.')]),
    )
    const args = ['--id', 'coloured']
    await place.runFake('replay', args, {env: {STDOUT_FILE: stream}, agentArgs: ['-p', 'Colour']})
    await load('/runs/coloured')
    const read = page.getByRole('feed').getByRole('button', {name: /^Read/})
    await read.waitFor()
    expect(areLoaded(HEAVY.highlighting)).toBe(false)
    await read.click()
    await page.getByText('export').first().waitFor()
    await expect.poll(() => scripts).toContainEqual(expect.stringMatching(/\/typescript-/))
    expect(areLoaded(HEAVY.highlighting)).toBe(true)
  })
})
