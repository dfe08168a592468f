import {describe, expect, test} from 'vitest'
import {describeTruth} from '../../../test/support/describe-truth.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {createFacts, type TranscriptFacts} from '../../core/events/transcript.ts'
import {createSessionParser} from '../../history/session-events.ts'
import type {OpenSource} from '../../history/source.ts'
import {kimiTranscripts} from './transcript.ts'

// Kimi Code does not record how many tokens were reasoning.
describeTruth(kimiTranscripts, {hasReasoning: false})

/** A transcript of an agent of the session `s`, with the files beside it. */
function sourceOf(agent = 'main', files: Readonly<Record<string, unknown>> = {}): OpenSource {
  const path = `sessions/wd/s/agents/${agent}/wire.jsonl`
  return {
    path,
    file: kimiTranscripts.identify(path) ?? {storage: 'lines'},
    readText: (name) => (name in files ? JSON.stringify(files[name]) : undefined),
    listFiles: () => [],
    query: () => [],
    close() {},
  }
}

function scan(records: readonly object[], source = sourceOf()): TranscriptFacts {
  const facts = createFacts()
  const scanner = kimiTranscripts.createScanner(facts, source)
  for (const row of records) scanner.read({...row})
  return facts
}

/** The events of records, by agent, without where and when. */
function translate(...records: readonly (object | [agent: string, row: object])[]): object[] {
  const {parse, parser} = createSessionParser(kimiTranscripts, sourceOf())
  const events: AgentEvent[] = records.flatMap((item) => {
    const [agent, value] = Array.isArray(item) ? item : ['main', item]
    return parse({raw: JSON.stringify(value), value: {...value}, at: 0, source: sourceOf(agent)})
  })
  events.push(...parser.end())
  expect(parser.drift()).toEqual([])
  return events
    .filter(({type}) => type !== 'session-start')
    .map(({line: _line, at: _at, agent: _agent, ...event}) => event)
}

let now = 1000

function record(type: string, fields: object = {}): object {
  return {type, agentId: 'main', ...fields, time: ++now}
}

const loop = (type: string, fields: object) =>
  record('context.append_loop_event', {event: {type, stepUuid: 'step', ...fields}})
const usage = (output: number, more: object = {}) =>
  record('usage.record', {
    model: 'kimi',
    usage: {inputOther: 10, output, inputCacheRead: 3, inputCacheCreation: 2},
    usageScope: 'turn',
    ...more,
  })
const prompt = (text: string, origin: object = {kind: 'user'}) =>
  record('turn.prompt', {input: [{type: 'text', text}], origin, turnId: 0})
const textPart = (text: string) => loop('content.part', {part: {type: 'text', text}})
const call = (toolCallId: string, uuid: string, name = 'Bash', args: object = {command: 'ls'}) =>
  loop('tool.call', {toolCallId, uuid, name, args})
const result = (toolCallId: string, parentUuid: string, fields: object) =>
  loop('tool.result', {toolCallId, parentUuid, result: fields})
const notice = (detail: string) => ({type: 'status', status: 'notice', detail})
const requestOf = (model: string) =>
  record('llm.request', {kind: 'loop', model, modelAlias: 'kimi'})

describe('files', () => {
  test.each([
    [{}, '/home/u/.kimi-code'],
    [{KIMI_CODE_HOME: ''}, '/home/u/.kimi-code'],
    [{KIMI_CODE_HOME: '/data/kimi/'}, '/data/kimi'],
  ])('are in the folder of %j', (env, root) => {
    expect(kimiTranscripts.roots({home: '/home/u', env})).toEqual([root])
  })

  test('are those of the agents of each session', () => {
    const {identify, hasTranscripts} = kimiTranscripts
    const folder = 'sessions/wd/s/agents'
    expect(identify(`${folder}/main/wire.jsonl`)).toEqual({storage: 'lines', sessionId: 's'})
    expect(identify(`${folder}/agent-0/wire.jsonl`)).toMatchObject({
      sessionId: 's',
      subAgentId: 'agent-0',
    })
    expect(identify(`${folder}/main/wire.jsonl.bak`)).toBe(undefined)
    expect(identify('session_index.jsonl')).toBe(undefined)
    expect(['sessions', 'sessions/wd', folder, `${folder}/main`].every(hasTranscripts)).toBe(true)
    expect(hasTranscripts(`${folder}/main/tasks`)).toBe(false)
    expect(hasTranscripts('logs')).toBe(false)
  })
})

describe('facts', () => {
  const STATE = 'sessions/wd/s/state.json'

  test.each([
    [{title: 'Fix it', titleKind: 'generated'}, 'Fix it'],
    [{title: 'Fix it', isCustomTitle: true}, 'Fix it'],
    [{title: 'Fork: s0', titleKind: 'replaceable'}, undefined],
    [{title: 'Do it', isCustomTitle: false}, undefined],
    [{title: 7, titleKind: 'custom'}, undefined],
    ['damaged', undefined],
  ])('have a title that is more than the prompt: %j', (state, title) => {
    expect(scan([], sourceOf('main', {[STATE]: state})).title).toBe(title)
  })

  test('have the folder of the session', () => {
    const index = {sessionId: 's', workDir: '/q'}
    const bound = record('profile.bind', {environmentDisclosure: {cwd: '/r'}})
    expect(scan([bound], sourceOf('main', {[STATE]: {cwd: '/p'}})).cwd).toBe('/p')
    expect(scan([bound], sourceOf('main', {'session_index.jsonl': index})).cwd).toBe('/q')
    expect(scan([bound]).cwd).toBe('/r')
    expect(scan([record('config.update', {cwd: '/o'})]).cwd).toBe('/o')
  })

  test('have the time of the copy as the start of a copied session', () => {
    const rows = [{type: 'metadata', created_at: 5}, usage(1)]
    const copy = sourceOf('agent-0', {[STATE]: {forkedFrom: 's0', createdAt: 7000}})
    expect(scan(rows).startedAt).toBe(5)
    expect(scan(rows, copy)).toMatchObject({startedAt: 7000, forkedFrom: 's0', parentId: 's'})
    expect(scan([...rows, {type: 'forked', time: 9000}, prompt('A')]).startedAt).toBe(9000)
  })

  test.each([
    ['the user', prompt('Do it'), 'Do it'],
    ['the user of an older version', record('turn.prompt', {input: 'Do it'}), 'Do it'],
    ['the program', prompt('Do it', {kind: 'system_trigger', name: 'cron'}), undefined],
    [
      'a command of the user',
      prompt('<skill>', {
        kind: 'skill_activation',
        trigger: 'user-slash',
        skillName: 'fix',
        skillArgs: 'it',
      }),
      '/fix it',
    ],
    ['a skill of the model', prompt('x', {kind: 'skill_activation', skillName: 'fix'}), undefined],
  ])('have the first prompt when it is of %s', (_, row, expected) => {
    expect(scan([row]).prompt).toBe(expected)
    expect(scan([row], sourceOf('agent-0')).prompt).toBe(undefined)
  })

  test('have whether the agent waits for a prompt', () => {
    const end = loop('step.end', {finishReason: 'end_turn'})
    expect(scan([prompt('A'), end]).isTurnOver).toBe(true)
    expect(scan([end, prompt('A')]).isTurnOver).toBe(false)
    expect(scan([prompt('A'), record('turn.ended', {reason: 'failed'})]).isTurnOver).toBe(true)
    expect(scan([prompt('A'), record('turn.cancel', {target: 'queued'})]).isTurnOver).toBe(false)
    expect(scan([prompt('A'), record('turn.cancel')]).isTurnOver).toBe(true)
  })

  test('continue with the stored facts', () => {
    const rows = [requestOf('k2'), call('t', 'u'), usage(5), call('v', 'w'), usage(6)]
    const stored: TranscriptFacts = JSON.parse(JSON.stringify(scan(rows.slice(0, 2))))
    const scanner = kimiTranscripts.createScanner(stored, sourceOf())
    for (const row of rows.slice(2)) scanner.read({...row})
    expect(stored.requests).toMatchObject([
      {model: 'k2', toolCount: 2},
      {model: 'k2', toolCount: 0},
    ])
    expect(JSON.parse(JSON.stringify(stored))).toEqual(JSON.parse(JSON.stringify(scan(rows))))
  })
})

describe('requests', () => {
  test('are counted by their own record alone', () => {
    const counts = {inputOther: 10, output: 5, inputCacheRead: 3, inputCacheCreation: 2}
    const recorded = usage(5)
    const facts = scan([
      recorded,
      recorded,
      loop('step.end', {usage: counts}),
      record('agent.message.appended', {message: {meta: {usage: counts}}}),
      record('subagent.completed', {subagentId: 'agent-0', usage: counts}),
    ])
    expect(facts.requests).toMatchObject([
      {tokens: {input: 10, output: 5, cacheRead: 3, cacheWrite: 2}, toolCount: 0},
    ])
  })

  test('have a key that depends on the agent, and not on the session', () => {
    const recorded = usage(5)
    const keyOf = (agent: string) => scan([recorded], sourceOf(agent)).requests[0]?.key
    expect(keyOf('agent-0')).not.toBe(keyOf('main'))
    expect(keyOf('main')).toBe(keyOf('main'))
  })

  test('have the real name of the model', () => {
    const rows = [usage(1), requestOf('k2'), usage(2), requestOf('k3'), usage(3)]
    expect(scan(rows).requests.map(({model}) => model)).toEqual(['kimi', 'k2', 'k3'])
    expect(scan(rows).model).toBe('k3')
  })

  test('have the calls of their step, recorded before or after them', () => {
    const begin = loop('step.begin', {})
    const end = loop('step.end', {finishReason: 'tool_use'})
    const after = [begin, usage(1), call('t', 'a'), call('t', 'a'), end]
    const before = [begin, call('u', 'b'), call('v', 'c'), usage(2), end]
    const without = [begin, call('w', 'd'), end]
    const facts = scan([...after, ...before, ...without])
    expect(facts.requests.map(({toolCount}) => toolCount)).toEqual([1, 3])
  })

  test('need usage, and ignore negative numbers', () => {
    const none = record('usage.record', {model: 'kimi', usage: {output: 0, inputOther: 'x'}})
    const damaged = record('usage.record', {model: 7, usage: {output: 4, inputOther: -9}})
    expect(scan([none, damaged]).requests).toMatchObject([{tokens: {input: 0, output: 4}}])
  })
})

describe('the conversation', () => {
  test('has the end of a turn in versions that do not record it', () => {
    const end = loop('step.end', {finishReason: 'end_turn'})
    const turn = {type: 'turn-end', ok: true, text: 'B'}
    expect(translate(prompt('A'), textPart('B'), end, prompt('C'))).toMatchObject([
      notice('prompt: A'),
      {type: 'text', text: 'B'},
      turn,
      notice('prompt: C'),
    ])
    expect(translate(textPart('B'), end).at(-1)).toMatchObject(turn)
    const ended = record('turn.ended', {turnId: 0, reason: 'completed', durationMs: 7})
    expect(translate(textPart('B'), end, ended).slice(1)).toEqual([
      {...turn, durationMs: 7, reason: 'completed'},
    ])
  })

  test.each([
    [
      {reason: 'failed', error: {message: '400'}},
      {type: 'turn-end', ok: false, errors: ['400']},
    ],
    [{reason: 'blocked'}, {type: 'turn-end', ok: false, errors: ['the turn is blocked']}],
    [{reason: 'cancelled'}, {type: 'status', status: 'interrupted'}],
    [{}, {type: 'turn-end', ok: false, errors: ['the turn is not completed']}],
  ])('has the end of a turn that did not complete: %j', (fields, end) => {
    expect(translate(record('turn.ended', fields))).toMatchObject([end])
  })

  test('leaves calls open that were interrupted', () => {
    const cancel = record('turn.cancel', {target: 'active', reason: 'user_cancelled'})
    const stopped = result('t', 'u', {output: 'oh', isError: true})
    const closed = result('t', 'u', {output: 'a\nSession closed', isError: true})
    const open = [{type: 'tool-start'}, {type: 'status', status: 'interrupted'}]
    const end = {type: 'tool-end', toolId: 't', unfinished: true}
    expect(translate(call('t', 'u'), cancel, stopped)).toMatchObject([...open, end])
    expect(translate(call('t', 'u'), closed)).toMatchObject([{type: 'tool-start'}, end])
    expect(translate(call('t', 'u'), stopped)).toMatchObject([
      {type: 'tool-start'},
      {type: 'tool-end', ok: false, error: 'oh'},
    ])
  })

  test('has failures, exit codes and denials', () => {
    const failed = 'no\nCommand failed with exit code: 3.'
    const denied = 'Tool "Bash" was not run because the user rejected the approval request.'
    expect(
      translate(
        call('t', 'u'),
        result('t', 'u', {output: failed, isError: true, durationMs: 9}),
        call('v', 'w'),
        result('v', 'w', {output: denied, isError: true}),
        call('x', 'y'),
        result('x', 'y', {output: failed}),
      ).filter((event) => 'ok' in event),
    ).toMatchObject([
      {toolId: 't', ok: false, exitCode: 3, durationMs: 9},
      {toolId: 'v', ok: false, denied: true},
      {toolId: 'x', ok: true},
    ])
  })

  test('has the work of sub-agents below the call that started them', () => {
    const spawned = record('subagent.spawned', {subagentId: 'agent-0', parentToolCallId: 'Bash:0'})
    expect(
      translate(
        call('Bash:0', 'a', 'Agent', {description: 'Look'}),
        spawned,
        ['agent-0', prompt('Look', {kind: 'system_trigger'})],
        ['agent-0', call('Bash:0', 'b')],
        ['agent-0', result('Bash:0', 'b', {output: 'x'})],
        ['agent-0', textPart('Seen.')],
        ['agent-0', record('turn.ended', {reason: 'completed'})],
        result('Bash:0', 'a', {output: 'Seen.'}),
      ),
    ).toMatchObject([
      {type: 'tool-start', toolId: 'Bash:0', tool: 'Task'},
      {type: 'tool-start', toolId: 'agent-0 b', parentToolId: 'Bash:0'},
      {type: 'tool-end', toolId: 'agent-0 b', output: 'x'},
      {type: 'text', text: 'Seen.', parentToolId: 'Bash:0'},
      {type: 'tool-end', toolId: 'Bash:0'},
    ])
  })

  test('has whether a written file existed before', () => {
    const tracked = (path: string, key: string | null) =>
      record('file_history.tracked', {turnId: 0, path, entry: {key, version: 1}})
    const write = (id: string, path: string) => [
      call(id, id, 'Write', {path, content: 'x'}),
      result(id, id, {output: `Wrote 1 bytes to ${path}`}),
    ]
    const events = translate(
      tracked('new.txt', null),
      tracked('/q/old.txt', 'file-history/1'),
      ...write('a', '/p/new.txt'),
      ...write('b', '/p/new.txt'),
      ...write('c', '/q/old.txt'),
      ...write('d', '/q/other.txt'),
    )
    const actions = events.flatMap((event) => ('action' in event ? [event.action] : []))
    expect(actions).toEqual(['created', 'modified', 'modified', 'created'])
  })

  test('has retries, compactions, goals, tasks and what the user undid', () => {
    const info = {taskId: 'bash-1', description: 'Serve', status: 'completed'}
    expect(
      translate(
        record('turn.step.retrying', {
          turnId: 0,
          step: 1,
          failedAttempt: 1,
          nextAttempt: 2,
          maxAttempts: 3,
          delayMs: 0,
          errorName: 'APIStatusError',
          errorMessage: 'overloaded',
          statusCode: 503,
        }),
        record('full_compaction.begin', {source: 'manual'}),
        record('context.apply_compaction', {summary: 'x', compactedCount: 2, tokensBefore: 90}),
        record('full_compaction.complete'),
        record('full_compaction.cancel'),
        record('goal.create', {goalId: 'g', objective: 'All green'}),
        record('goal.update', {status: 'active'}),
        record('goal.update', {status: 'blocked', reason: 'no network'}),
        record('task.started', {info}),
        record('task.terminated', {info}),
        record('context.undo', {count: 2}),
        record('context.clear'),
      ),
    ).toMatchObject([
      {status: 'api-retry', detail: 'overloaded (503)', attempt: 1, of: 3},
      {status: 'compacting', phase: 'start', detail: 'compacting: manual'},
      {status: 'compacting', phase: 'end', detail: 'compacted, 90 tokens'},
      {status: 'compacting', phase: 'end', detail: 'not compacted'},
      notice('goal: All green'),
      notice('goal blocked: no network'),
      {type: 'task-start', taskId: 'bash-1', description: 'Serve'},
      {type: 'task-end', taskId: 'bash-1', ok: true},
      notice('prompts undone: 2'),
      notice('context cleared'),
    ])
  })

  test('has permission requests until they are answered', () => {
    const request = {id: 'r', kind: 'approval', toolCallId: 't', request: {toolName: 'Bash'}}
    expect(
      translate(
        call('t', 'u'),
        record('interaction.request', request),
        record('interaction.resolved', {id: 'r', response: {decision: 'approved'}}),
        record('interaction.resolved', {id: 'other', response: {}}),
        record('interaction.request', {id: 'q', kind: 'question', request: {questions: []}}),
        result('t', 'u', {output: ''}),
      ).slice(1),
    ).toMatchObject([
      {type: 'permission-request', requestId: 'r', toolId: 't', name: 'Bash'},
      {type: 'tool-update', toolId: 't'},
      {type: 'permission-request', requestId: 'q', name: 'AskUserQuestion'},
      {type: 'tool-end', toolId: 't', ok: true},
    ])
  })

  test('has the messages of an imported session, which has no events', () => {
    const append = (message: object) => ({type: 'context.append_message', message})
    const toolCalls = [{type: 'function', id: 't', name: 'Bash', arguments: '{"command":"ls"}'}]
    const content = [
      {type: 'think', think: 'Hm.'},
      {type: 'text', text: 'Look.'},
    ]
    const messages = [
      {role: 'assistant', content, toolCalls},
      {role: 'tool', toolCallId: 't', content: [{type: 'text', text: 'a'}]},
    ]
    expect(translate(...messages.map(append))).toMatchObject([
      {type: 'thinking', text: 'Hm.'},
      {type: 'text', text: 'Look.'},
      {type: 'tool-start', toolId: 't', tool: 'Bash', input: {command: 'ls'}},
      {type: 'tool-end', toolId: 't', ok: true, output: 'a'},
    ])
    const timed = messages.map((message) => record('context.append_message', {message}))
    expect(translate(...timed)).toEqual([])
  })

  test('has the commands that the user ran', () => {
    const message = {
      role: 'user',
      content: [{type: 'text', text: '<bash-input>\nls -l\n</bash-input>'}],
      origin: {kind: 'shell_command', phase: 'input'},
    }
    expect(translate(record('context.append_message', {message}))).toEqual([
      notice('command: ls -l'),
    ])
  })

  test('has unknown records as they are', () => {
    const {parse, parser} = createSessionParser(kimiTranscripts, sourceOf())
    const rows = [record('novel'), loop('novel', {}), loop('content.part', {part: {type: 'novel'}})]
    const events = rows.flatMap((row) =>
      parse({raw: JSON.stringify(row), value: {...row}, at: 0, source: sourceOf()}),
    )
    expect(events.filter(({type}) => type === 'unknown').length).toBe(3)
    expect(parser.drift().length).toBe(3)
  })
})
