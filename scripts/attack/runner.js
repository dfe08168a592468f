// A runner that hands in a run over /ingest.

import {encodeFrames} from '../../dist/hub/ingest/protocol.js'
import {recordOf} from './recordings.js'
import {openSocket} from './sockets.js'

/** @typedef {import('./hub.js').AttackedHub} AttackedHub */

/**
 * Hands in a run, from wherever the hub left off.
 *
 * @param {AttackedHub} hub
 * @param {string} runId
 * @param {{bytes: Buffer, chunkSize?: number, more?: object, isOver?: boolean}} options
 * @returns {Promise<boolean>} whether the hub has all of it; false when it is gone
 */
export async function handIn(hub, runId, {bytes, chunkSize = bytes.length, more, isOver = true}) {
  const startedAt = 1_750_000_000_000
  const record = recordOf(runId, {startedAt, ...more})
  const timing = Buffer.from(toTiming(bytes.length, chunkSize, startedAt))
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
    const result = {verdict: 'succeeded', reason: 'ok', costUsd: 0, durationMs: 1000, startedAt}
    const last = {...record, endedAt: startedAt + 1000, sizes, result}
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
 * @param {number} startedAt
 */
function toTiming(size, chunkSize, startedAt) {
  let text = ''
  for (let end = chunkSize; end < size + chunkSize; end += chunkSize) {
    text += `${JSON.stringify([startedAt + 500, 'out', Math.min(end, size)])}\n`
  }
  return text
}
