// What must hold when a soak is over: every byte, every message, every verdict, and nobody left behind.

import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {request, requestJson} from './hub-process.js'

/** @import {HubProcess} from './hub-process.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {Story} from './soak-stories.js' */

/**
 * A run that is over, and the last that was said on its stderr.
 *
 * @typedef {{runId: string, story: Story, dataDir: string, exitCode: number | null, errors: string}} DoneRun
 */

const PAGE = 5000
/** @type {Record<string, number>} */
const EXIT_CODES = {succeeded: 0, failed: 1, truncated: 1, stopped: 130}

/**
 * Compares what a run left, what the hub has of it and what the clients were told with what was to be printed.
 *
 * @param {HubProcess} hub
 * @param {readonly DoneRun[]} runs
 * @param {readonly ClientReport[]} clients
 * @returns {Promise<{problems: string[], messages: number}>}
 */
export async function checkRuns(hub, runs, clients) {
  /** @type {string[]} */
  const problems = []
  /** Runs of one story have as many messages each. @type {Map<string, number>} */
  const counts = new Map()
  let messages = 0
  for (const {runId, story, dataDir, exitCode, errors} of runs) {
    const blame = (/** @type {string} */ what) => problems.push(`${runId} (${story.name}): ${what}`)
    if (exitCode !== EXIT_CODES[story.verdict]) blame(`exit code ${exitCode}: ${errors}`)
    const folder = join(dataDir, 'runs', runId)
    if (!readFileSync(join(folder, 'stdout')).equals(story.stdout)) blame('other bytes on disk')
    const {body} = await request(`${hub.url}/api/runs/${runId}/raw`, hub.token())
    if (!body.equals(story.stdout)) blame('other bytes in the hub')
    const {run} = await requestJson(hub, `/api/runs/${runId}`)
    const stored = await readMessages(hub, runId)
    messages += stored.count
    if (stored.hole !== undefined) blame(stored.hole)
    if (stored.count !== (counts.get(story.name) ?? stored.count)) {
      blame(`${stored.count} messages, and before ${counts.get(story.name)}`)
    }
    counts.set(story.name, stored.count)
    const seen = clients.map((client) => client.runs[runId])
    const verdicts = [readVerdict(folder), run.verdict, ...seen.map((each) => each?.verdict)]
    for (const verdict of verdicts) {
      if (verdict !== story.verdict) blame(`${verdict} instead of ${story.verdict}`)
    }
    for (const each of seen) {
      if (each?.seq !== stored.count) blame(`a client got ${each?.seq} of ${stored.count} messages`)
      else if (each.digest !== stored.digest) blame('a client got other messages than are stored')
    }
  }
  const {total} = await requestJson(hub, '/api/runs?limit=1')
  if (total !== runs.length) problems.push(`the hub has ${total} of ${runs.length} runs`)
  for (const client of clients) {
    const count = Object.keys(client.runs).length
    if (count !== runs.length) problems.push(`a client saw ${count} of ${runs.length} runs`)
    if (client.messages !== messages) {
      problems.push(`a client got ${client.messages} of ${messages} messages`)
    }
    if (!client.isOpen) problems.push('a client lost its connection')
  }
  return {problems, messages}
}

/** @param {HubProcess} hub @param {string} runId */
async function readMessages(hub, runId) {
  const hash = createHash('sha256')
  let count = 0
  /** @type {string | undefined} */
  let hole
  for (let isEnd = false; !isEnd;) {
    const page = await requestJson(hub, `/api/runs/${runId}/events?since=${count}&limit=${PAGE}`)
    for (const event of page.events) {
      if (event.seq !== count + 1) hole ??= `stored ${event.seq} after ${count}`
      count++
      hash.update(JSON.stringify(event))
    }
    isEnd = page.isEnd || page.events.length === 0
  }
  return {count, hole, digest: hash.digest('hex')}
}

/** @param {string} folder */
function readVerdict(folder) {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).result?.verdict
}
