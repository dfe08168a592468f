// Many agents for a long time: a real hub, loops of real runs that replay real agents at their pace, one run that goes on the
// whole time, and two clients that follow everything. What is lost, or memory that grows, ends it with 1.
//
//   npm run soak                                    20 agents for 30 minutes, and until the last of them is done
//   npm run soak -- --agents 6 --minutes 2
//   npm run soak -- --keep                          leaves the folder with the recordings
//
// Half of the runs are recorded beside the hub, which reads their files; the others elsewhere, and they report to it.

import {fork, spawn} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {request, requestJson, sleep, spawnHub, untilUp} from './hub-process.js'
import {checkRuns} from './soak-checks.js'
import {formatSoak} from './soak-report.js'
import {countFiles, createSampler, findProcesses} from './soak-samples.js'
import {makeLongStory, readStories} from './soak-stories.js'
import {describePlace} from './table.js'

/** @import {DoneRun} from './soak-checks.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {Watched} from './soak-samples.js' */
/** @import {Story} from './soak-stories.js' */

const SAMPLE_MS = 5000
const CLIENTS = 2
/** The one that goes on is told faster, as a busy agent works. */
const LONG_SPEED = 4
const PAUSE_MS = 1000
/** What has not come to the clients so long after the last run is lost. */
const PATIENCE_MS = 30_000
/** A hub that has worked has a few more files open than one that has not: those by which its threads watch folders. */
const SPARE_FILES = 5

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
const place = describePlace()
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
  const sampler = createSampler(SAMPLE_MS)
  /** @type {Watched[]} */
  const runners = []
  /** @type {DoneRun[]} */
  const done = []
  let live = 0
  try {
    await untilUp(hub)
    await follow()
    const filesBefore = countFiles(hub.pid)
    const hubSamples = sampler.watch(hub.pid, 'hub')
    const startedAt = performance.now()
    const endsAt = startedAt + minutes * 60_000
    const long = makeLongStory(join(folder, 'long'), {minutes, speed: LONG_SPEED})
    const stories = readStories().filter(({durationMs}) => durationMs < longestMs())
    const progress = setInterval(() => showProgress(endsAt, hubSamples), SAMPLE_MS)
    const looping = Promise.all([
      ...Array.from({length: agentCount}, (_, at) => loop(at, stories, endsAt)),
      perform('long', long, elsewhere),
    ])
    await sleep(minutes * 60_000)
    // What follows is the end of runs, with ever fewer of them.
    sampler.leave(hubSamples)
    await looping
    clearInterval(progress)
    if (process.stderr.isTTY) process.stderr.write('\n')
    const report = await untilSeen()
    const {problems, messages} = await checkRuns(hub, done, report.clients)
    problems.push(...report.losses)
    const metrics = await readMetrics()
    if (metrics['vitrine_gaps_total'] !== 0) problems.push('a client was told of a gap')
    const left = findProcesses(mark)
    if (left.length > 0) problems.push(`left running: ${left.join(', ')}`)
    const filesAfter = await settleFiles(filesBefore)
    if (filesAfter > filesBefore + SPARE_FILES)
      problems.push(`the hub has ${filesAfter} files open`)
    const {text, isFlat} = formatSoak({
      place,
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

  /** Runs stories one after the other; each loop begins with another of them. */
  async function loop(
    /** @type {number} */ index,
    /** @type {Story[]} */ stories,
    /** @type {number} */ endsAt,
  ) {
    // They would all start in the same moment.
    await sleep((index * PAUSE_MS * 20) / agentCount)
    for (let nth = 0; performance.now() < endsAt; nth++) {
      const story = stories[(index * 7 + nth) % stories.length]
      if (story === undefined) throw new Error('no story is short enough')
      await perform(`${index}-${nth}`, story, index % 2 === 0 ? hubDir : elsewhere)
      await sleep(PAUSE_MS)
    }
  }

  /** @param {string} runId @param {Story} story @param {string} dataDir */
  async function perform(runId, story, dataDir) {
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
    const runner = sampler.watch(child.pid ?? 0, name)
    runners.push(runner)
    live++
    const [code] = await once(child, 'close')
    live--
    sampler.leave(runner)
    done.push({runId, story, dataDir, exitCode: code, errors: errors.trim()})
  }

  async function follow() {
    watchers.send({type: 'follow', url: hub.url, token: hub.token(), count: CLIENTS})
    await once(watchers, 'message')
  }

  /** @returns {Promise<{clients: ClientReport[], losses: string[]}>} */
  async function askWatchers() {
    watchers.send({type: 'report'})
    const [report] = await once(watchers, 'message')
    return report
  }

  /** Waits until the clients have seen all runs end, and the hub has read all. */
  async function untilSeen() {
    const patientUntil = performance.now() + PATIENCE_MS
    for (;;) {
      const report = await askWatchers()
      const isSeen = report.clients.every(
        ({runs}) =>
          Object.values(runs).filter(({verdict}) => verdict !== undefined).length === done.length,
      )
      const {liveRuns, indexing} = await requestJson(hub, '/api/stats')
      if ((isSeen && liveRuns === 0 && indexing === 0) || performance.now() > patientUntil) {
        return report
      }
      await sleep(200)
    }
  }

  /** Files of runs that are over are closed after a moment. */
  async function settleFiles(/** @type {number} */ before) {
    const patientUntil = performance.now() + PATIENCE_MS
    while (countFiles(hub.pid) > before && performance.now() < patientUntil) await sleep(500)
    return countFiles(hub.pid)
  }

  /** @returns {Promise<Record<string, number>>} */
  async function readMetrics() {
    const {body} = await request(`${hub.url}/metrics`, hub.token())
    const pairs = body.toString().matchAll(/^(\w+) (\d+)$/gm)
    return Object.fromEntries([...pairs].map(([, name, value]) => [name, Number(value)]))
  }

  /** @param {number} endsAt @param {Watched} hubSamples */
  function showProgress(endsAt, hubSamples) {
    const left = Math.max(0, Math.round((endsAt - performance.now()) / 1000))
    const {memory = 0, files = 0} = hubSamples.samples.at(-1) ?? {}
    const wrong = done.filter(
      ({story, exitCode}) => (exitCode === 0) !== (story.verdict === 'succeeded'),
    )
    const text = `${left} s left, ${live} runs live, ${done.length} over, ${wrong.length} wrong; hub ${memory.toFixed(0)} MiB, ${files} files`
    process.stderr.write(process.stderr.isTTY ? `\r\u{1b}[K${text}` : `${text}\n`)
  }
}

/** A short soak has no time to wait for the end of long stories. */
function longestMs() {
  return Math.max(60_000, minutes * 60_000 * 0.2)
}
