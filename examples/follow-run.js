// Follows a run to its end and prints each message once, also after lost connections and gaps:
//
//   VITRINE_TOKEN=$(vitrine token) node examples/follow-run.js http://127.0.0.1:4310 7f3a

import {WebSocket} from 'ws'

const [url = 'http://127.0.0.1:4310', runId = ''] = process.argv.slice(2)
const headers = {authorization: `Bearer ${process.env['VITRINE_TOKEN']}`}
let lastSeq = 0
let asked = 0
let isOver = false

function connect() {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws`, {headers})
  let isCurrent = false
  const subscribe = () => {
    isCurrent = false
    socket.send(JSON.stringify({type: 'subscribe', runId, since: lastSeq, ref: `${++asked}`}))
  }
  socket.on('open', subscribe)
  socket.on('message', (data) => {
    const message = JSON.parse(String(data))
    // Messages before the reply to the last subscription belong to the previous one.
    if (message.type === 'subscribed') isCurrent = message.ref === `${asked}`
    else if (isCurrent && message.type === 'gap') subscribe()
    else if (isCurrent && message.seq > lastSeq && !STATE.has(message.type)) show(message)
    if (isOver) socket.close()
  })
  socket.on('error', ({message}) => process.stderr.write(`${message}\n`))
  socket.on('close', () => isOver || setTimeout(connect, 1000))
}

const STATE = new Set(['progress_update', 'run_updated'])

/** @param {{seq: number, type: string, content?: string, name?: string, path?: string, verdict?: string}} message */
function show({seq, type, content, name, path, verdict}) {
  lastSeq = seq
  process.stdout.write(`${seq} ${type} ${content ?? name ?? path ?? verdict ?? ''}\n`)
  isOver = type === 'run_ended'
}

connect()
