import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import type {AgentEvent} from '../events/events.ts'
import {countFiles, listFiles} from './file-table.ts'
import {changeFileOnDisk, initialRunState, reduceRunState, type RunState} from './run-state.ts'

/** Events of one run, a second apart. */
function reduce(...events: Record<string, unknown>[]): RunState {
  return events.reduce<RunState>(
    (state, event, index) =>
      reduceRunState(state, {
        line: index + 1,
        at: index * 1000,
        agent: 'claude',
        ...event,
      } as AgentEvent),
    initialRunState,
  )
}

const session = {
  type: 'session-start',
  sessionId: 's',
  model: 'opus',
  cwd: '/p',
  agentVersion: '2.1',
}
const tool = (toolId: string, more = {}) => ({
  type: 'tool-start',
  toolId,
  name: 'Bash',
  tool: 'Bash',
  input: {},
  summary: 'ls',
  ...more,
})
const toolEnd = (toolId: string, ok = true) => ({type: 'tool-end', toolId, ok, output: ''})
const turnEnd = {type: 'turn-end', ok: true, text: 'done', costUsd: 0.5}

test('a session start sets agent, directory and model', () => {
  expect(reduce(session, {type: 'session-start', sessionId: 't'})).toMatchObject({
    agent: 'claude',
    agentVersion: '2.1',
    sessionId: 't',
    model: 'opus',
    cwd: '/p',
    status: 'working',
    startedAt: 0,
    lastAt: 1000,
  })
})

test('the model is the last fallback, or the one that usage names', () => {
  const tokens = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0}
  const fallback = {type: 'status', status: 'model-fallback', detail: 'busy', model: 'small'}
  expect(reduce({...session, model: 'large'}, fallback).model).toBe('small')
  expect(reduce({type: 'usage', tokens, model: 'used'}).model).toBe('used')
  expect(reduce({...session, model: 'large'}, {type: 'usage', tokens, model: 'x'}).model).toBe(
    'large',
  )
})

test('a file changed on disk and by a tool is counted once', () => {
  const state = reduce(
    {...session, cwd: '/p'},
    {type: 'file-change', path: '/p/a', action: 'created'},
  )
  const seen = [
    {path: 'a', action: 'modified'} as const,
    {path: 'b', action: 'created'} as const,
  ].reduce(changeFileOnDisk, state)
  expect(listFiles(seen)).toEqual({
    a: {action: 'created', added: 0, removed: 0},
    b: {action: 'created', added: 0, removed: 0},
  })
})

describe('tools', () => {
  test('are open from start to end, with the time of their start', () => {
    const open = reduce(tool('a'), tool('b'), {type: 'tool-update', toolId: 'a'}, toolEnd('a'))
    expect(open.openTools).toEqual([
      {
        toolId: 'b',
        name: 'Bash',
        tool: 'Bash',
        summary: 'ls',
        startedAt: 1000,
        parentToolId: undefined,
      },
    ])
    expect(open.activity).toEqual({type: 'tool', detail: 'Bash: ls', since: 1000})
    expect(open.toolCount).toBe(2)
  })

  test('count as failed, unless the stream ended first', () => {
    const unfinished = {...toolEnd('c', false), unfinished: true}
    const state = reduce(
      tool('a'),
      toolEnd('a', false),
      tool('b'),
      toolEnd('b'),
      tool('c'),
      unfinished,
    )
    expect(state).toMatchObject({toolCount: 3, failedToolCount: 1, openTools: []})
    expect(state.activity.type).toBe('working')
  })
})

test('sub-agents form a tree with the number of their tools', () => {
  const task = (toolId: string, more = {}) => tool(toolId, {tool: 'Task', summary: toolId, ...more})
  const state = reduce(
    task('outer'),
    tool('x', {parentToolId: 'outer'}),
    task('inner', {parentToolId: 'outer'}),
    tool('y', {parentToolId: 'inner'}),
    toolEnd('inner', false),
    tool('z', {parentToolId: 'never seen'}),
  )
  expect(state.subAgents).toEqual([
    {toolId: 'outer', parentToolId: undefined, summary: 'outer', startedAt: 0, toolCount: 2},
    {
      toolId: 'inner',
      parentToolId: 'outer',
      summary: 'inner',
      startedAt: 2000,
      toolCount: 1,
      ok: false,
      durationMs: 2000,
    },
  ])
})

test('changes of a file add up, and a new file stays new', () => {
  const change = (path: string, action: string, added: number, removed = 0) => ({
    type: 'file-change',
    path,
    action,
    added,
    removed,
  })
  const state = reduce(
    change('a', 'created', 3),
    change('a', 'modified', 2, 1),
    change('b', 'modified', 1),
    change('b', 'deleted', 0),
    {type: 'file-change', path: '__proto__', action: 'modified'},
  )
  const files = listFiles(state)
  expect(files['a']).toEqual({action: 'created', added: 5, removed: 1})
  expect(files['b']).toEqual({action: 'deleted', added: 1, removed: 0})
  expect(Object.keys(files)).toEqual(['a', 'b', '__proto__'])
})

test('thousands of files, tools and sub-agents cost no time', () => {
  const events = Array.from({length: 20_000}, (_, index) => index).flatMap((index) => [
    tool(`t${index}`, {tool: index % 10 === 0 ? 'Task' : 'Bash'}),
    {type: 'file-change', path: `file ${index % 19_000}`, action: 'modified', added: 1},
    toolEnd(`t${index}`),
  ])
  const state = reduce(...events)
  const files = listFiles(state)
  expect(Object.keys(files)).toHaveLength(19_000)
  expect(files['file 5']).toEqual({action: 'modified', added: 2, removed: 0})
  expect(state).toMatchObject({toolCount: 20_000, openTools: []})
  expect(state.subAgents).toHaveLength(500)
  expect(state.subAgents.at(-1)?.toolId).toBe('t19990')
})

test('background tasks are open until they end', () => {
  const started = (taskId: string) => ({type: 'task-start', taskId, description: taskId})
  const state = reduce(started('a'), started('b'), started('a'), {type: 'task-end', taskId: 'b'})
  expect(state.openTasks).toEqual([{taskId: 'a', description: 'a', startedAt: 2000}])
})

describe('a permission', () => {
  const request = {type: 'permission-request', toolId: 'a', requestId: 'r', name: 'Bash', input: {}}

  test('is waited for until its tool ends', () => {
    const asked = reduce(tool('a'), request)
    expect(asked).toMatchObject({status: 'waiting', activity: {type: 'permission', detail: 'Bash'}})
    expect(asked.openRequests).toHaveLength(1)
    const denied = reduce(
      tool('a'),
      request,
      {type: 'permission-denied', name: 'Bash'},
      toolEnd('a', false),
    )
    expect(denied).toMatchObject({status: 'working', openRequests: [], deniedCount: 1})
  })

  test('is not waited for after the turn', () => {
    expect(reduce(request, turnEnd).openRequests).toEqual([])
  })
})

test('usage and cost are in the ledger', () => {
  const tokens = {input: 1, output: 2, cacheRead: 3, cacheWrite: 4}
  const state = reduce({type: 'usage', tokens}, turnEnd)
  expect(state.ledger).toEqual({tokens, costUsd: 0.5, models: {}, isSum: false})
})

describe('a turn', () => {
  test('leaves the run idle at its end, whatever status events follow', () => {
    const news = [
      {type: 'status', status: 'hook', detail: 'x'},
      toolEnd('late'),
      {type: 'unknown', raw: ''},
      {type: 'malformed', raw: 'x\n'},
      {type: 'usage', tokens: {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}},
    ]
    const state = reduce(session, turnEnd, ...news)
    expect(state).toMatchObject({status: 'idle', turns: 1, unknownCount: 1, malformedCount: 1})
    expect(state.activity).toEqual({type: 'idle', detail: '', since: 1000})
    expect(state.lastTurn?.text).toBe('done')
  })

  test('can be followed by another', () => {
    expect(reduce(turnEnd, {type: 'text', text: 'x'})).toMatchObject({status: 'working', turns: 2})
  })
})

test('a sub-agent whose steps are not in the stream has the tools that the agent reports', () => {
  const update = (toolCount: number) => ({type: 'tool-update', toolId: 'a', toolCount})
  const {subAgents} = reduce(tool('a', {tool: 'Task'}), update(2), update(1))
  expect(subAgents).toMatchObject([{toolId: 'a', toolCount: 2}])
})

describe('the turn count', () => {
  const text = {type: 'text', text: 'x', messageId: 'm1'}
  const result = (turns?: number) => ({...turnEnd, turns})

  test.each<[string, Record<string, unknown>[], number]>([
    ['is 0 before the model answers', [session], 0],
    ['is live: it grows with every request', [session, tool('a'), toolEnd('a'), text], 2],
    ['is the count that the agent reports', [session, text, result(4)], 4],
    ['is 1 for a result without anything before it', [session, result()], 1],
    [
      'adds up over several results',
      [text, result(1), tool('b'), toolEnd('b'), text, result(2)],
      3,
    ],
    [
      'counts parallel tool calls as one turn, although Claude reports one for each result',
      [tool('a'), tool('b'), tool('c'), toolEnd('a'), toolEnd('b'), toolEnd('c'), text, result(4)],
      2,
    ],
    ['leaves out a tool result that the model never got', [tool('a'), toolEnd('a'), result(2)], 1],
    [
      'counts an answer as one turn when its first call ends before its second begins',
      [tool('a'), toolEnd('a'), tool('b', {isSameAnswer: true}), toolEnd('b'), text, result(3)],
      2,
    ],
    [
      'leaves out an interruption',
      [text, {type: 'status', status: 'interrupted', detail: ''}, result(2)],
      1,
    ],
    [
      'counts a message that follows another without visible input, as after a hook',
      [text, {...text, messageId: 'm2'}],
      2,
    ],
    [
      'leaves out the requests of sub-agents',
      [tool('a', {tool: 'Task'}), {...text, parentToolId: 'a', messageId: 's'}, toolEnd('a'), text],
      2,
    ],
  ])('%s', (_, events, turns) => {
    expect(reduce(...events).turns).toBe(turns)
  })
})

describe('the activity', () => {
  test.each([
    ['text', {type: 'text', text: 'x'}],
    ['text', {type: 'text-delta', text: 'x'}],
    ['thinking', {type: 'thinking', text: 'x'}],
    ['thinking', {type: 'thinking-delta', text: 'x'}],
    ['api-retry', {type: 'status', status: 'api-retry', detail: 'x'}],
  ])('is %s', (type, event) => {
    expect(reduce(event).activity).toMatchObject({type, since: 0})
  })

  test('keeps the time of its start', () => {
    const delta = {type: 'text-delta', text: 'x'}
    expect(reduce(delta, delta, delta).activity.since).toBe(0)
  })

  test('includes the last reported plan', () => {
    const items = [{text: 'a', status: 'pending'}]
    expect(reduce({type: 'plan', items: []}, {type: 'plan', items}).plan).toBe(items)
  })
})

test.each([
  ['{"half', 1],
  ['[{"half', 1],
  ['{"half\n', undefined],
  ['prose', undefined],
])('a stream that ends with %j is cut in line %j', (raw, cutLine) => {
  expect(reduce({type: 'malformed', raw})).toMatchObject({lastLine: 1})
  expect(reduce({type: 'malformed', raw}).cutLine).toBe(cutLine)
})

test('an interruption is remembered until the next session', () => {
  const stop = {type: 'status', status: 'interrupted', detail: ''}
  expect(reduce(stop).isInterrupted).toBe(true)
  expect(reduce(stop, session).isInterrupted).toBe(false)
})

test('a reducer never modifies a state', () => {
  const before = structuredClone(initialRunState)
  fc.assert(
    fc.property(
      fc.array(
        fc.constantFrom(session, tool('a'), toolEnd('a'), tool('b', {tool: 'Task'}), turnEnd),
      ),
      (events) => {
        const state = reduce(...events)
        const copy = structuredClone(state)
        reduceRunState(state, {...tool('c'), line: 1, at: 1, agent: 'x'} as AgentEvent)
        expect(state).toEqual(copy)
      },
    ),
    {numRuns: 50},
  )
  expect(initialRunState).toEqual(before)
})

describe('an interactive session', () => {
  const request = {type: 'permission-request', toolId: 't', name: 'Bash', input: {}}
  const start = {...session, isIdle: true}
  const prompt = {...session, isIdle: false}
  const interrupted = {type: 'status', status: 'interrupted', detail: 'by the user'}

  test('is idle until a prompt is typed', () => {
    expect(reduce(start)).toMatchObject({status: 'idle', activity: {type: 'idle', since: 0}})
    expect(reduce(start, prompt)).toMatchObject({status: 'working'})
  })

  test('is idle after an interruption, and its open request is gone', () => {
    const state = reduce(start, prompt, tool('t'), request, interrupted)
    expect(state).toMatchObject({status: 'idle', isInterrupted: true, openRequests: []})
    expect(state.activity).toMatchObject({type: 'idle', since: 4000})
  })

  test('works again with the prompt after an interruption', () => {
    const state = reduce(start, prompt, interrupted, prompt)
    expect(state).toMatchObject({status: 'working', isInterrupted: false})
  })

  test.each([
    ['a notice', {type: 'status', status: 'notice', detail: 'Claude needs your permission'}],
    ['text', {type: 'text', text: 'I will run it.'}],
    ['another call', tool('u')],
    ['the end of another call', toolEnd('u')],
  ])('waits while a request is open, whatever other event follows: %s', (_, event) => {
    expect(reduce(start, prompt, tool('u'), tool('t'), request, event)).toMatchObject({
      status: 'waiting',
      openRequests: [{toolId: 't'}],
    })
  })

  test('works when the requested tool runs', () => {
    const state = reduce(start, prompt, tool('t'), request, {type: 'tool-update', toolId: 't'})
    expect(state).toMatchObject({status: 'working', openRequests: [], activity: {type: 'tool'}})
  })
})

test('a change that another run may have made does not count until a tool reports it', () => {
  const uncertain = {path: 'a', action: 'modified', isUncertain: true} as const
  const seen = changeFileOnDisk(changeFileOnDisk(reduce(session), uncertain), uncertain)
  expect(listFiles(seen)).toEqual({
    a: {action: 'modified', added: 0, removed: 0, isUncertain: true},
  })
  expect(countFiles(seen)).toEqual({fileCount: 0, added: 0, removed: 0})
  const certain = changeFileOnDisk(seen, {path: 'a', action: 'modified'})
  expect(countFiles(changeFileOnDisk(certain, uncertain))).toMatchObject({fileCount: 1})
})
