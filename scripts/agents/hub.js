// A hub in its own process, and a client that receives the messages of all runs.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {WebSocket} from 'ws'

/** @typedef {{type: string, runId: string, seq: number, requestId?: string, success?: boolean, path?: string, action?: string, content?: string, verdict?: string}} Message */

/** The CLI. */
export const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** @typedef {Awaited<ReturnType<typeof startHub>>} Hub */

/** @param {string} dataDir */
export async function startHub(dataDir) {
  const args = [bin, 'serve', '--port', '0', '--data-dir', dataDir, '--json']
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
  // Ends the hub also when this script fails.
  process.once('exit', () => child.kill())
  const [line] = await once(child.stdout, 'data')
  const {url} = JSON.parse(String(line))
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  const headers = {authorization: `Bearer ${token}`}
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {headers})
  await once(socket, 'open')
  /** @type {Map<string, Message[]>} */
  const received = new Map()
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'error' || message.type === 'gap') process.stderr.write(`${data}\n`)
    if (!isHistory(message)) return
    const messages = received.get(message.runId) ?? []
    received.set(message.runId, [...messages, message])
  })
  const send = (/** @type {object} */ message) => socket.send(JSON.stringify(message))
  return {
    url,
    send,
    /** Subscribes to a run, which may start later. */
    follow: (/** @type {string} */ runId) => send({type: 'subscribe', runId, since: 0}),
    listMessages: (/** @type {string} */ runId) => received.get(runId) ?? [],
    /**
     * Waits for a message of a run.
     *
     * @param {string} runId
     * @param {(message: Message) => boolean} isWanted
     */
    async receives(runId, isWanted) {
      for (;;) {
        const found = received.get(runId)?.find(isWanted)
        if (found !== undefined) return found
        await delay(20)
      }
    },
    /** @param {string} path */
    async get(path) {
      const response = await fetch(url + path, {headers})
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return Buffer.from(await response.arrayBuffer())
    },
    async stop() {
      socket.close()
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Whether a message reports an event, not the current state. @param {{type: string, seq?: number}} message */
function isHistory({type, seq}) {
  return seq !== undefined && type !== 'progress_update' && type !== 'run_updated'
}
