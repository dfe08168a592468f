// Load: many connections, many runs, expensive queries.

import {connect} from 'node:net'
import {encodeFrames} from '../../dist/hub/ingest/protocol.js'
import {countOpenFiles, readCpuSeconds} from '../../test/support/process-stats.js'
import {get, sleep, waitUntilIndexed} from './hub.js'
import {createOutput, writeRecording} from './recordings.js'
import {createRemoteRecord} from './runner.js'
import {openSocket} from './sockets.js'

/** @typedef {import('./cases.js').Case} Case */

/** @type {Case[]} */
export const loadCases = [
  {
    name: 'connections',
    tried: '10,000 idle connections without a token, then 20 requests of the owner',
    maxGrowthMb: 100,
    async run({hub}) {
      const sockets = Array.from({length: 10_000}, () => {
        const socket = connect(hub.port, '127.0.0.1')
        socket.on('error', () => {})
        return socket
      })
      await sleep(3000)
      let answered = 0
      for (let count = 0; count < 20; count++) answered += await countResponse(hub)
      for (const socket of sockets) socket.destroy()
      return answered === 20 ? [] : [`the owner received ${answered} of 20 responses`]
    },
  },
  {
    name: 'refused-requests',
    tried: '6,000 requests without a token in a few seconds, 60 requests of the owner among them',
    async run({hub}) {
      let answered = 0
      for (let round = 0; round < 60; round++) {
        const refused = Array.from({length: 100}, () => fetch(`${hub.url}/api/runs`))
        answered += await countResponse(hub)
        for (const response of await Promise.all(refused)) await response.body?.cancel()
      }
      return answered === 60 ? [] : [`the owner received ${answered} of 60 responses`]
    },
  },
  {
    name: 'records-lines',
    tried: '20 × /records with the same line 999 times, half of them abandoned; 1,000 spread lines',
    maxStallMs: 1000,
    prepare: (dataDir) => writeRecording(dataDir, 'lines', {stdout: createOutput(30_000, 100)}),
    async run({hub, note}) {
      await waitUntilIndexed(hub)
      const before = readCpuSeconds(hub.pid)
      const same = `/api/runs/lines/records?lines=${Array(999).fill('3001').join(',')}`
      await Promise.all(
        Array.from({length: 20}, async (_, at) => {
          const signal = at % 2 === 0 ? undefined : AbortSignal.timeout(300)
          const headers = {authorization: `Bearer ${hub.tokens.view}`}
          await fetch(hub.url + same, {headers, ...(signal && {signal})}).then(
            (response) => response.arrayBuffer(),
            () => {},
          )
        }),
      )
      const spread = Array.from({length: 1000}, (_, at) => at * 30 + 1).join(',')
      const response = await get(hub, `/api/runs/lines/records?lines=${spread}`)
      const {records} = /** @type {{records: unknown[]}} */ (await response.json())
      const seconds = readCpuSeconds(hub.pid) - before
      note(`${seconds.toFixed(1)} CPU seconds`)
      const problems = records.length === 1000 ? [] : [`received ${records.length} of 1,000 lines`]
      return seconds < 15 ? problems : [...problems, 'more than 15 CPU seconds']
    },
  },
  {
    name: 'search-types',
    tried: '/api/search and /events with 7,000 commas in types',
    async run({hub}) {
      const types = ','.repeat(7000)
      const paths = [`/api/search?q=word&types=${types}`, `/api/runs/a/events?types=${types}`]
      const statuses = await Promise.all(paths.map(async (path) => (await get(hub, path)).status))
      return statuses.every((status) => status === 400) ? [] : [`returned ${statuses.join(', ')}`]
    },
  },
  {
    name: 'same-id',
    tried: '1,000 offers of runs with the same id, then a real run with that id',
    maxStallMs: 1000,
    async run({hub}) {
      const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
      for (let key = 1; key <= 1000; key++) {
        runner.send({
          type: 'offer',
          key,
          record: createRemoteRecord('nightly', {marker: `marker-${key}`}),
        })
      }
      if ((await runner.receives(({key}) => key === 1000, 60_000)) === undefined) {
        return ['1,000 offers got no reply within 60 s']
      }
      const other = await openSocket(hub, '/ingest', hub.tokens.ingest)
      other.send({
        type: 'offer',
        key: 1,
        record: createRemoteRecord('nightly', {marker: 'the-real-one'}),
      })
      const {type} = (await other.receives(() => true)) ?? {}
      runner.socket.terminate()
      other.socket.terminate()
      return type === 'have' ? [] : [`the reply to the real run was ${type}`]
    },
  },
  {
    name: 'offers',
    tried: 'offers as fast as possible on 4 connections for 8 s',
    maxStallMs: 1000,
    maxGrowthMb: 200,
    async run({hub, note}) {
      let sent = 0
      const endsAt = performance.now() + 8000
      const flood = async (/** @type {number} */ connection) => {
        const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
        for (let key = 1; performance.now() < endsAt; key++) {
          const runId = `flood-${connection}-${key % 500}`
          runner.send({type: 'offer', key: key % 900, record: createRemoteRecord(runId)})
          sent++
          if (key % 200 === 0) await sleep(5)
          while (runner.socket.bufferedAmount > 1_000_000 && performance.now() < endsAt) {
            await sleep(20)
          }
        }
        runner.socket.terminate()
      }
      await Promise.all([0, 1, 2, 3].map(flood))
      note(`${sent} offers sent`)
      return []
    },
  },
  {
    name: 'descriptors',
    tried: 'ulimit -n 1024, one runner with 900 live runs that all write',
    maxFiles: 1024,
    async run({hub, note}) {
      const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
      for (let key = 1; key <= 900; key++) {
        runner.send({type: 'offer', key, record: createRemoteRecord(`live-${key}`)})
      }
      if ((await runner.receives(({key}) => key === 900, 60_000)) === undefined) {
        return ['900 offers got no reply within 60 s']
      }
      const bytes = Buffer.from(createOutput(1, 100))
      const timing = Buffer.from(`${JSON.stringify([Date.now(), 'out', bytes.length])}\n`)
      let files = 0
      for (let key = 1; key <= 900; key++) {
        const output = {key, file: /** @type {const} */ ('out'), offset: 0, bytes}
        const times = {key, file: /** @type {const} */ ('timing'), offset: 0, bytes: timing}
        runner.socket.send(encodeFrames([output, times]))
        if (key % 50 === 0) {
          await sleep(50)
          files = Math.max(files, countOpenFiles(hub.pid))
        }
      }
      await sleep(1000)
      files = Math.max(files, countOpenFiles(hub.pid))
      note(`${files} descriptors`)
      const answered = await countResponse(hub)
      runner.socket.terminate()
      const problems = answered === 1 ? [] : ['the owner received no response']
      return files < 400 ? problems : [...problems, `${files} descriptors are open`]
    },
  },
  {
    name: 'idle',
    tried: '20,000 recordings, 60 s of idle time after all are indexed',
    maxGrowthMb: 200,
    maxStallMs: 5000,
    prepare(dataDir) {
      for (let count = 0; count < 20_000; count++) writeRecording(dataDir, `run-${count}`)
    },
    async run({hub, note}) {
      await waitUntilIndexed(hub)
      // Stops the requests that measure latency, so that only the hub itself uses CPU time.
      await hub.measure()
      await sleep(5000)
      const before = readCpuSeconds(hub.pid)
      await sleep(60_000)
      const percent = ((readCpuSeconds(hub.pid) - before) / 60) * 100
      note(`${percent.toFixed(2)} % CPU`)
      return percent <= 0.5 ? [] : [`${percent.toFixed(2)} % CPU when idle, expected at most 0.5 %`]
    },
  },
  {
    name: 'orphans',
    tried: '1,000 recordings whose supervisor no longer exists',
    maxStallMs: 250,
    maxGrowthMb: 150,
    prepare(dataDir) {
      const stdout = createOutput(5, 200)
      for (let count = 0; count < 1000; count++) {
        writeRecording(dataDir, `orphan-${count}`, {stdout, isOver: false})
      }
    },
    async run({hub, note}) {
      const startedAt = performance.now()
      for (;;) {
        const response = await get(hub, '/api/runs?state=live&limit=1')
        const {total} = /** @type {{total: number}} */ (await response.json())
        const seconds = (performance.now() - startedAt) / 1000
        if (total === 0) {
          note(`all have verdicts after ${seconds.toFixed(0)} s`)
          return []
        }
        if (seconds > 70) return [`${total} of 1,000 have no verdict after 70 s`]
        await sleep(500)
      }
    },
  },
]

/**
 * Sends a request as the owner; returns 1 for a successful response, else 0.
 *
 * @param {import('./hub.js').AttackedHub} hub
 */
async function countResponse(hub) {
  try {
    const response = await get(hub, '/api/runs?limit=1')
    await response.body?.cancel()
    return response.ok ? 1 : 0
  } catch {
    return 0
  }
}
