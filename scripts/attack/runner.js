import {encodeFrames} from '../../dist/hub/ingest/protocol.js'
import {createRunRecord, createRunResult} from '../../test/support/run-record.js'
import {openSocket} from './sockets.js'

/** @typedef {import('./hub.js').AttackedHub} AttackedHub */

/** A resumed run has to send the same times again. */
const STARTED_AT = 1_700_000_000_000

/**
 * The record of a run on another machine.
 *
 * @param {string} runId
 * @param {object} [changes] Fields that differ from the defaults.
 */
export function createRemoteRecord(runId, changes = {}) {
  return createRunRecord(runId, {startedAt: Date.now(), host: 'elsewhere', ...changes})
}

/**
 * Sends a run over /ingest, starting at the offset that the hub already has.
 *
 * @param {AttackedHub} hub
 * @param {string} runId
 * @param {{bytes: Buffer, chunkSize?: number, changes?: object, isOver?: boolean}} options
 * @returns {Promise<boolean>} Whether the hub has stored everything; false when it closed the connection.
 */
export async function sendRun(hub, runId, options) {
  const {bytes, chunkSize = bytes.length, changes, isOver = true} = options
  const record = createRemoteRecord(runId, {startedAt: STARTED_AT, ...changes})
  const timing = Buffer.from(toTiming(bytes.length, chunkSize))
  const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
  const closed = new Promise((resolve) => runner.socket.once('close', () => resolve(undefined)))
  runner.send({type: 'offer', key: 1, record})
  const have = await Promise.race([runner.receives(({type}) => type === 'have'), closed])
  if (have === undefined) return false
  const {out, timing: timed} = have.offsets
  for (let at = out; at < bytes.length; at += chunkSize) {
    const chunk = bytes.subarray(at, at + chunkSize)
    runner.socket.send(encodeFrames([{key: 1, file: 'out', offset: at, bytes: chunk}]))
    await new Promise((resolve) => setImmediate(resolve))
  }
  const rest = timing.subarray(timed)
  runner.socket.send(encodeFrames([{key: 1, file: 'timing', offset: timed, bytes: rest}]))
  if (isOver) {
    const sizes = {stdout: bytes.length, stderr: 0}
    const result = createRunResult(runId, {startedAt: STARTED_AT, durationMs: 1000})
    const last = {...record, endedAt: STARTED_AT + 1000, sizes, result}
    runner.send({type: 'record', key: 1, version: 1, record: last})
  }
  const done = await Promise.race([
    runner.receives(
      ({offsets, version}) => offsets?.out === bytes.length && version === Number(isOver),
    ),
    closed,
  ])
  if (isOver) runner.socket.terminate()
  return done !== undefined
}

/**
 * @param {number} size
 * @param {number} chunkSize
 */
function toTiming(size, chunkSize) {
  let text = ''
  for (let end = chunkSize; end < size + chunkSize; end += chunkSize) {
    text += `${JSON.stringify([STARTED_AT + 500, 'out', Math.min(end, size)])}\n`
  }
  return text
}
