import type {IncomingMessage, ServerResponse} from 'node:http'
import type {SubscribeFilter} from '../core/index.ts'
import type {Bus} from './bus.ts'
import {securityHeaders} from './security-headers.ts'
import type {Store} from './store.ts'
import {createSubscriber, type Sink} from './subscriber.ts'
import type {Rights} from './tokens.ts'

/** What a stream is made of. */
export interface StreamOptions {
  runId: string
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
  request: IncomingMessage,
  response: ServerResponse,
  {runId, store, bus, rights, params}: StreamOptions,
): Promise<void> {
  const since = readCount(request.headers['last-event-id'] ?? params.get('since'))
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
    send(data, {seq, type}) {
      response.write(`id: ${seq}\nevent: ${type}\ndata: `)
      response.write(data)
      response.write('\n\n')
      if (type === 'run_ended') isOver = true
      // What holds at the end comes right after it.
      if (isOver && (type === 'run_updated' || type === 'gap')) response.end()
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

function readCount(text: string | string[] | null): number {
  const count = Number(text ?? 0)
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}
