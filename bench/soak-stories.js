// Output of the agents in a soak test: the stories of the demo, and one that lasts as long as the test.

import {mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

/**
 * @typedef {object} Story
 * @property {string} name
 * @property {string} agent
 * @property {string} folder Contains `stdout` and `timing.ndjson`.
 * @property {Buffer} stdout
 * @property {number} lines
 * @property {number} durationMs
 * @property {number} exitCode
 * @property {string} verdict The expected verdict of its run.
 */

const recordings = fileURLToPath(new URL('../dist/demo/recordings/', import.meta.url))
const NEWLINE = 10

/** The stories without permission requests, and the verdicts of their runs. @type {Record<string, string>} */
const VERDICTS = {
  'refund-webhook': 'succeeded',
  'date-helpers': 'succeeded',
  'nightly-build': 'succeeded',
  'migration-guide': 'succeeded',
  'dead-code': 'failed',
  'schema-bump': 'failed',
  'auth-audit': 'succeeded',
  'flaky-test': 'succeeded',
  'release-notes': 'stopped',
  'importer-stream': 'failed',
  'issue-summary': 'truncated',
  'importer-tests': 'succeeded',
  environment: 'succeeded',
  'look-and-fetch': 'succeeded',
  'codex-plan': 'succeeded',
  'codex-odd-characters': 'succeeded',
  'server-errors': 'failed',
  'opencode-patch': 'succeeded',
  'copilot-write': 'succeeded',
  'qwen-sub-agent': 'succeeded',
  'lab-server': 'succeeded',
  'usage-limit': 'failed',
  'odd-lines': 'succeeded',
  'not-allowed': 'succeeded',
  recovered: 'succeeded',
  'kimi-edit': 'succeeded',
  'cline-missing-file': 'succeeded',
}

/** @returns {Story[]} */
export function readStories() {
  /** @type {{name: string, agent: string, durationMs: number, exitCode: number | null}[]} */
  const all = JSON.parse(readFileSync(join(recordings, 'stories.json'), 'utf8'))
  return all.flatMap(({name, agent, durationMs, exitCode}) => {
    const verdict = VERDICTS[name]
    if (verdict === undefined) return []
    const folder = join(recordings, name)
    const stdout = readFileSync(join(folder, 'stdout'))
    const lines = countLines(stdout)
    return [{name, agent, folder, stdout, lines, durationMs, exitCode: exitCode ?? 0, verdict}]
  })
}

/**
 * Writes a story that lasts for `minutes`: a story of Claude, repeated as turns of one session with new ids.
 *
 * @param {string} folder
 * @param {{minutes: number, speed: number}} options
 * @returns {Story}
 */
export function writeLongStory(folder, {minutes, speed}) {
  const first = readStories().find(({name}) => name === 'refund-webhook')
  if (first === undefined) throw new Error('The demo has no story refund-webhook')
  const lines = first.stdout.toString().trimEnd().split('\n')
  const times = readTimes(join(first.folder, 'timing.ndjson'))
  const turnMs = first.durationMs / speed
  /** @type {string[]} */
  const printed = []
  /** @type {string[]} */
  const timing = []
  let end = 0
  for (let turn = 0; turn * turnMs < minutes * 60_000; turn++) {
    for (const [at, line] of lines.entries()) {
      const text = `${renameIds(line, turn)}\n`
      const ms = turn * turnMs + ((times[at] ?? 0) - (times[0] ?? 0)) / speed
      // The last turn is complete, because the verdict of truncated output is `truncated`.
      printed.push(text)
      timing.push(
        `[${Math.round((times[0] ?? 0) + ms)},"out",${(end += Buffer.byteLength(text))}]\n`,
      )
    }
  }
  const stdout = Buffer.from(printed.join(''))
  mkdirSync(folder, {recursive: true})
  writeFileSync(join(folder, 'stdout'), stdout)
  writeFileSync(join(folder, 'timing.ndjson'), timing.join(''))
  const durationMs = Math.ceil((minutes * 60_000) / turnMs) * turnMs
  return {...first, name: 'long', folder, stdout, lines: printed.length, durationMs}
}

/** @param {string} line @param {number} turn */
function renameIds(line, turn) {
  return line.replaceAll(/"((?:toolu|msg)_|uuid":")/g, `"$1${turn}x`)
}

/** @param {string} path */
function readTimes(path) {
  return readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => Number(JSON.parse(line)[0]))
}

/** @param {Buffer} bytes */
function countLines(bytes) {
  let count = 0
  for (const byte of bytes) if (byte === NEWLINE) count++
  return count
}
