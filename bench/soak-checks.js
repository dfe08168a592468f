// Checks after a soak test: every byte, every message and every verdict.

import {createHash} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {request, requestJson} from './hub-process.js'

/** @import {HubProcess} from './hub-process.js' */
/** @import {ClientReport} from './soak-clients.js' */
/** @import {Story} from './soak-stories.js' */

/**
 * A run that has ended, with the end of its stderr.
 *
 * @typedef {{runId: string, story: Story, dataDir: string, exitCode: number | null, errors: string}} DoneRun
 */

const PAGE_SIZE = 5000
/** @type {Record<string, number>} */
const EXIT_CODES = {succeeded: 0, failed: 1, truncated: 1, stopped: 130}

/**
 * Compares the recordings, the hub and the messages of the clients with the stories that were replayed.
 *
 * @param {HubProcess} hub
 * @param {readonly DoneRun[]} runs
 * @param {readonly ClientReport[]} clients
 * @returns {Promise<{problems: string[], messages: number}>}
 */
export async function checkRuns(hub, runs, clients) {
  /** @type {string[]} */
  const problems = []
  /** Messages per story: all of its runs must have the same number. @type {Map<string, number>} */
  const counts = new Map()
  let messages = 0
  for (const {runId, story, dataDir, exitCode, errors} of runs) {
    const report = (/** @type {string} */ problem) =>
      problems.push(`${runId} (${story.name}): ${problem}`)
    if (exitCode !== EXIT_CODES[story.verdict]) report(`exit code ${exitCode}: ${errors}`)
    const folder = join(dataDir, 'runs', runId)
    if (!readFileSync(join(folder, 'stdout')).equals(story.stdout)) report('the recording differs')
    const {body} = await request(`${hub.url}/api/runs/${runId}/raw`, hub.token())
    if (!body.equals(story.stdout)) report('the bytes in the hub differ')
    const {run} = await requestJson(hub, `/api/runs/${runId}`)
    const stored = await readMessages(hub, runId)
    messages += stored.count
    if (stored.gap !== undefined) report(stored.gap)
    if (stored.count !== (counts.get(story.name) ?? stored.count)) {
      report(`${stored.count} messages, but ${counts.get(story.name)} in an earlier run`)
    }
    counts.set(story.name, stored.count)
    const seen = clients.map((client) => client.runs[runId])
    const verdicts = [readVerdict(folder), run.verdict, ...seen.map((each) => each?.verdict)]
    for (const verdict of verdicts) {
      if (verdict !== story.verdict) report(`${verdict} instead of ${story.verdict}`)
    }
    for (const each of seen) {
      if (each?.seq !== stored.count) {
        report(`a client received ${each?.seq} of ${stored.count} messages`)
      } else if (each.digest !== stored.digest) {
        report('the messages of a client differ from the stored ones')
      }
    }
  }
  const {total} = await requestJson(hub, '/api/runs?limit=1')
  if (total !== runs.length) problems.push(`the hub has ${total} of ${runs.length} runs`)
  for (const client of clients) {
    const count = Object.keys(client.runs).length
    if (count !== runs.length) problems.push(`a client received ${count} of ${runs.length} runs`)
    if (client.messages !== messages) {
      problems.push(`a client received ${client.messages} of ${messages} messages`)
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
  let gap
  for (let isEnd = false; !isEnd;) {
    const page = await requestJson(
      hub,
      `/api/runs/${runId}/events?since=${count}&limit=${PAGE_SIZE}`,
    )
    for (const event of page.events) {
      if (event.seq !== count + 1) gap ??= `stored ${event.seq} after ${count}`
      count++
      hash.update(JSON.stringify(event))
    }
    isEnd = page.isEnd || page.events.length === 0
  }
  return {count, gap, digest: hash.digest('hex')}
}

/** @param {string} folder */
function readVerdict(folder) {
  return JSON.parse(readFileSync(join(folder, 'run.json'), 'utf8')).result?.verdict
}
