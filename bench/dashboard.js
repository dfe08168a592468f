/// <reference lib="dom" />
// The dashboard with a long run in a real browser: time to open it, frame times while scrolling and during live events.
// It takes two minutes, so it is not part of `npm run bench`:
//
//   npm run build
//   node bench/dashboard.js                     100,000 events, then 200 more per second for 60 seconds
//   node bench/dashboard.js --trace trace.json  scrolls again with a trace for DevTools (Performance, Load profile)
//
// Options: --events, --rate, --seconds, --rounds. CHROMIUM is the path of the browser, if it is not in the usual places.

import {appendFileSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {chromium} from 'playwright-core'
import {requireBrowser} from '../scripts/find-browser.js'
import {request, printFigure, printTitle, sleep, spawnHub, waitUntilUp} from './hub-process.js'
import {createLines, writeLongRecording} from './long-recording.js'

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

const executablePath = requireBrowser()

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
  await waitUntilUp(hub)
  await waitUntilIndexed()
  printTitle(`The dashboard with ${events} events in ${over.lines} lines, ${megabytes(over.bytes)}`)
  const page = await logIn()
  const times = []
  for (let round = 0; round < Number(values.rounds); round++) {
    times.push(await openRun(page, 'over'))
  }
  const opened = times.map((time) => time.opened)
  printFigure(
    'end of the run visible after page load',
    opened.map(ms).join(', '),
    'under 1500 ms',
    Math.max(...opened) < 1500,
  )
  printFigure('all entries loaded', times.map(({loaded}) => ms(loaded)).join(', '))
  printFrames('scrolling', await scroll(page))
  if (values.trace !== undefined) {
    // Separate, because tracing takes time too.
    await browser.startTracing(page, {screenshots: false})
    printFrames('scrolling, traced', await scroll(page))
    writeFileSync(values.trace, await browser.stopTracing())
  }
  await openRun(page, 'live')
  const fed = await feed(page)
  printFrames(`${rate} events per second for ${seconds} s`, fed.frames)
  printFigure('peak heap', megabytes(fed.peakHeap), 'under 200 MB', fed.peakHeap < 200_000_000)
  printFigure('heap after garbage collection', megabytes(fed.collected))
  printFigure(
    'lines missing at the end',
    `${fed.missing} of ${fed.sent}`,
    'none',
    fed.missing === 0,
  )
  if (fed.missing !== 0) process.exitCode = 1
} finally {
  await browser.close()
  await hub.stop()
  rmSync(dataDir, {recursive: true, force: true})
}

async function waitUntilIndexed() {
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
 * Loads the page of a run and waits until its last entry is visible.
 *
 * @param {import('playwright-core').Page} page
 * @param {string} runId
 */
async function openRun(page, runId) {
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
  await page.waitForFunction(
    () => document.querySelector('[data-part=loading]') === null,
    undefined,
    {
      polling: 'raf',
      timeout: 60_000,
    },
  )
  return {opened, loaded: performance.now() - start}
}

/**
 * Scrolls the feed by wheel and by scroll bar and returns the frame times.
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
  // The scroll bar can jump to any position.
  await page.evaluate(async () => {
    const box = document.querySelector('[role=feed]')?.parentElement
    if (!box) return
    for (let step = 0; step <= 30; step++) {
      box.scrollTop = ((step * 7) % 31) * (box.scrollHeight / 31)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  })
  return stopFrames(page)
}

/**
 * Appends events to the live run and measures the page.
 *
 * @param {import('playwright-core').Page} page
 */
async function feed(page) {
  const session = await page.context().newCDPSession(page)
  const lines = createLines(rate * seconds + events, 1_000_000)
  let sent = 0
  let end = live.bytes
  await startFrames(page)
  const heaps = []
  const start = performance.now()
  while (performance.now() - start < seconds * 1000) {
    const due = Math.floor(((performance.now() - start) / 1000) * rate * (over.lines / events))
    const chunk = lines.slice(sent, due).join('\n')
    if (chunk !== '') {
      sent = due
      end += Buffer.byteLength(chunk) + 1
      appendFileSync(join(live.dir, 'stdout'), `${chunk}\n`)
      appendFileSync(join(live.dir, 'timing.ndjson'), `[${Date.now()},"out",${end}]\n`)
    }
    await sleep(50)
    if (heaps.length < (performance.now() - start) / 1000) heaps.push(await readHeap(session))
  }
  const frames = await stopFrames(page)
  await sleep(2000)
  const isUp = await page.evaluate(() =>
    fetch('/api/runs/live/records?lines=1').then((response) => response.ok),
  )
  if (!isUp) throw new Error('The hub does not serve records of the live run')
  await page.keyboard.press('4')
  const count = await page.getByText(/^[\d,]+ lines · /).textContent()
  const total = Number(/^([\d,]+) lines/.exec(count ?? '')?.[1]?.replaceAll(',', ''))
  await session.send('HeapProfiler.collectGarbage')
  return {
    frames,
    peakHeap: Math.max(...heaps),
    collected: await readHeap(session),
    sent,
    missing: live.lines + sent - total,
  }
}

/** @param {import('playwright-core').CDPSession} session */
async function readHeap(session) {
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
function printFrames(name, frames) {
  const sorted = frames.toSorted((one, other) => one - other)
  const at = (/** @type {number} */ share) =>
    ms(sorted[Math.floor(share * (sorted.length - 1))] ?? 0)
  const late = frames.filter((took) => took > 100).length
  const figures = `${frames.length} frames, median ${at(0.5)}, p99 ${at(0.99)}, longest ${at(1)}`
  printFigure(name, figures, 'none over 100 ms', late === 0)
}

/** @param {number} value */
function ms(value) {
  return `${Math.round(value)} ms`
}

/** @param {number} bytes */
function megabytes(bytes) {
  return `${(bytes / 1_000_000).toFixed(0)} MB`
}
