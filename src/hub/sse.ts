import type {ServerResponse} from 'node:http'
import type {SubscribeFilter} from '../core/index.ts'
import type {Bus} from './bus.ts'
import {securityHeaders} from './security-headers.ts'
import type {Store} from './store.ts'
import {createSubscriber, type Sink} from './subscriber.ts'
import type {Rights} from './tokens.ts'

/** What a stream is made of. */
export interface StreamOptions {
  runId: string
  /** The last message that was seen. */
  since: number
  store: Store
  bus: Bus
  rights: Rights
  params: URLSearchParams
}

const HEARTBEAT_MS = 15_000
const FLAGS = [
  'includeToolCalls',
  'includeToolResults',
  'includeOutput',
  'includeFileChanges',
  'includeProgress',
] as const satisfies (keyof SubscribeFilter)[]

/**
 * Sends the messages of a run as server-sent events, from the first one unless another was seen last, until the run is
 * over.
 */
export async function sendStream(
  response: ServerResponse,
  {runId, since, store, bus, rights, params}: StreamOptions,
): Promise<void> {
  const row = await store.getRun(runId)
  if (row?.isComplete === true && since >= row.lastSeq) {
    // By this a browser knows not to come again.
    response.writeHead(204, securityHeaders('api')).end()
    return
  }
  response.writeHead(200, {
    ...securityHeaders('api'),
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  response.flushHeaders()
  const filter = Object.fromEntries(FLAGS.map((flag) => [flag, params.get(flag) !== 'false']))
  let isOver = false
  const sink: Sink = {
    send({data, seq, type}) {
      // Who missed something comes again with the number of what it had, and gets it, or learns that the run is gone.
      const isLast = type === 'gap' || type === 'run_removed'
      response.write(`${isLast ? '' : `id: ${seq}\n`}event: ${type}\ndata: `)
      response.write(data)
      response.write('\n\n')
      if (type === 'run_ended') isOver = true
      // What holds at the end comes right after it.
      if (isLast || (isOver && type === 'run_updated')) response.end()
    },
    get buffered() {
      return response.writableLength
    },
  }
  const subscriber = createSubscriber({store, bus, sink, mayAnswer: rights.answer})
  const timer = setInterval(() => response.write(':\n\n'), HEARTBEAT_MS).unref()
  response.on('close', () => {
    clearInterval(timer)
    subscriber.close()
  })
  response.on('error', () => {})
  await subscriber.subscribe({runId, since, ...filter})
}
