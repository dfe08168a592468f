import {readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {describe, expect, test} from 'vitest'
import {createEventParser} from '../../core/events/event-parser.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {initialRunState, reduceRunState} from '../../core/run/run-state.ts'
import {judgeStream} from '../../core/run/verdict.ts'
import {explainWaiting} from '../../core/run/waiting.ts'
import {claudeHooks} from './index.ts'

type Payload = Record<string, unknown>

function read(...payloads: Payload[]): AgentEvent[] {
  const parser = createEventParser(claudeHooks, {now: () => 1})
  const lines = payloads.map((payload) => JSON.stringify({session_id: 's', cwd: '/p', ...payload}))
  return [...lines.flatMap((line) => parser.parse(line)), ...parser.end()]
}

function hook(name: string, fields: Payload = {}): Payload {
  return {hook_event_name: name, ...fields}
}

function judge(...payloads: Payload[]): string {
  return judgeStream(read(...payloads).reduce(reduceRunState, initialRunState)).verdict
}

function texts(...payloads: Payload[]): string[] {
  return read(...payloads).flatMap((event) =>
    event.type === 'text' || event.type === 'text-delta' ? [`${event.type} ${event.text}`] : [],
  )
}

const prompt = hook('UserPromptSubmit', {prompt: 'Fix it\nplease'})
const stop = hook('Stop', {last_assistant_message: 'Done.'})

const call = (id: string, fields: Payload = {}): Payload =>
  hook('PreToolUse', {
    tool_name: 'Bash',
    tool_input: {command: 'ls'},
    tool_use_id: id,
    ...fields,
  })

describe('every hook event', () => {
  const names = `
    PreToolUse PostToolUse PostToolUseFailure PostToolBatch Notification UserPromptSubmit
    UserPromptExpansion SessionStart SessionEnd Stop StopFailure SubagentStart SubagentStop
    PreCompact PostCompact PreModelSwitch PostModelSwitch PermissionRequest PermissionDenied
    Setup TeammateIdle TaskCreated TaskCompleted Elicitation ElicitationResult ConfigChange
    WorktreeCreate WorktreeRemove InstructionsLoaded CwdChanged FileChanged DirectoryAdded
    MessageDisplay
  `.match(/\w+/g)

  test('is one of 33 known events', () => {
    expect(names).toHaveLength(33)
    for (const name of names ?? []) {
      const unknown = read(hook(name, {tool_use_id: 't'})).filter(({type}) => type === 'unknown')
      expect({name, unknown}).toEqual({name, unknown: []})
    }
  })

  test('is kept when it is unknown', () => {
    expect(read(hook('PostLunch'))).toMatchObject([{type: 'unknown', reason: 'PostLunch'}])
  })
})

describe('a turn', () => {
  test('begins with a prompt and succeeds with a stop', () => {
    expect(read(prompt, stop)).toMatchObject([
      {type: 'session-start', sessionId: 's', cwd: '/p'},
      {type: 'status', status: 'notice', detail: 'prompt: Fix it\nplease'},
      {type: 'text', text: 'Done.'},
      {type: 'turn-end', ok: true, text: 'Done.'},
    ])
    expect(judge(prompt, stop)).toBe('succeeded')
  })

  test('is not a success when the session ends before it', () => {
    expect(judge(prompt, stop, prompt, hook('SessionEnd', {reason: 'other'}))).toBe('truncated')
  })

  test('has a reason when it failed', () => {
    const failure = hook('StopFailure', {error: 'rate_limit', error_details: '429 slow down'})
    expect(read(prompt, failure).at(-1)).toMatchObject({
      type: 'turn-end',
      ok: false,
      subtype: 'rate_limit',
      errors: ['429 slow down'],
    })
    expect(judge(prompt, failure)).toBe('failed')
  })

  test('has ended when the session is compacted after it', () => {
    const compaction = [
      hook('PreCompact', {trigger: 'manual'}),
      hook('SubagentStop', {agent_id: 'a', agent_type: ''}),
      hook('SessionStart', {source: 'compact', model: 'm'}),
      hook('PostCompact', {trigger: 'manual'}),
    ]
    expect(judge(prompt, stop, ...compaction, hook('SessionEnd'))).toBe('succeeded')
    expect(read(...compaction, prompt).find(({type}) => type === 'session-start')).toMatchObject({
      model: 'm',
    })
  })

  test('is stopped when the user interrupted it', () => {
    const broken = hook('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_use_id: 't',
      error: 'stopped',
      is_interrupt: true,
    })
    expect(judge(prompt, call('t'), broken, hook('SessionEnd'))).toBe('stopped')
  })
})

describe('text', () => {
  const shown = (index: number, delta: string, fields: Payload = {}) =>
    hook('MessageDisplay', {message_id: 'm', index, final: false, delta, ...fields})

  test('is emitted once, in full or as deltas', () => {
    expect(texts(prompt, shown(0, 'Done.', {final: true}), stop)).toEqual(['text Done.'])
    expect(
      texts(
        prompt,
        shown(0, 'One.\n'),
        shown(1, 'Two.', {final: true}),
        hook('Stop', {last_assistant_message: 'One.\nTwo.'}),
      ),
    ).toEqual(['text-delta One.\n', 'text-delta Two.'])
  })

  test('is taken from the last message when it was not displayed', () => {
    expect(texts(prompt, stop)).toEqual(['text Done.'])
    expect(
      texts(prompt, shown(0, 'One.\n'), hook('Stop', {last_assistant_message: 'One.\nTwo.'})),
    ).toEqual(['text-delta One.\n', 'text-delta \nTwo.'])
  })

  test('does not begin a turn when it is displayed late', () => {
    const late = shown(0, 'Done.', {final: true})
    expect(texts(prompt, stop, late)).toEqual(['text Done.'])
    expect(judge(prompt, stop, late)).toBe('succeeded')
  })

  test('can be repeated in the next turn', () => {
    expect(texts(prompt, stop, prompt, shown(0, 'Done.', {final: true}), stop)).toEqual([
      'text Done.',
      'text Done.',
    ])
  })
})

describe('a tool', () => {
  test('is denied when the batch reports the denial of the user', () => {
    const request = hook('PermissionRequest', {tool_name: 'Bash', tool_input: {command: 'ls'}})
    const batch = hook('PostToolBatch', {
      tool_calls: [{tool_name: 'Bash', tool_use_id: 't', tool_response: 'No, thank you.'}],
    })
    expect(read(call('t'), request, batch)).toMatchObject([
      {type: 'tool-start', toolId: 't', tool: 'Bash'},
      {type: 'permission-request', toolId: 't'},
      {type: 'permission-denied', toolId: 't', reason: 'No, thank you.'},
      {type: 'tool-end', toolId: 't', ok: false, denied: true},
    ])
  })

  test('is denied once when a rule denied it', () => {
    const denial = hook('PermissionDenied', {tool_name: 'Bash', tool_use_id: 't', reason: 'no'})
    const batch = hook('PostToolBatch', {tool_calls: [{tool_use_id: 't', tool_response: 'no'}]})
    const types = read(call('t'), denial, batch).map(({type}) => type)
    expect(types).toEqual(['tool-start', 'permission-denied', 'tool-end'])
  })

  test('fails when it did not run for another reason', () => {
    const batch = hook('PostToolBatch', {tool_calls: [{tool_use_id: 't', tool_response: 'bad'}]})
    const [, end, ...rest] = read(call('t'), batch)
    expect(end).toMatchObject({type: 'tool-end', ok: false, error: 'bad'})
    expect(end).not.toHaveProperty('denied')
    expect(rest).toEqual([])
  })

  test('has one permission request for each of several equal calls', () => {
    const request = hook('PermissionRequest', {tool_name: 'Bash', tool_input: {command: 'ls'}})
    const asked = read(call('a'), call('b'), request, request).flatMap((event) =>
      event.type === 'permission-request' ? [event.toolId] : [],
    )
    expect(asked).toEqual(['a', 'b'])
  })

  test('may end before its start is reported', () => {
    const end = hook('PostToolUse', {
      tool_name: 'Bash',
      tool_use_id: 't',
      tool_response: {stdout: 'a', stderr: 'b'},
    })
    expect(read(end, call('t'), stop).filter(({type}) => type.startsWith('tool-'))).toMatchObject([
      {type: 'tool-start', toolId: 't'},
      {type: 'tool-end', toolId: 't', ok: true, output: 'a\nb'},
    ])
  })

  test('ends with its turn when no result is reported', () => {
    expect(read(call('t'), stop)).toMatchObject([
      {type: 'tool-start'},
      {type: 'text'},
      {type: 'tool-end', toolId: 't', unfinished: true},
      {type: 'turn-end'},
    ])
  })

  test.each([
    ['Read', {file: {content: 'text'}}, 'text'],
    ['Grep', {mode: 'content', content: 'a:1', filenames: []}, 'a:1'],
    ['Glob', {filenames: ['a', 'b']}, 'a\nb'],
    ['WebFetch', {result: 'page', bytes: 4}, 'page'],
    ['mcp__x__y', [{type: 'text', text: 'answer'}], 'answer'],
    ['Agent', {status: 'completed', content: [{type: 'text', text: 'report'}]}, 'report'],
    ['Edit', {filePath: '/p/a', originalFile: 'long'}, ''],
    ['Other', {odd: 1}, '{"odd":1}'],
    ['Bash', undefined, ''],
  ])('has its output as text: %s', (name, response, output) => {
    const end = hook('PostToolUse', {tool_name: name, tool_use_id: 't', tool_response: response})
    expect(read(end).at(-1)).toMatchObject({type: 'tool-end', ok: true, output})
  })

  test('changes the plan when it is a task tool', () => {
    const todos = [{content: 'one', status: 'completed'}]
    const written = hook('PostToolUse', {
      tool_name: 'TodoWrite',
      tool_use_id: 't',
      tool_input: {todos},
    })
    const created = hook('PostToolUse', {
      tool_name: 'TaskCreate',
      tool_use_id: 'u',
      tool_input: {subject: 'two'},
      tool_response: {task: {id: '1', subject: 'two'}},
    })
    expect(read(written, created).filter(({type}) => type === 'plan')).toMatchObject([
      {items: [{text: 'one', status: 'completed'}]},
      {items: [{text: 'two', status: 'pending'}]},
    ])
  })
})

describe('a sub-agent', () => {
  const agent = (id: string, type: string) =>
    call(id, {tool_name: 'Agent', tool_input: {subagent_type: type, description: `do ${type}`}})
  const begin = (id: string, type: string) =>
    hook('SubagentStart', {agent_id: id, agent_type: type})

  test('belongs to the call for its type, and so do its tools', () => {
    const events = read(
      agent('t1', 'plan'),
      agent('t2', 'explore'),
      begin('a2', 'explore'),
      begin('a1', 'plan'),
      call('t3', {agent_id: 'a2', agent_type: 'explore'}),
      hook('SubagentStop', {agent_id: 'a2', agent_type: 'explore'}),
    )
    expect(events.filter(({type}) => type.startsWith('task-'))).toMatchObject([
      {type: 'task-start', taskId: 'a2', toolId: 't2', description: 'do explore'},
      {type: 'task-start', taskId: 'a1', toolId: 't1', description: 'do plan'},
      {type: 'task-end', taskId: 'a2', toolId: 't2', ok: true},
    ])
    expect(events.find((event) => 'toolId' in event && event.toolId === 't3')).toMatchObject({
      parentToolId: 't2',
    })
  })

  test('does not end a turn when it fails', () => {
    const failure = hook('StopFailure', {agent_id: 'a1', error: 'overloaded'})
    const events = read(prompt, agent('t1', 'plan'), begin('a1', 'plan'), failure)
    expect(events).toContainEqual(expect.objectContaining({type: 'task-end', ok: false}))
    expect(events.some(({type}) => type === 'turn-end')).toBe(false)
  })
})

test('a session that is resumed by another process has no open tools', () => {
  const again = hook('SessionStart', {source: 'resume'})
  expect(read(hook('SessionStart', {source: 'startup'}), call('t'), again)).toMatchObject([
    {type: 'session-start'},
    {type: 'tool-start'},
    {type: 'tool-end', unfinished: true},
    {type: 'session-start'},
  ])
})

describe('a row of the transcript', () => {
  const row = (type: string, content: unknown, fields: Payload = {}): Payload => ({
    type,
    message: {content, ...(fields['message'] as Payload | undefined)},
    ...fields,
  })
  const answer = (text: string, fields: Payload = {}): Payload =>
    row('assistant', [{type: 'text', text}], fields)
  const denied = row(
    'user',
    [{type: 'tool_result', tool_use_id: 't', is_error: true, content: 'No.'}],
    {toolDenialKind: 'user-rejected'},
  )
  const interrupted = row('user', [{type: 'text', text: '[Request interrupted by user]'}])
  const asked = hook('PermissionRequest', {tool_name: 'Bash', tool_input: {command: 'ls'}})
  const ofTool = (events: AgentEvent[]): Partial<AgentEvent>[] =>
    events.flatMap((event): Partial<AgentEvent>[] =>
      event.type === 'tool-end' || event.type === 'permission-denied' ? [event] : [],
    )

  test('ends a denied call once', () => {
    const batch = hook('PostToolBatch', {tool_calls: [{tool_use_id: 't', tool_response: 'No.'}]})
    expect(ofTool(read(prompt, call('t'), asked, denied, batch, denied))).toMatchObject([
      {type: 'permission-denied', toolId: 't'},
      {type: 'tool-end', toolId: 't', denied: true},
    ])
  })

  test('ends a running call as interrupted, not as denied', () => {
    const started = {vitrine: 'process-started', command: "/bin/bash -c eval 'ls'"}
    const events = read(prompt, call('t'), asked, started, denied, interrupted)
    expect(events.find(({type}) => type === 'tool-update')).toMatchObject({toolId: 't'})
    expect(ofTool(events)).toMatchObject([{type: 'tool-end', toolId: 't', ok: false}])
    expect(ofTool(events)[0]).not.toHaveProperty('denied', true)
  })

  test('reports an interruption by the user once', () => {
    const failure = hook('PostToolUseFailure', {
      tool_use_id: 't',
      tool_name: 'Bash',
      error: 'x',
      is_interrupt: true,
    })
    const events = read(prompt, call('t'), failure, interrupted, prompt, interrupted)
    const statuses = events.filter(
      (event) => event.type === 'status' && event.status === 'interrupted',
    )
    expect(statuses).toHaveLength(2)
  })

  test('has text only when hooks do not display it', () => {
    const display = hook('MessageDisplay', {delta: 'One.', index: 0, final: true, message_id: 'm'})
    expect(texts(prompt, display, answer('One.'), stop, answer('Done.'))).toEqual([
      'text One.',
      'text Done.',
    ])
    expect(texts(prompt, answer('One.'), stop, answer('Done.'))).toEqual([
      'text One.',
      'text Done.',
    ])
    expect(texts(prompt, answer('One.'), answer('Done.'), stop)).toEqual([
      'text One.',
      'text Done.',
    ])
  })

  test('has the text of an interrupted response, which hooks do not display', () => {
    const display = hook('MessageDisplay', {delta: 'One.', index: 0, final: true, message_id: 'm'})
    const cut = answer('A rather long', {isAbortedMidStream: true})
    expect(texts(prompt, display, stop, prompt, cut, interrupted).at(-1)).toBe('text A rather long')
  })

  test('has the version for the next prompt', () => {
    const events = read(prompt, answer('x', {version: '2.1.325'}), prompt)
    expect(events.findLast(({type}) => type === 'session-start')).toMatchObject({
      agentVersion: '2.1.325',
    })
  })
})

test('an interactive session is idle, waits for permission, works and is interrupted as in reality', () => {
  const path = fileURLToPath(new URL('fixtures/2.1.325/interactive.jsonl', import.meta.url))
  const parser = createEventParser(claudeHooks, {now: () => 1})
  let state = initialRunState
  const seen = readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => {
      state = parser.parse(line).reduce(reduceRunState, state)
      return `${state.status} ${explainWaiting(state, 1, 1).why}`
    })
  const changes = seen.flatMap((now, index) =>
    now === seen[index - 1] ? [] : [`${index + 1} ${now}`],
  )
  expect(changes).toEqual([
    // Nothing is typed yet.
    '1 idle idle',
    // A permission that is given: the tool runs.
    '2 working thinking',
    '4 working writing',
    '5 working waiting-for-tool',
    '9 waiting waiting-for-permission',
    '11 working waiting-for-tool',
    '12 working thinking',
    '15 working writing',
    '16 idle idle',
    // One that is denied with Escape.
    '20 working thinking',
    '22 working waiting-for-tool',
    '24 waiting waiting-for-permission',
    '25 working thinking',
    '26 idle idle',
    // One that is given, and the tool interrupted.
    '28 working thinking',
    '30 working waiting-for-tool',
    '32 waiting waiting-for-permission',
    '33 working waiting-for-tool',
    '34 working thinking',
    '35 idle idle',
    // An answer that is interrupted.
    '36 working thinking',
    '38 working writing',
    '39 idle idle',
    // One that is denied in the dialog.
    '40 working thinking',
    '42 working waiting-for-tool',
    '44 waiting waiting-for-permission',
    '45 working thinking',
    '46 idle idle',
  ])
})
