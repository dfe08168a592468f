import {describe, expect, test} from 'vitest'
import {expectForEach} from '../../../test/support/each-fixture.ts'
import {fixtures, type Fixture} from '../../../test/support/fixtures.ts'
import {createEventDecoder} from '../../../src/core/events/event-parser.ts'
import type {AgentEvent} from '../../../src/core/events/events.ts'
import {initialRunState, reduceRunState} from '../../../src/core/run/run-state.ts'
import type {LineItem, RunItem, SlimEvent, StartItem} from '../../../src/replay/run-item.ts'
import {isError, type Entry, type ToolEntry} from './entry.ts'
import {countEntries, entryAt, listRows} from './rows.ts'
import {createRunModel} from './run-model.ts'
import {describeTimeline} from './timeline-builder.ts'

const begun: StartItem = {
  type: 'start',
  n: 1,
  at: 1000,
  agent: 'claude',
  title: 'Do it',
  cwd: '/home/dev/project',
  startedAt: 1000,
  prompt: 'Do it',
}

let n = 1

/** A line with these events, one second after the previous one. */
function line(...events: SlimEvent[]): LineItem {
  n++
  return {type: 'line', n, at: n * 1000, line: n - 1, offset: n * 10, size: 10, kind: 'x', events}
}

function modelOf(...items: RunItem[]) {
  const model = createRunModel()
  model.take([begun, ...items])
  return model
}

const read = (...items: RunItem[]) => modelOf(...items).snapshot

/** The items of a recording, one second apart. */
function itemsOf({bytes, agent}: Fixture): {items: RunItem[]; events: AgentEvent[]} {
  const decoder = createEventDecoder(agent, {now: () => 0})
  const events = [...decoder.push(bytes), ...decoder.end()]
  const items: RunItem[] = [{...begun, agent: agent.id}]
  for (let number = 1; number <= decoder.lineCount; number++) {
    const found = events.filter((event) => event.line === number)
    items.push({
      type: 'line',
      n: number + 1,
      at: 1000 + number * 1000,
      line: number,
      offset: 0,
      size: 1,
      kind: 'x',
      events: structuredClone(found),
    })
  }
  return {items, events}
}

describe('the model of every recording', () => {
  test('contains every event and agrees with the state of the terminal', async () => {
    await expectForEach(fixtures, (fixture) => {
      const {items, events} = itemsOf(fixture)
      const maker = createRunModel()
      maker.take(items)
      const model = maker.snapshot
      const timed = events.map((event) => ({...event, at: 1000 + event.line * 1000}))
      const first = {...initialRunState, activity: {...initialRunState.activity, since: 1000}}
      expect(model.state).toEqual(timed.reduce(reduceRunState, first))
      const of = <T extends Entry['type']>(type: T) =>
        model.entries.filter((entry): entry is Extract<Entry, {type: T}> => entry.type === type)
      const count = (...types: AgentEvent['type'][]) =>
        events.filter(({type}) => types.includes(type)).length
      expect(of('tool').length).toBe(count('tool-start'))
      expect(of('odd').length).toBe(count('unknown', 'malformed'))
      expect(of('turn').length).toBe(count('turn-end'))
      expect(of('tool').filter(({endAt}) => endAt === undefined)).toEqual([])
      const textLength = of('text').reduce((sum, {length}) => sum + length, 0)
      const expected = events.reduce((sum, event) => {
        return /^(?:text|thinking)/.test(event.type) && 'text' in event
          ? sum + (event.text?.length ?? 0)
          : sum
      }, 0)
      expect(textLength).toBe(expected)
      // Every entry has a row, regardless of the open folds.
      const rows = listRows(model, {filter: 'all', isUnfolded: () => true})
      const ids = model.entries.map(({id}) => id)
      expect(rows.map(({id}) => id).toSorted()).toEqual(ids.toSorted())
      expect(new Set(ids).size).toBe(ids.length)
      expect(model.counts.errors).toBe(model.entries.filter(isError).length)
      expect(model.counts).toEqual(countEntries(model.entries, Number.POSITIVE_INFINITY))
      const spans = model.timeline.lanes
        .filter(({kind}) => kind !== 'background')
        .flatMap(({tools}) => tools)
      expect(spans.length).toBe(count('tool-start'))
    })
  })

  test('stays the same when items arrive one by one or twice', async () => {
    await expectForEach(fixtures, (fixture) => {
      const {items} = itemsOf(fixture)
      const atOnce = createRunModel()
      atOnce.take(structuredClone(items))
      const oneByOne = createRunModel()
      for (const [at, item] of items.entries()) {
        oneByOne.take(structuredClone(items.slice(Math.max(0, at - 2), at)))
        oneByOne.take([structuredClone(item)])
      }
      expect(oneByOne.snapshot.entries).toEqual(atOnce.snapshot.entries)
      expect(oneByOne.snapshot.state).toEqual(atOnce.snapshot.state)
    })
  })

  test('gives entries the same ids when only its last lines are loaded', async () => {
    // An event that continues an earlier entry creates one where the earlier lines are missing.
    const mayContinue = new Set<Entry['type']>(['text', 'notice', 'session', 'plan', 'task'])
    await expectForEach(fixtures, (fixture) => {
      const {items} = itemsOf(fixture)
      const full = createRunModel()
      full.take(structuredClone(items))
      const preview = createRunModel()
      preview.take([...items.slice(0, 1), ...items.slice(Math.ceil(items.length / 2))])
      const toPlace = (entry: Entry) => [entry.id, entry.type, entry.line]
      const {entries} = preview.snapshot
      const same = entries.flatMap(({id}) => full.snapshot.findEntry(id) ?? [])
      const known = new Set(same.map(({id}) => id))
      const isKept = ({id, type}: Entry) => known.has(id) || !mayContinue.has(type)
      expect(same.map(toPlace)).toEqual(entries.filter(isKept).map(toPlace))
    })
  })
})

const call: SlimEvent = {
  type: 'tool-start',
  toolId: 't1',
  name: 'Bash',
  tool: 'Bash',
  input: {command: 'npm test'},
  summary: 'npm test',
}
const done: SlimEvent = {type: 'tool-end', toolId: 't1', ok: true, output: 'ok', outputLength: 2}

describe('a feed', () => {
  test('joins text deltas into one entry', () => {
    const {entries} = read(
      line({type: 'text-delta', text: 'He', messageId: 'm'}),
      line({type: 'text-delta', text: 'llo', messageId: 'm'}),
      line({type: 'text-delta', text: 'Other', messageId: 'm2'}),
    )
    expect(entries.slice(1)).toMatchObject([
      {type: 'text', text: 'Hello', length: 5},
      {type: 'text', text: 'Other'},
    ])
  })

  test('shows a plan once, also when other calls started before it', () => {
    const items = [{text: 'Look', status: 'in-progress' as const}]
    const {entries} = read(
      line({...call, toolId: 'p1', name: 'write_todos', tool: 'Todo', input: {}, summary: ''}),
      line(call),
      line({type: 'plan', items}, {...done, toolId: 'p1'}),
      line(done),
      line({type: 'plan', items: []}),
    )
    expect(entries.slice(1)).toMatchObject([
      {type: 'tool', tool: 'Todo', plan: items},
      {type: 'tool', tool: 'Bash'},
      {type: 'plan', items: []},
    ])
  })

  test('does not repeat a long streamed text in the turn end', () => {
    const text = 'All of it is done, and this is how. '.repeat(20)
    const {entries} = read(
      line({type: 'text-delta', text: text.slice(0, 300)}),
      line({type: 'text-delta', text: text.slice(300)}),
      line({
        type: 'turn-end',
        ok: true,
        text: text.slice(0, 400),
        isCut: true,
        length: text.length,
      }),
      line({type: 'turn-end', ok: true, text: text.slice(0, 400), isCut: true, length: 9999}),
    )
    expect(entries.slice(2)).toMatchObject([
      {type: 'turn', text: '', isCut: false},
      {type: 'turn', text: text.slice(0, 400), isCut: true},
    ])
  })

  test('does not repeat a failure in the turn end after a text with the same content', () => {
    const {entries} = read(
      line({type: 'text', text: 'API Error: 529'}),
      line({type: 'turn-end', ok: false, text: 'API Error: 529', errors: ['API Error: 529']}),
      line({type: 'turn-end', ok: false, text: '', errors: ['No room']}),
    )
    expect(entries.slice(2)).toMatchObject([
      {type: 'turn', ok: false, text: '', reason: undefined},
      {type: 'turn', ok: false, reason: 'No room'},
    ])
  })

  test('does not repeat the last text in the turn end', () => {
    const {entries} = read(
      line({type: 'text', text: 'All done.'}),
      line({type: 'turn-end', ok: true, text: 'All done.', costUsd: 0.5}),
      line({type: 'text', text: 'More.'}),
      line({type: 'turn-end', ok: true, text: 'Something else', costUsd: 0.75}),
    )
    expect(entries.filter(({type}) => type === 'turn')).toMatchObject([
      {turn: 1, text: '', costUsd: 0.5},
      {turn: 2, text: 'Something else', costUsd: 0.25},
    ])
  })

  test('shows the cost of this run in a result, also for a resumed session', () => {
    const tokens = {input: 1, output: 1, cacheRead: 0, cacheWrite: 0}
    const {entries} = read(
      line({type: 'usage', tokens, costUsd: 0.25}),
      line({type: 'turn-end', ok: true, text: '', costUsd: 5.25}),
      line({type: 'usage', tokens, costUsd: 0.5}),
      line({type: 'turn-end', ok: true, text: '', costUsd: 5.75}),
    )
    expect(entries.filter(({type}) => type === 'turn')).toMatchObject([
      {turn: 1, costUsd: 0.25},
      {turn: 2, costUsd: 0.5},
    ])
  })

  test('shows one wait for any number of retries', () => {
    const {entries, timeline} = read(
      line({type: 'status', status: 'api-retry', detail: 'overloaded (529)', attempt: 1, of: 10}),
      line({type: 'status', status: 'api-retry', detail: 'overloaded (529)', attempt: 2, of: 10}),
      line({type: 'text', text: 'Hi'}),
    )
    const notices = entries.filter(({type}) => type === 'notice')
    expect(notices).toMatchObject([
      {kind: 'api-retry', text: 'Overloaded (529). Try 2 of 10.', isWait: true},
    ])
    const [span] = timeline.lanes[0]?.waits ?? []
    expect((span?.end ?? 0) - (span?.start ?? 0)).toBe(2000)
  })

  test('shows the answer to a permission request', () => {
    const asks = line({type: 'permission-request', requestId: 'r', name: 'Bash', input: {}})
    const model = modelOf(asks)
    const asked = model.snapshot.entries.at(-1)
    expect(asked?.type === 'request' && asked.endAt).toBe(undefined)
    model.take([{type: 'answer', n: ++n, at: n * 1000, requestId: 'r', allow: false, who: 'rule'}])
    expect(model.snapshot.entries.at(-1)).toMatchObject({
      type: 'request',
      allow: false,
      who: 'rule',
    })
    expect(model.snapshot.state.openRequests).toEqual([])
  })

  test('nests the entries of a sub-agent under its call and gives it a lane', () => {
    const task: SlimEvent = {
      type: 'tool-start',
      toolId: 'task',
      name: 'Task',
      tool: 'Task',
      input: {},
      summary: 'Look',
    }
    const model = read(
      line(task),
      line({...call, parentToolId: 'task'}),
      line(done),
      line({type: 'tool-end', toolId: 'task', ok: true, output: 'x', outputLength: 1}),
    )
    expect(model.top.length).toBe(2)
    const entry = model.findTool('task')
    expect(entry).toMatchObject({toolCount: 1, children: [{type: 'tool', toolId: 't1'}]})
    expect(model.timeline.lanes.map(({label, isDone}) => [label, isDone])).toEqual([
      ['Main', false],
      ['Look', true],
    ])
    const folded = listRows(model, {filter: 'all', isUnfolded: () => false})
    expect(folded.length).toBe(2)
    const unfolded = listRows(model, {filter: 'all', isUnfolded: () => true})
    expect(unfolded.map(({depth}) => depth)).toEqual([0, 0, 1])
  })
})

describe('the model at an earlier moment', () => {
  test('contains only the state known at that moment', () => {
    const started = line(call)
    const ended = line(done)
    const model = read(started, ended, line({type: 'text', text: 'Fine.'}))
    const until = started.at + 500
    expect(model.stateAt(until).openTools.length).toBe(1)
    expect(model.stateAt(ended.at).openTools.length).toBe(0)
    const rows = listRows(model, {filter: 'all', isUnfolded: () => true, until})
    expect(rows.map(({type}) => type)).toEqual(['prompt', 'tool'])
    const tool = rows[1]
    const then = tool && (entryAt(tool, until) as ToolEntry)
    expect(then).toMatchObject({endAt: undefined, ok: undefined, output: ''})
    const {lanes} = describeTimeline(model.timeline, {startedAt: 1000, until}, () => ({detail: ''}))
    expect(lanes[0]?.tools).toMatchObject([{end: undefined}])
  })
})
