// Recordings that attacks work with.

import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {assistantText, init, result, toStream} from '../../test/fake-agents/lines.js'

/**
 * The record of a run, as a runner on another machine sends it.
 *
 * @param {string} runId
 * @param {object} [more]
 */
export function recordOf(runId, more = {}) {
  return {
    version: 1,
    runId,
    argv: ['claude', '-p', 'x'],
    ranArgv: ['claude', '-p', 'x'],
    cwd: '/home/dev',
    agent: 'claude',
    prompt: 'Fix the tests',
    startedAt: Date.now(),
    marker: `marker-of-${runId}`,
    supervisor: {pid: 2 ** 30, startTime: '1'},
    host: 'elsewhere',
    ...more,
  }
}

const RESULT = {verdict: 'succeeded', reason: 'done', costUsd: 0, durationMs: 1000}

/**
 * Writes the recording of a run that has ended, or of one whose supervisor is gone.
 *
 * @param {string} dataDir
 * @param {string} runId
 * @param {{stdout?: string | Buffer, isOver?: boolean, more?: object}} [options]
 */
export function writeRecording(dataDir, runId, {stdout = '', isOver = true, more} = {}) {
  const dir = join(dataDir, 'runs', runId)
  const startedAt = 1_750_000_000_000
  const bytes = Buffer.from(stdout)
  const record = recordOf(runId, {startedAt, host: undefined, ...more})
  const end = {
    endedAt: startedAt + 1000,
    sizes: {stdout: bytes.length, stderr: 0},
    result: {...RESULT, startedAt},
  }
  mkdirSync(dir, {recursive: true})
  writeFileSync(join(dir, 'stdout'), bytes)
  if (bytes.length > 0) {
    writeFileSync(
      join(dir, 'timing.ndjson'),
      `${JSON.stringify([startedAt + 500, 'out', bytes.length])}\n`,
    )
  }
  writeFileSync(join(dir, 'run.json'), JSON.stringify(isOver ? {...record, ...end} : record))
}

/**
 * Output of an agent with many messages.
 *
 * @param {number} count
 * @param {number} length of each in characters
 */
export function manyMessages(count, length) {
  const messages = Array.from({length: count}, (_, at) =>
    assistantText(`${at} ${'word '.repeat(length / 5)}`),
  )
  return toStream([init(), ...messages, result('done')])
}
