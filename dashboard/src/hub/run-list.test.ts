import {describe, expect, test} from 'vitest'
import {
  createRunEndedEvent,
  createRunStartedEvent,
  createRunUpdatedEvent,
  type ServerMessage,
} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {makeRun} from '../../test/make-run.ts'
import type {HubAnswer, RunPage, RunsQuery} from './api.ts'
import type {Subscription} from './connection.ts'
import {createRunList, type RunFilter} from './run-list.ts'

/** A hub with these runs, the newest first, that answers on request. */
function createWorld(runs: RunSummary[], filter?: RunFilter) {
  const hub = {runs, isDown: false}
  let receive: (message: ServerMessage) => void = () => {}
  let subscription: Subscription | undefined
  let scheduled: (() => void)[] = []
  let answers: (() => void)[] = []
  const list = createRunList({
    connection: {
      on(listener) {
        receive = listener
        return () => void (receive = () => {})
      },
      addSubscription(given) {
        subscription = given
        return () => void (subscription = undefined)
      },
    },
    fetchRuns: (query) =>
      new Promise((resolve) => {
        const answer = hub.isDown ? TROUBLE : pick(hub.runs, query)
        answers.push(() => resolve(answer))
      }),
    schedule: (call) => scheduled.push(call),
    filter,
  })
  return {
    hub,
    list,
    receive: (message: ServerMessage) => receive(message),
    connect: () => subscription?.describe(),
    frame() {
      const calls = scheduled
      scheduled = []
      for (const call of calls) call()
      return calls.length
    },
    async answer() {
      for (const answer of answers) answer()
      answers = []
      await new Promise((resolve) => setTimeout(resolve))
    },
    ids: () => [...list.get().runs.keys()].join(' '),
  }
}

const TROUBLE: HubAnswer<RunPage> = {ok: false, error: {code: 'internal', message: 'No.'}}

function pick(runs: readonly RunSummary[], query: RunsQuery): HubAnswer<RunPage> {
  const {limit = 50, before, state, agent} = query
  const fitting = runs.filter(
    (run) =>
      (state !== 'live' || run.state !== 'over') && (agent === undefined || run.agent === agent),
  )
  const from = Number(before ?? 0)
  const next = from + limit < fitting.length ? String(from + limit) : null
  const page = fitting.slice(from, from + limit)
  return {ok: true, value: {runs: page, total: fitting.length, next, indexing: 0}}
}

function over(runId: string, startedAt: number): RunSummary {
  return makeRun({runId, startedAt, endedAt: startedAt, state: 'over', verdict: 'succeeded'})
}

describe('the list of runs', () => {
  test('starts with the first page and all live runs, and notifies once per batch', async () => {
    const runs = Array.from({length: 300}, (_, index) => over(`r${index}`, 2000 - index))
    const {list, connect, answer, frame, receive} = createWorld([...runs, makeRun({runId: 'live'})])
    expect(list.get().status).toBe('loading')
    connect()
    await answer()
    receive(createRunUpdatedEvent('x', 'x', {run: makeRun({runId: 'x'})}))
    receive(createRunUpdatedEvent('y', 'y', {run: makeRun({runId: 'y'})}))
    let notified = 0
    list.subscribe(() => notified++)
    expect(frame()).toBe(1)
    expect(notified).toBe(1)
    const {status, total, hasMore, runs: known} = list.get()
    expect({status, total, hasMore, size: known.size}).toEqual({
      status: 'ready',
      total: 301,
      hasMore: true,
      size: 203,
    })
    expect(known.has('live')).toBe(true)
  })

  test('loads further pages', async () => {
    const runs = Array.from({length: 1000}, (_, index) => over(`r${index}`, 2000 - index))
    const {list, connect, answer, frame} = createWorld(runs)
    connect()
    await answer()
    list.loadMore()
    list.loadMore()
    await answer()
    frame()
    expect(list.get()).toMatchObject({hasMore: true, isLoadingMore: false, total: 1000})
    expect(list.get().runs.size).toBe(700)
    list.loadMore()
    await answer()
    frame()
    expect(list.get().hasMore).toBe(false)
    expect(list.get().runs.size).toBe(1000)
  })

  test('applies messages about runs', async () => {
    const {list, connect, answer, frame, receive, ids} = createWorld([over('a', 1)])
    connect()
    await answer()
    const origin = {agent: 'claude', title: 'New', cwd: '/', startedAt: 5}
    receive(createRunStartedEvent('b', 'b', origin))
    frame()
    expect(ids()).toBe('a b')
    expect(list.get().total).toBe(2)
    expect(list.get().runs.get('b')).toMatchObject({state: 'starting', title: 'New'})
    receive(createRunUpdatedEvent('b', 'b', {run: makeRun({runId: 'b', isStuck: true})}))
    const {tokens} = makeRun()
    const counts = {
      turns: 1,
      toolCount: 2,
      failedToolCount: 0,
      deniedCount: 0,
      fileCount: 0,
      isWatched: true,
      added: 0,
      removed: 0,
    }
    const figures = {durationMs: 7, costUsd: 1, isEstimate: false, tokens, ...counts}
    const ending = {
      verdict: 'failed',
      reason: 'no',
      evidence: [],
      exitCode: 1,
      signal: null,
    } as const
    receive(createRunEndedEvent('b', 'b', {...ending, ...figures, evidence: []}))
    frame()
    expect(list.get().runs.get('b')).toMatchObject({
      state: 'over',
      verdict: 'failed',
      isStuck: false,
      requests: [],
      endedAt: 7,
    })
  })

  test('is fetched again on a new connection, without removed runs', async () => {
    const {hub, connect, answer, frame, ids} = createWorld([over('b', 2), over('a', 1)])
    connect()
    await answer()
    frame()
    hub.runs = [over('c', 3), over('a', 1)]
    connect()
    await answer()
    frame()
    expect(ids()).toBe('c a')
  })

  test('drops removed runs of all loaded pages on a new connection', async () => {
    const runs = Array.from({length: 1000}, (_, index) => over(`r${index}`, 2000 - index))
    const {hub, list, connect, answer, frame} = createWorld(runs)
    connect()
    await answer()
    list.loadMore()
    await answer()
    frame()
    hub.runs = runs.filter(({runId}) => runId !== 'r10' && runId !== 'r300')
    connect()
    await answer()
    await answer()
    frame()
    const {runs: known, total, hasMore} = list.get()
    expect([known.has('r10'), known.has('r300'), known.has('r301')]).toEqual([false, false, true])
    expect({total, hasMore}).toEqual({total: 998, hasMore: true})
    list.loadMore()
    await answer()
    frame()
    expect(list.get().runs.size).toBe(998)
  })

  test('drops a removed run, also when a pending response still contains it', async () => {
    const {connect, answer, frame, receive, list, ids} = createWorld([over('b', 2), over('a', 1)])
    connect()
    await answer()
    receive({type: 'run_removed', runId: 'b', workOrderId: 'b'})
    frame()
    expect(ids()).toBe('a')
    expect(list.get().total).toBe(1)
    connect()
    receive({type: 'run_removed', runId: 'a', workOrderId: 'a'})
    await answer()
    frame()
    expect(ids()).toBe('b')
    const origin = {agent: 'claude', title: 'Another', cwd: '/', startedAt: 5}
    receive(createRunStartedEvent('a', 'a', origin))
    frame()
    expect(list.get().runs.get('a')).toMatchObject({state: 'starting', title: 'Another'})
  })

  test('ignores messages of an unknown type', async () => {
    const {connect, answer, frame, receive, ids} = createWorld([over('a', 1)])
    connect()
    await answer()
    receive({type: 'run_praised', runId: 'a'} as unknown as ServerMessage)
    frame()
    expect(ids()).toBe('a')
  })

  test('prefers messages that arrive during a request to its response', async () => {
    const {connect, answer, frame, receive, list} = createWorld([makeRun({runId: 'a', turns: 1})])
    connect()
    receive(createRunUpdatedEvent('a', 'a', {run: makeRun({runId: 'a', turns: 2})}))
    await answer()
    frame()
    expect(list.get().runs.get('a')?.turns).toBe(2)
  })

  test('reports why loading failed and keeps the loaded runs', async () => {
    const {hub, connect, answer, frame, list} = createWorld([over('a', 1)])
    hub.isDown = true
    connect()
    await answer()
    frame()
    expect(list.get()).toMatchObject({status: 'failed', error: {message: 'No.'}})
    hub.isDown = false
    list.reload()
    await answer()
    frame()
    expect(list.get().status).toBe('ready')
    hub.isDown = true
    list.reload()
    await answer()
    frame()
    expect(list.get()).toMatchObject({status: 'ready', error: {message: 'No.'}})
    expect(list.get().runs.size).toBe(1)
  })

  test('has only the runs that its filter accepts', async () => {
    const filter: RunFilter = {
      query: {agent: 'codex'},
      accepts: ({agent, verdict}) => agent === 'codex' && verdict !== 'stopped',
    }
    const runs = [
      over('a', 3),
      {...over('b', 2), agent: 'codex'},
      {...over('c', 1), agent: 'codex', verdict: 'stopped' as const},
    ]
    const {list, connect, answer, frame, receive, ids} = createWorld(runs, filter)
    connect()
    await answer()
    frame()
    expect(ids()).toBe('b')
    expect(list.get().total).toBe(1)
    receive(createRunUpdatedEvent('d', 'd', {run: makeRun({runId: 'd', agent: 'codex'})}))
    receive(createRunUpdatedEvent('e', 'e', {run: makeRun({runId: 'e'})}))
    frame()
    expect(ids()).toBe('b d')
    receive(createRunUpdatedEvent('b', 'b', {run: {...over('b', 2), verdict: 'stopped'}}))
    frame()
    expect(ids()).toBe('d')
    list.close()
    receive(createRunUpdatedEvent('f', 'f', {run: makeRun({runId: 'f', agent: 'codex'})}))
    expect(frame()).toBe(0)
  })

  test('counts a run that starts later, but not an update about one that is not loaded', async () => {
    const runs = Array.from({length: 300}, (_, index) => over(`r${index}`, 2000 - index))
    const {list, connect, answer, frame, receive} = createWorld(runs)
    connect()
    await answer()
    receive(createRunUpdatedEvent('x', 'x', {run: makeRun({runId: 'x', startedAt: 2001})}))
    receive(createRunUpdatedEvent('r299', 'r299', {run: runs[299] ?? makeRun()}))
    frame()
    expect(list.get()).toMatchObject({total: 301, loadedFrom: 1801})
  })
})
