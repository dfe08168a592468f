// A hub as a process of its own, and a client that hears all of every run.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {fileURLToPath} from 'node:url'
import {WebSocket} from 'ws'

/** @typedef {{type: string, runId: string, seq: number, requestId?: string, success?: boolean, path?: string, action?: string, content?: string, verdict?: string}} Message */

/** The program. */
export const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))

/** @typedef {Awaited<ReturnType<typeof startHub>>} Hub */

/** @param {string} dataDir */
export async function startHub(dataDir) {
  const args = [bin, 'serve', '--port', '0', '--data-dir', dataDir, '--json']
  const child = spawn(process.execPath, args, {stdio: ['ignore', 'pipe', 'inherit']})
  // Also when this script fails.
  process.once('exit', () => child.kill())
  const [line] = await once(child.stdout, 'data')
  const {url} = JSON.parse(String(line))
  const token = readFileSync(join(dataDir, 'token'), 'utf8').trim()
  const headers = {authorization: `Bearer ${token}`}
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {headers})
  await once(socket, 'open')
  /** @type {Map<string, Message[]>} */
  const heard = new Map()
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    if (message.type === 'error' || message.type === 'gap') process.stderr.write(`${data}\n`)
    if (!isHistory(message)) return
    const messages = heard.get(message.runId) ?? []
    heard.set(message.runId, [...messages, message])
  })
  const say = (/** @type {object} */ message) => socket.send(JSON.stringify(message))
  return {
    url,
    say,
    /** Follows a run that is yet to begin. */
    follow: (/** @type {string} */ runId) => say({type: 'subscribe', runId, since: 0}),
    messagesOf: (/** @type {string} */ runId) => heard.get(runId) ?? [],
    /**
     * Waits for a message of a run.
     *
     * @param {string} runId
     * @param {(message: Message) => boolean} isWanted
     */
    async hears(runId, isWanted) {
      for (;;) {
        const found = heard.get(runId)?.find(isWanted)
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

/** What happened, without what holds. @param {{type: string, seq?: number}} message */
function isHistory({type, seq}) {
  return seq !== undefined && type !== 'progress_update' && type !== 'run_updated'
}
