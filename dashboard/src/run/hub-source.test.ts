import {expect, test} from 'vitest'
import type {ClientMessage} from '../../../src/core/protocol/client-message.ts'
import type {ServerMessage} from '../../../src/core/protocol/server-message.ts'
import type {RunItemsMessage} from '../../../src/replay/run-item.ts'
import {createHubSource} from './hub-source.ts'

/** A view of the run `a`, and a fake hub. */
function createWorld() {
  let receive: (message: ServerMessage) => void = () => {}
  const sent: ClientMessage[] = []
  const source = createHubSource(
    {
      on(listener) {
        receive = listener
        return () => {}
      },
      addSubscription: () => () => {},
      send: (message) => sent.push(message) > 0,
    },
    'a',
  )
  source.open()
  return {source, sent, receive: (message: object) => receive(message as ServerMessage)}
}

const noSuchRun = {type: 'error', code: 'no-such-run', message: 'No.', ref: 'watch a'}
const items: RunItemsMessage = {
  type: 'run_items',
  runId: 'a',
  isCaughtUp: true,
  bytes: {read: 0, total: 0},
  items: [{type: 'start', n: 1, at: 1, agent: null, title: 'A', cwd: '/', startedAt: 1}],
}

test('a run that is removed is gone, and no other', () => {
  const {source, receive} = createWorld()
  receive({type: 'run_removed', runId: 'b', workOrderId: 'b'})
  expect(source.get().loading.isGone).toBe(undefined)
  let published = 0
  source.subscribe(() => published++)
  receive({type: 'run_removed', runId: 'a', workOrderId: 'a'})
  expect(source.get().loading.isGone).toBe(true)
  expect(published).toBe(1)
})

test('a run that was here and is not known on the next connection is gone', async () => {
  const {source, receive} = createWorld()
  receive(items)
  await expect.poll(() => source.get().snapshot.lastItem).toBe(1)
  receive(noSuchRun)
  expect(source.get().loading.isGone).toBe(true)
})

test('a run that never was here is not gone', () => {
  const {source, receive} = createWorld()
  receive(noSuchRun)
  expect(source.get().loading).toMatchObject({error: 'No.'})
  expect(source.get().loading.isGone).toBe(undefined)
})

test('a run that the hub learns of later is watched then, once', async () => {
  const {source, sent, receive} = createWorld()
  receive({type: 'run_started', runId: 'a'})
  expect(sent).toEqual([])
  receive(noSuchRun)
  receive({type: 'run_started', runId: 'b'})
  expect(sent).toEqual([])
  receive({type: 'run_started', runId: 'a'})
  receive({type: 'run_updated', runId: 'a'})
  expect(sent).toEqual([{type: 'watch_run', runId: 'a', since: 0, ref: 'watch a'}])
  receive(items)
  await expect.poll(() => source.get().snapshot.lastItem).toBe(1)
  expect(source.get().loading.error).toBe(undefined)
})
