import {mkdirSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {assistantText, init, result, toStream} from '../../test/fake-agents/lines.js'
import {createRunRecord, createRunResult} from '../../test/support/run-record.js'

/**
 * Writes the recording of a run that has ended, or of one whose supervisor no longer exists.
 *
 * @param {string} dataDir
 * @param {string} runId
 * @param {{stdout?: string | Buffer, isOver?: boolean}} [options]
 */
export function writeRecording(dataDir, runId, {stdout = '', isOver = true} = {}) {
  const dir = join(dataDir, 'runs', runId)
  const bytes = Buffer.from(stdout)
  const record = createRunRecord(runId)
  const {startedAt} = record
  const durationMs = 1000
  const end = {
    endedAt: startedAt + durationMs,
    sizes: {stdout: bytes.length, stderr: 0},
    result: createRunResult(runId, {durationMs}),
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
 * The output of an agent that prints many messages.
 *
 * @param {number} count
 * @param {number} length The length of each message in characters.
 */
export function createOutput(count, length) {
  const messages = Array.from({length: count}, (_, at) =>
    assistantText(`${at} ${'word '.repeat(length / 5)}`),
  )
  return toStream([init(), ...messages, result('done')])
}
