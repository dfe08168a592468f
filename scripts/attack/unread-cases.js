// Clients that never read, never finish a message, or only ping.

import {connect} from 'node:net'
import {sleep, waitUntilIndexed} from './hub.js'
import {createOutput, writeRecording} from './recordings.js'
import {createFrame, openUnread} from './sockets.js'

/** @typedef {import('./cases.js').Case} Case */

/** Ids of runs that are each larger than the buffer of a connection. */
const RUNS = Array.from({length: 16}, (_, at) => `large-${at}`)

/** @param {string} dataDir */
function writeLargeRuns(dataDir) {
  const stdout = createOutput(3000, 1000)
  for (const runId of RUNS) writeRecording(dataDir, runId, {stdout})
}

/** @type {Case[]} */
export const unreadCases = [
  {
    name: 'unread-watch',
    tried: '30 connections × 16 watch_run that never read',
    prepare: writeLargeRuns,
    maxGrowthMb: 150,
    run: ({hub}) => openAndWait(hub, 15_000, (runId) => ({type: 'watch_run', runId})),
  },
  {
    name: 'unread-subscribe',
    tried: '30 connections × 16 subscribe since 0 that never read',
    prepare: writeLargeRuns,
    maxGrowthMb: 150,
    run: ({hub}) => openAndWait(hub, 8000, (runId) => ({type: 'subscribe', runId, since: 0})),
  },
  {
    name: 'unread-stream',
    tried: '100 server-sent event streams that never read',
    prepare: writeLargeRuns,
    // The budget of 64 MiB, and copies of it that are not garbage-collected yet.
    maxGrowthMb: 200,
    async run({hub}) {
      await waitUntilIndexed(hub)
      const sockets = Array.from({length: 100}, (_, at) => {
        const socket = connect(hub.port, '127.0.0.1')
        socket.on('error', () => {})
        socket.pause()
        socket.write(
          `GET /api/runs/${RUNS[at % RUNS.length]}/stream HTTP/1.1\r\nHost: 127.0.0.1:${hub.port}\r\n` +
            `Authorization: Bearer ${hub.tokens.view}\r\n\r\n`,
        )
        return socket
      })
      await sleep(8000)
      for (const socket of sockets) socket.destroy()
      return []
    },
  },
  {
    name: 'pings',
    tried: 'one connection, 10 s of pings without reading the pongs',
    maxGrowthMb: 60,
    async run({hub}) {
      const pings = Buffer.concat(Array.from({length: 5000}, () => createFrame('ping', '')))
      const endsAt = performance.now() + 10_000
      while (performance.now() < endsAt) {
        const socket = await openUnread(hub, '/ws', hub.tokens.view)
        while (!socket.destroyed && performance.now() < endsAt) {
          socket.write(pings)
          await sleep(5)
        }
        socket.destroy()
        await sleep(20)
      }
      return []
    },
  },
  {
    name: 'fragments',
    tried: '40 runners with 15 MiB and 300 clients with 1 MB of a message that never ends',
    maxGrowthMb: 220,
    async run({hub}) {
      const large = createFrame('binary', Buffer.alloc(15 * 1024 * 1024), {isLast: false})
      const small = createFrame('text', Buffer.alloc(1_000_000, ' '), {isLast: false})
      const sockets = []
      for (let count = 0; count < 40; count++) {
        const socket = await openUnread(hub, '/ingest', hub.tokens.ingest)
        socket.write(large)
        sockets.push(socket)
      }
      for (let count = 0; count < 300; count++) {
        const socket = await openUnread(hub, '/ws', hub.tokens.view)
        socket.write(small)
        sockets.push(socket)
      }
      await sleep(3000)
      for (const socket of sockets) socket.destroy()
      return []
    },
  },
]

/**
 * @param {import('./hub.js').AttackedHub} hub
 * @param {number} waitMs
 * @param {(runId: string) => object} toMessage
 */
async function openAndWait(hub, waitMs, toMessage) {
  await waitUntilIndexed(hub)
  const sockets = []
  for (let count = 0; count < 30; count++) {
    const socket = await openUnread(hub, '/ws', hub.tokens.view)
    socket.write(
      Buffer.concat(RUNS.map((runId) => createFrame('text', JSON.stringify(toMessage(runId))))),
    )
    sockets.push(socket)
  }
  await sleep(waitMs)
  for (const socket of sockets) socket.destroy()
  return []
}
