// Abuse: unauthorized requests, invalid records, secrets and permission requests for viewers, kill -9.

import {generateKeyPairSync} from 'node:crypto'
import {readFileSync} from 'node:fs'
import {connect} from 'node:net'
import {join} from 'node:path'
import {init, toStream} from '../../test/fake-agents/lines.js'
import {get, sleep, startHub} from './hub.js'
import {createOutput} from './recordings.js'
import {createRemoteRecord, sendRun} from './runner.js'
import {openSocket} from './sockets.js'

/** @typedef {import('./cases.js').Case} Case */
/** @typedef {import('./hub.js').AttackedHub} AttackedHub */

const ROUTES = [
  {method: 'GET', path: '/api/runs', right: 'view'},
  {method: 'GET', path: '/api/runs/a', right: 'view'},
  {method: 'GET', path: '/api/runs/a/events', right: 'view'},
  {method: 'GET', path: '/api/runs/a/records?lines=1', right: 'view'},
  {method: 'GET', path: '/api/runs/a/stream', right: 'view'},
  {method: 'GET', path: '/api/runs/a/raw', right: 'answer'},
  {method: 'GET', path: '/api/search?q=a', right: 'view'},
  {method: 'GET', path: '/api/stats', right: 'view'},
  {method: 'POST', path: '/api/login-links', right: 'answer'},
  {method: 'POST', path: '/api/hooks', right: 'ingest'},
  {method: 'GET', path: '/metrics', right: 'view'},
  {method: 'GET', path: '/assets/a.js', right: 'view'},
]

/** @type {Record<string, string[]>} */
const RIGHTS = {
  none: [],
  wrong: [],
  view: ['view'],
  answer: ['view', 'answer'],
  ingest: ['ingest'],
  main: ['view', 'answer', 'ingest'],
}

/** @type {Case[]} */
export const abuseCases = [
  {
    name: 'roles',
    tried: '6 kinds of callers × 12 routes × 5 methods, and 2 WebSockets',
    async run({hub, note}) {
      /** @type {string[]} */
      const problems = []
      const {tokens} = hub
      const callers = Object.entries({none: undefined, wrong: 'wrong', ...tokens})
      let count = 0
      for (const [caller, token] of callers) {
        const rights = RIGHTS[caller] ?? []
        for (const {method, path, right} of ROUTES) {
          for (const tried of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE']) {
            count++
            const headers = token === undefined ? {} : {authorization: `Bearer ${token}`}
            const response = await fetch(hub.url + path, {method: tried, headers})
            await response.body?.cancel()
            const isMatch = tried === method || (tried === 'HEAD' && method === 'GET')
            const isDenied = [401, 403, 429].includes(response.status)
            const isAllowed = rights.includes(isMatch ? right : 'view')
            if (isAllowed === isDenied || (!isMatch && response.status < 400)) {
              problems.push(`${caller}: ${tried} ${path} returned ${response.status}`)
            }
          }
        }
        for (const [path, right] of [
          ['/ws', 'view'],
          ['/ingest', 'ingest'],
        ]) {
          count++
          const isOpen = await openSocket(hub, String(path), token ?? '').then(
            ({socket}) => (socket.terminate(), true),
            () => false,
          )
          if (isOpen !== rights.includes(String(right))) {
            problems.push(`${caller}: a WebSocket at ${path} was ${isOpen ? 'opened' : 'refused'}`)
          }
        }
      }
      note(`${count} requests`)
      return problems
    },
  },
  {
    name: 'requests',
    tried: 'foreign Host and Origin headers, tokens in URLs, path traversal',
    async run({hub, note}) {
      const own = `Host: 127.0.0.1:${hub.port}`
      const token = `Authorization: Bearer ${hub.tokens.main}`
      const heads = [
        ['Host: evil.test', token],
        [`Host: evil.test:${hub.port}`, token],
        ['Host: 127.0.0.1:1', token],
        [own, own, token],
        [token],
        [own, 'Origin: http://evil.test', token],
        [own, 'Origin: null', token],
        [own, `Origin: http://127.0.0.1:1`, token],
        [own, 'Sec-Fetch-Site: cross-site', token],
        [own, 'Sec-Fetch-Site: same-site', token],
        [own, token, token],
      ]
      const paths = [
        '/..%2f..%2ftoken',
        '/assets/..%2f..%2f..%2ftoken',
        '/assets/%2e%2e/%2e%2e/package.json',
        '/assets/....//token',
        '/api/runs/..%2f..',
        '/api/runs/..%2f..%2ftoken/raw',
        '/api/runs/%2e%2e/raw?file=token',
        '/api/runs/a/raw?file=..%2f..%2ftoken',
        '/api/runs/%00/raw',
        '/../../etc/passwd',
        `/api/runs?token=${hub.tokens.main}`,
      ]
      const tries = [
        ...heads.map((lines) => ({path: '/api/runs', lines})),
        ...paths.map((path) => ({path, lines: [own, token]})),
      ]
      note(`${tries.length} requests`)
      const responses = await Promise.all(
        tries.map(async ({path, lines}) => ({path, lines, text: await sendRaw(hub, path, lines)})),
      )
      return responses
        .filter(({text}) => !/^HTTP\/1\.1 4\d\d/.test(text) || text.includes('root:'))
        .map(({path, lines, text}) => `${path} with ${lines[0]} returned ${text.slice(0, 40)}`)
    },
  },
  {
    name: 'poisoned-records',
    tried: '240 runs with invalid values in their records, then a valid run',
    maxGrowthMb: 150,
    async run({hub}) {
      const values = [1e19, 1e21, 1e300, -1, -1e300, 0.5, '1', null, [], {}]
      const fields = ['startedAt', 'endedAt', 'durationMs', 'costUsd', 'turns', 'toolCount']
      const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
      let key = 0
      for (const field of fields) {
        for (const value of values) {
          for (const place of ['record', 'result', 'live', 'sizes']) {
            const record = createRemoteRecord(`poison-${++key}`)
            runner.send({type: 'offer', key, record})
            const result = {verdict: 'succeeded', reason: 'ok', costUsd: 0, durationMs: 1}
            const live = {at: 1, why: 'x', detail: '', since: 1, isStuck: false, costUsd: 1}
            const ended = {...record, endedAt: 1, sizes: {stdout: 0, stderr: 0}, result, live}
            const part = {record: ended, result, live, sizes: ended.sizes}[place] ?? ended
            Object.assign(part, {[field]: value})
            runner.send({type: 'record', key, version: 1, record: ended})
          }
        }
      }
      await sleep(2000)
      runner.socket.terminate()
      const isStored = await sendRun(hub, 'canary', {bytes: Buffer.from(createOutput(3, 50))})
      if (!isStored) return ['the valid run was not stored']
      return (await waitForEnd(hub, 'canary')) ? [] : ['the valid run was not indexed']
    },
  },
  {
    name: 'large-records',
    tried: '40 offers with a working directory of 15 MB, then the list of runs',
    maxGrowthMb: 500,
    async run({hub}) {
      const runner = await openSocket(hub, '/ingest', hub.tokens.ingest)
      const cwd = `/${'x'.repeat(15_000_000)}`
      for (let key = 1; key <= 40; key++) {
        runner.send({type: 'offer', key, record: createRemoteRecord(`large-${key}`, {cwd})})
        if ((await runner.receives((message) => message.key === key)) === undefined) {
          return [`offer ${key} got no reply`]
        }
      }
      runner.socket.terminate()
      await sleep(1000)
      const response = await get(hub, '/api/runs')
      const {byteLength} = await response.arrayBuffer()
      return byteLength < 1_000_000 ? [] : [`a list of 40 runs has ${byteLength} bytes`]
    },
  },
  {
    name: 'kill',
    tried: '8 × kill -9 of the hub while it receives a run of 2 MB, then the rest of the run',
    async run({bin, note}) {
      const bytes = Buffer.from(createOutput(2000, 1000))
      let hub = await startHub({bin})
      let kills = 0
      /** @type {string[]} */
      const problems = []
      try {
        for (let round = 0; round < 8; round++) {
          const runId = `killed-${round}`
          const sending = sendRun(hub, runId, {bytes, chunkSize: 2000}).catch(() => false)
          await sleep(5 + round * 15)
          await hub.kill()
          if (!(await sending)) kills++
          hub = await startHub({bin, dataDir: hub.dataDir})
          if (await sendRun(hub, runId, {bytes, chunkSize: 2000})) {
            problems.push(...(await checkRun(hub, runId, bytes)))
          } else problems.push(`the rest of ${runId} was not stored`)
        }
        note(`${kills} kills before the end`)
        return problems
      } finally {
        await hub.close()
      }
    },
  },
  {
    name: 'secrets',
    tried: 'a private key line by line and a token in deltas of 5 characters, read by a viewer',
    async run({hub}) {
      const {privateKey} = generateKeyPairSync('rsa', {modulusLength: 2048})
      const pem = String(privateKey.export({type: 'pkcs8', format: 'pem'}))
      const lines = pem.trim().split('\n').slice(1, -1)
      const bytes = Buffer.from(pem)
      await sendRun(hub, 'key', {bytes, chunkSize: 65, changes: {agent: null}})
      const secret = `ghp_${'aB3dE6gH9jK2mN5pQ8sT1vW4yZ7bC0'}123456`
      const deltas = secret.match(/.{1,5}/g) ?? []
      await sendRun(hub, 'token', {bytes: Buffer.from(toDeltaStream(deltas))})
      if (!((await waitForEnd(hub, 'key')) && (await waitForEnd(hub, 'token')))) {
        return ['not indexed after 20 s']
      }
      const seen = await readAsViewer(hub, ['key', 'token'])
      const leaked = lines.filter((line) => seen.includes(line)).length
      const shown = deltas.filter(
        (delta) => delta.length === 5 && seen.includes(`"${delta}"`),
      ).length
      return [
        ...(leaked === 0
          ? []
          : [`a viewer read ${leaked} of ${lines.length} lines of a private key`]),
        ...(shown === 0 ? [] : [`a viewer read ${shown} of ${deltas.length} deltas of a token`]),
      ]
    },
  },
  {
    name: 'permissions',
    tried: 'a live run with a permission request, read by a viewer',
    async run({hub}) {
      const command = 'deploy --to production-4711'
      const request = {subtype: 'can_use_tool', tool_name: 'Bash', input: {command}}
      const line = {type: 'control_request', request_id: 'request-4711', request}
      const bytes = Buffer.from(toStream([init(), line]))
      await sendRun(hub, 'asks', {bytes, isOver: false})
      await sleep(1500)
      const seen = await readAsViewer(hub, ['asks'])
      return ['production-4711', 'request-4711']
        .filter((text) => seen.includes(text))
        .map((text) => `a viewer read ${text}`)
    },
  },
]

/**
 * Sends a request with exactly these header lines and returns the response.
 *
 * @param {AttackedHub} hub
 * @param {string} path
 * @param {string[]} lines
 * @returns {Promise<string>}
 */
function sendRaw(hub, path, lines) {
  return new Promise((resolve) => {
    const socket = connect(hub.port, '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
    socket.setTimeout(5000, () => socket.destroy())
    socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\nConnection: close\r\n\r\n`)
  })
}

/**
 * Waits until the hub has indexed the end of a run; false after 20 s.
 *
 * @param {AttackedHub} hub
 * @param {string} runId
 */
async function waitForEnd(hub, runId) {
  for (let tries = 0; tries < 100; tries++) {
    const response = await get(hub, `/api/runs/${runId}/events?types=run_ended`)
    const {events = []} = /** @type {{events?: unknown[]}} */ (await response.json())
    if (events.length > 0) return true
    await sleep(200)
  }
  return false
}

/**
 * Checks that the bytes of a run are stored completely, and its messages without gaps.
 *
 * @param {AttackedHub} hub
 * @param {string} runId
 * @param {Buffer} bytes
 */
async function checkRun(hub, runId, bytes) {
  const stored = readFileSync(join(hub.dataDir, 'runs', runId, 'stdout'))
  if (!stored.equals(bytes)) return [`the bytes of ${runId} differ`]
  if (!(await waitForEnd(hub, runId))) return [`${runId} was not indexed to its end`]
  const response = await get(hub, `/api/runs/${runId}/events?limit=5000`)
  const {events} = /** @type {{events: {seq: number}[]}} */ (await response.json())
  const isComplete = events.length >= 2000 && events.every(({seq}, at) => seq === at + 1)
  return isComplete ? [] : [`${runId} has ${events.length} messages, or gaps in their numbers`]
}

/**
 * Everything that a viewer can read about runs, as one text.
 *
 * @param {AttackedHub} hub
 * @param {string[]} runIds
 */
async function readAsViewer(hub, runIds) {
  const client = await openSocket(hub, '/ws', hub.tokens.view)
  let text = ''
  for (const runId of runIds) {
    client.send({type: 'watch_run', runId})
    client.send({type: 'subscribe', runId, since: 0})
    for (const path of ['', '/events', '/records?lines=1-100']) {
      text += await (await get(hub, `/api/runs/${runId}${path}`, hub.tokens.view)).text()
    }
  }
  text += await (await get(hub, '/api/runs', hub.tokens.view)).text()
  await sleep(1500)
  client.socket.terminate()
  // JSON in JSON escapes its quotes.
  return (text + JSON.stringify(client.received)).replaceAll('\\', '')
}

/** @param {string[]} deltas */
function toDeltaStream(deltas) {
  const wrap = (/** @type {object} */ event) => ({
    type: 'stream_event',
    event,
    session_id: 's',
    parent_tool_use_id: null,
    uuid: 'u',
  })
  return toStream([
    init(),
    wrap({type: 'message_start', message: {id: 'msg_1', role: 'assistant', content: []}}),
    wrap({type: 'content_block_start', index: 0, content_block: {type: 'text', text: ''}}),
    ...deltas.map((text) =>
      wrap({type: 'content_block_delta', index: 0, delta: {type: 'text_delta', text}}),
    ),
    wrap({type: 'content_block_stop', index: 0}),
    wrap({type: 'message_stop'}),
  ])
}
