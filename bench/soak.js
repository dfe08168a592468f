// Many agents for a long time: a real hub, loops of real runs that replay recordings of real agents in real time, one run
// for the whole time, and two clients that follow everything. Losses and growing memory make the exit code 1.
//
//   npm run soak                                    20 agents for 30 minutes, then until the last run has ended
//   npm run soak -- --agents 6 --minutes 2
//   npm run soak -- --keep                          keeps the folder with the recordings
//
// Half of the runs record into the data folder of the hub, the others into another one and report to the hub.

import {fork, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {countOpenFiles, findProcessesByEnv} from '../test/support/process-stats.js'
import {request, requestJson, sleep, spawnHub, waitUntilUp} from './hub-process.js'
import {checkRuns} from './soak-checks.js'
import {formatSoak} from './soak-report.js'
import {createSampler} from './soak-samples.js'
import {readStories, writeLongStory} from './soak-stories.js'
import {describeMachine} from './table.js'

/** @import {DoneRun} from './soak-checks.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {SampledProcess} from './soak-samples.js' */
/** @import {Story} from './soak-stories.js' */

const SAMPLE_INTERVAL_MS = 5000
const CLIENTS = 2
/** The long run is replayed faster, like a busy agent. */
const LONG_SPEED = 4
const PAUSE_MS = 1000
/** Messages count as lost when they have not arrived this long after the last run. */
const MESSAGE_TIMEOUT_MS = 30_000
/** File watchers of the threads of the hub, which stay open. */
const MAX_EXTRA_FILES = 5

const bin = fileURLToPath(new URL('../dist/cli/bin.js', import.meta.url))
const {values} = parseArgs({
  options: {
    agents: {type: 'string', default: '20'},
    minutes: {type: 'string', default: '30'},
    keep: {type: 'boolean', default: false},
  },
})
const agentCount = Number(values.agents)
const minutes = Number(values.minutes)
const machine = describeMachine()
const folder = mkdtempSync(join(tmpdir(), 'vitrine-soak-'))
const mark = `VITRINE_SOAK=${folder}`
try {
  process.exitCode = await soak()
} finally {
  if (values.keep) console.error(folder)
  else rmSync(folder, {recursive: true, force: true})
}

async function soak() {
  const hubDir = join(folder, 'hub')
  const elsewhere = join(folder, 'elsewhere')
  const hub = await spawnHub(hubDir)
  const watchers = fork(fileURLToPath(new URL('soak-clients.js', import.meta.url)))
  const sampler = createSampler(SAMPLE_INTERVAL_MS)
  /** @type {SampledProcess[]} */
  const runners = []
  /** @type {DoneRun[]} */
  const done = []
  let live = 0
  try {
    await waitUntilUp(hub)
    await follow()
    const filesBefore = countOpenFiles(hub.pid)
    const hubSamples = sampler.add(hub.pid, 'hub')
    const startedAt = performance.now()
    const endsAt = startedAt + minutes * 60_000
    const long = writeLongStory(join(folder, 'long'), {minutes, speed: LONG_SPEED})
    const stories = readStories().filter(({durationMs}) => durationMs < maxDurationMs())
    const progress = setInterval(() => printProgress(endsAt, hubSamples), SAMPLE_INTERVAL_MS)
    const looping = Promise.all([
      ...Array.from({length: agentCount}, (_, at) => runStories(at, stories, endsAt)),
      runStory('long', long, elsewhere),
    ])
    await sleep(minutes * 60_000)
    // From here on the load decreases, which would distort the comparison.
    sampler.remove(hubSamples)
    await looping
    clearInterval(progress)
    if (process.stderr.isTTY) process.stderr.write('\n')
    const report = await waitForClients()
    const {problems, messages} = await checkRuns(hub, done, report.clients)
    problems.push(...report.losses)
    const metrics = await readMetrics()
    if (metrics['vitrine_gaps_total'] !== 0) problems.push('a client received a gap')
    const left = findProcessesByEnv(mark)
    if (left.length > 0) problems.push(`processes still running: ${left.join(', ')}`)
    const filesAfter = await waitForClosedFiles(filesBefore)
    if (filesAfter > filesBefore + MAX_EXTRA_FILES)
      problems.push(`the hub has ${filesAfter} files open`)
    const {text, isFlat} = formatSoak({
      machine,
      command: `npm run soak -- --agents ${agentCount} --minutes ${minutes}`,
      spentMs: performance.now() - startedAt,
      runs: done,
      clients: report.clients,
      messages,
      hub: hubSamples,
      runners,
      files: {before: filesBefore, after: filesAfter},
      problems,
    })
    process.stdout.write(text)
    return problems.length === 0 && isFlat ? 0 : 1
  } finally {
    sampler.stop()
    watchers.kill()
    await hub.stop()
  }

  /** Runs stories one after the other. */
  async function runStories(
    /** @type {number} */ index,
    /** @type {Story[]} */ stories,
    /** @type {number} */ endsAt,
  ) {
    // Spreads the starts over time.
    await sleep((index * PAUSE_MS * 20) / agentCount)
    for (let nth = 0; performance.now() < endsAt; nth++) {
      const story = stories[(index * 7 + nth) % stories.length]
      if (story === undefined) throw new Error('All stories are longer than this soak test allows')
      await runStory(`${index}-${nth}`, story, index % 2 === 0 ? hubDir : elsewhere)
      await sleep(PAUSE_MS)
    }
  }

  /** @param {string} runId @param {Story} story @param {string} dataDir */
  async function runStory(runId, story, dataDir) {
    const cwd = join(folder, 'work', runId)
    mkdirSync(cwd, {recursive: true})
    const {name, agent, exitCode} = story
    const flags = ['--id', runId, '--agent', agent, '--data-dir', dataDir, '--format', 'quiet']
    const report = ['--hub', hub.url, '--work-order', name, '--linger', '5m']
    const replay = ['fake-agent', story.folder, '--speed', '1', '--fault', `exit=${exitCode}`]
    const args = [bin, 'run', ...flags, ...report, '--', process.execPath, bin, ...replay]
    const child = spawn(process.execPath, args, {
      cwd,
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {...process.env, VITRINE_TOKEN: hub.token(), VITRINE_SOAK: folder},
    })
    let errors = ''
    child.stderr.on('data', (chunk) => (errors = `${errors}${chunk}`.slice(-2000)))
    const runner = sampler.add(child.pid ?? 0, name)
    runners.push(runner)
    live++
    const [code] = await once(child, 'close')
    live--
    sampler.remove(runner)
    done.push({runId, story, dataDir, exitCode: code, errors: errors.trim()})
  }

  async function follow() {
    watchers.send({type: 'follow', url: hub.url, token: hub.token(), count: CLIENTS})
    await once(watchers, 'message')
  }

  /** @returns {Promise<{clients: ClientReport[], losses: string[]}>} */
  async function requestReport() {
    watchers.send({type: 'report'})
    const [report] = await once(watchers, 'message')
    return report
  }

  /** Waits until the clients have received the end of all runs, and the hub has indexed all of them. */
  async function waitForClients() {
    const deadline = performance.now() + MESSAGE_TIMEOUT_MS
    for (;;) {
      const report = await requestReport()
      const isComplete = report.clients.every(
        ({runs}) =>
          Object.values(runs).filter(({verdict}) => verdict !== undefined).length === done.length,
      )
      const {liveRuns, indexing} = await requestJson(hub, '/api/stats')
      const isIndexed = liveRuns === 0 && indexing === 0
      if ((isComplete && isIndexed) || performance.now() > deadline) return report
      await sleep(200)
    }
  }

  /** The hub closes the files of ended runs with a delay. */
  async function waitForClosedFiles(/** @type {number} */ before) {
    const deadline = performance.now() + MESSAGE_TIMEOUT_MS
    while (countOpenFiles(hub.pid) > before && performance.now() < deadline) await sleep(500)
    return countOpenFiles(hub.pid)
  }

  /** @returns {Promise<Record<string, number>>} */
  async function readMetrics() {
    const {body} = await request(`${hub.url}/metrics`, hub.token())
    const pairs = body.toString().matchAll(/^(\w+) (\d+)$/gm)
    return Object.fromEntries([...pairs].map(([, name, value]) => [name, Number(value)]))
  }

  /** @param {number} endsAt @param {SampledProcess} hubSamples */
  function printProgress(endsAt, hubSamples) {
    const left = Math.max(0, Math.round((endsAt - performance.now()) / 1000))
    const {memory = 0, files = 0} = hubSamples.samples.at(-1) ?? {}
    const wrong = done.filter(
      ({story, exitCode}) => (exitCode === 0) !== (story.verdict === 'succeeded'),
    )
    const text = `${left} s left, ${live} runs live, ${done.length} ended, ${wrong.length} wrong; hub ${memory.toFixed(0)} MiB, ${files} files`
    process.stderr.write(process.stderr.isTTY ? `\r\u{1b}[K${text}` : `${text}\n`)
  }
}

/** Excludes long stories from a short soak test, which would have to wait for their end. */
function maxDurationMs() {
  return Math.max(60_000, minutes * 60_000 * 0.2)
}
