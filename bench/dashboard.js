/// <reference lib="dom" />
// The dashboard with a long run, in a real browser: how soon it is there, how it scrolls, and how it takes what comes.
// It takes two minutes, so it is not among those of `npm run bench`:
//
//   npm run build
//   node bench/dashboard.js                     100,000 events, then 200 more a second for 60 seconds
//   node bench/dashboard.js --trace trace.json  scrolls once more and traces that, for DevTools (Performance, Load profile)
//
// `--events`, `--rate` and `--seconds` change that. Chromium is where it mostly is, or where CHROMIUM says.

import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {chromium} from 'playwright-core'
import {needBrowser} from '../scripts/find-browser.js'
import {request, show, showTitle, sleep, spawnHub, untilUp} from './hub-process.js'
import {makeLines, writeLongRecording} from './long-recording.js'

const {values} = parseArgs({
  options: {
    events: {type: 'string', default: '100000'},
    rate: {type: 'string', default: '200'},
    seconds: {type: 'string', default: '60'},
    trace: {type: 'string'},
    rounds: {type: 'string', default: '3'},
  },
})
const events = Number(values.events)
const rate = Number(values.rate)
const seconds = Number(values.seconds)

const executablePath = needBrowser()

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
const over = writeLongRecording(dataDir, 'over', {events})
const live = writeLongRecording(dataDir, 'live', {
  events,
  isOver: false,
  startedAt: Date.now() - 7_200_000,
})
const hub = await spawnHub(dataDir)
const browser = await chromium.launch({
  executablePath,
  args: ['--no-sandbox', '--disable-gpu', '--js-flags=--expose-gc', '--enable-precise-memory-info'],
})
try {
  await untilUp(hub)
  await untilRead()
  showTitle(`The dashboard with ${events} events in ${over.lines} lines, ${megabytes(over.bytes)}`)
  const page = await logIn()
  const times = []
  for (let round = 0; round < Number(values.rounds); round++) times.push(await open(page, 'over'))
  const opened = times.map((time) => time.opened)
  show(
    'its end is on screen, after the page was loaded',
    opened.map(ms).join(', '),
    'under 1500 ms',
    Math.max(...opened) < 1500,
  )
  show('all of it is there', times.map(({loaded}) => ms(loaded)).join(', '))
  showFrames('scrolled', await scroll(page))
  if (values.trace !== undefined) {
    // Not the same: to trace takes its time too.
    await browser.startTracing(page, {screenshots: false})
    showFrames('scrolled again, traced', await scroll(page))
    writeFileSync(values.trace, await browser.stopTracing())
  }
  await open(page, 'live')
  const fed = await feed(page)
  showFrames(`${rate} events a second for ${seconds} s`, fed.frames)
  show('the most heap', megabytes(fed.mostHeap), 'under 200 MB', fed.mostHeap < 200_000_000)
  show('heap after a collection', megabytes(fed.collected))
  show('lines missing at the end', `${fed.missing} of ${fed.sent}`, 'none', fed.missing === 0)
  if (fed.missing !== 0) process.exitCode = 1
} finally {
  await browser.close()
  await hub.stop()
  rmSync(dataDir, {recursive: true, force: true})
}

/** Waits until the hub has read both. */
async function untilRead() {
  for (;;) {
    const {body} = await request(`${hub.url}/api/runs`, hub.token())
    const {runs, indexing} = JSON.parse(body.toString())
    if (runs.length === 2 && indexing === 0) return
    await sleep(200)
  }
}

async function logIn() {
  const response = await fetch(`${hub.url}/api/login-links`, {
    method: 'POST',
    headers: {authorization: `Bearer ${hub.token()}`},
  })
  const {url} = /** @type {{url: string}} */ (await response.json())
  const context = await browser.newContext({viewport: {width: 1280, height: 900}})
  const page = await context.newPage()
  await page.goto(url)
  return page
}

/**
 * Opens a run in a page that has just been loaded, and waits until its last entry is on screen.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} runId
 */
async function open(page, runId) {
  await page.goto(`${hub.url}/runs/${runId}`, {waitUntil: 'load'})
  const start = performance.now()
  await page.waitForFunction(
    () => {
      const rows = [...document.querySelectorAll('article[aria-posinset]')]
      const isLast = rows.some(
        (row) => row.getAttribute('aria-posinset') === row.getAttribute('aria-setsize'),
      )
      return rows.length > 0 && isLast
    },
    undefined,
    {polling: 'raf', timeout: 60_000},
  )
  const opened = performance.now() - start
  await page.waitForFunction(() => document.querySelector('.loading') === null, undefined, {
    polling: 'raf',
    timeout: 60_000,
  })
  return {opened, loaded: performance.now() - start}
}

/**
 * Scrolls through the feed as a wheel does, up and down and far, and tells how long frames took.
 *
 * @param {import('playwright-core').Page} page
 */
async function scroll(page) {
  await startFrames(page)
  await page.mouse.move(400, 600)
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, step % 20 === 19 ? -400_000 : -900)
    await sleep(30)
  }
  for (let step = 0; step < 60; step++) {
    await page.mouse.wheel(0, 1100)
    await sleep(30)
  }
  // And by the bar, to anywhere.
  await page.evaluate(async () => {
    const box = document.querySelector('.feed')
    if (box === null) return
    for (let step = 0; step <= 30; step++) {
      box.scrollTop = ((step * 7) % 31) * (box.scrollHeight / 31)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  return stopFrames(page)
}

/**
 * Lets a run go on, and tells how the page took it.
 *
 * @param {import('playwright-core').Page} page
 */
async function feed(page) {
  const session = await page.context().newCDPSession(page)
  const lines = makeLines(rate * seconds + events, 1_000_000)
  let sent = 0
  let end = live.bytes
  await startFrames(page)
  const heaps = []
  const start = performance.now()
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate * (over.lines / events))
    const piece = lines.slice(sent, due).join('\n')
    if (piece !== '') {
      sent = due
      end += Buffer.byteLength(piece) + 1
      appendFileSync(join(live.dir, 'stdout'), `${piece}\n`)
      appendFileSync(join(live.dir, 'timing.ndjson'), `[${Date.now()},"out",${end}]\n`)
    }
    await sleep(50)
    if (heaps.length < (performance.now() - start) / 1000) heaps.push(await heapOf(session))
  }
  const frames = await stopFrames(page)
  await sleep(2000)
  const shown = await page.evaluate(() =>
    fetch('/api/runs/live/records?lines=1').then((answer) => answer.ok),
  )
  if (!shown) throw new Error('the hub did not answer')
  await page.keyboard.press('4')
  const count = await page.locator('.rawp .st-h .num').textContent()
  const total = Number(/^([\d,]+) lines/.exec(count ?? '')?.[1]?.replaceAll(',', ''))
  await session.send('HeapProfiler.collectGarbage')
  return {
    frames,
    mostHeap: Math.max(...heaps),
    collected: await heapOf(session),
    sent,
    missing: live.lines + sent - total,
  }
}

/** @param {import('playwright-core').CDPSession} session */
async function heapOf(session) {
  const {usedSize} = await session.send('Runtime.getHeapUsage')
  return usedSize
}

/** @param {import('playwright-core').Page} page */
async function startFrames(page) {
  await page.evaluate(() => {
    const frames = /** @type {number[]} */ ([])
    let last = performance.now()
    const onFrame = (/** @type {number} */ now) => {
      frames.push(now - last)
      last = now
      if (!Object.hasOwn(globalThis, 'framesDone')) requestAnimationFrame(onFrame)
    }
    Reflect.deleteProperty(globalThis, 'framesDone')
    Object.assign(globalThis, {frameTimes: frames})
    requestAnimationFrame((now) => {
      last = now
      requestAnimationFrame(onFrame)
    })
  })
}

/** @param {import('playwright-core').Page} page @returns {Promise<number[]>} */
async function stopFrames(page) {
  return page.evaluate(() => {
    Object.assign(globalThis, {framesDone: true})
    return /** @type {number[]} */ (Reflect.get(globalThis, 'frameTimes'))
  })
}

/**
 * @param {string} name
 * @param {number[]} frames
 */
function showFrames(name, frames) {
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (/** @type {number} */ share) =>
    ms(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  const late = frames.filter((took) => took > 100).length
  const figures = `${frames.length} frames, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
  show(name, figures, 'none over 100 ms', late === 0)
}

/** @param {number} value */
function ms(value) {
  return `${Math.round(value)} ms`
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(0)} MB`
}
