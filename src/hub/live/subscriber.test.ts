import {setImmediate} from 'node:timers/promises'
import {expect, test} from 'vitest'
import {createBus} from './bus.ts'
import type {Store} from '../index/store.ts'
import {createSubscriber} from './subscriber.ts'
import {createSemaphore} from '../semaphore.ts'

const PAGES = 3

test('loads one page at a time per client, and few for all clients', async () => {
  let loading = 0
  const maxLoading = {client: 0, all: 0}
  const limitLoading = createSemaphore(2)
  const subscribe = async () => {
    let loadingHere = 0
    const store = {
      async listMessages(_runId: string, {since}: {since: number}) {
        maxLoading.client = Math.max(maxLoading.client, ++loadingHere)
        maxLoading.all = Math.max(maxLoading.all, ++loading)
        await setImmediate()
        loadingHere--
        loading--
        const messages = [{seq: since + 1, type: 'agent_output', json: '{}'}]
        return {messages, isEnd: since + 1 >= PAGES}
      },
      getRun: async () => null,
    } as unknown as Store
    const sent: number[] = []
    const subscriber = createSubscriber({
      store,
      bus: createBus(),
      sink: {send: ({seq}) => sent.push(seq), buffered: 0},
      mayAnswer: false,
      limitLoading,
    })
    const runs = ['a', 'b', 'c', 'd']
    await Promise.all(runs.map((runId) => subscriber.subscribe({runId, since: 0})))
    subscriber.close()
    return sent
  }
  const sent = await Promise.all([subscribe(), subscribe(), subscribe()])
  expect(maxLoading).toEqual({client: 1, all: 2})
  for (const seqs of sent) {
    expect(seqs.toSorted((one, other) => one - other)).toEqual([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3])
  }
})

test('loads nothing for a client that does not read', async () => {
  let loaded = 0
  const store = {
    async listMessages() {
      loaded++
      return {messages: [], isEnd: true}
    },
    getRun: async () => null,
  } as unknown as Store
  const subscriber = createSubscriber({
    store,
    bus: createBus(),
    sink: {send: () => {}, buffered: 3_000_000},
    mayAnswer: false,
    limitLoading: createSemaphore(1),
  })
  const replaying = subscriber.subscribe({runId: 'a', since: 0})
  await setImmediate()
  subscriber.close()
  await replaying
  expect(loaded).toBe(0)
})
