import {readChange} from './change.ts'
import {toTime, type Answer, type Conversation, type Row, type ToolCall} from './conversation.ts'

/** The rows of a session of Codex. */
export function listCodexRows({cwd, sessionId, branch, model, turns}: Conversation): Row[] {
  const rows: Row[] = []
  const startedAt = turns[0]?.at ?? 0
  let total = createUsage()
  add(startedAt, 'session_meta', {
    session_id: sessionId,
    id: sessionId,
    timestamp: toTime(startedAt),
    cwd,
    originator: 'codex_cli',
    cli_version: '0.166.0',
    source: 'cli',
    thread_source: 'user',
    model_provider: 'openai',
    git: {branch},
  })
  for (const [index, {at, prompt, answers}] of turns.entries()) {
    const turnId = `${sessionId.slice(0, -4)}${(index + 0x1000).toString(16)}`
    const seconds = Math.floor(at / 1000)
    add(at, 'event_msg', {
      type: 'task_started',
      turn_id: turnId,
      started_at: seconds,
      model_context_window: 258_400,
    })
    add(at, 'turn_context', {turn_id: turnId, cwd, model, approval_policy: 'on-request'})
    addMessage(at, 'user', 'input_text', prompt)
    const content = [{type: 'text', text: prompt}]
    addItem(at, turnId, {type: 'UserMessage', id: `${turnId}-prompt`, content})
    for (const answer of answers) addAnswer(answer, turnId)
    const last = answers.at(-1)
    if (last === undefined) continue
    add(last.at, 'event_msg', {
      type: 'task_complete',
      turn_id: turnId,
      last_agent_message: last.text,
      completed_at: Math.floor(last.at / 1000),
      duration_ms: last.at - at,
    })
  }
  return rows

  function addAnswer(answer: Answer, turnId: string): void {
    const {at, id, text, tool} = answer
    if (text !== '') {
      const content = [{type: 'Text', text}]
      addItem(at, turnId, {type: 'AgentMessage', id: `msg_${id}`, content})
      addMessage(at, 'assistant', 'output_text', text)
    }
    if (tool !== undefined) add(at, 'response_item', callOf(tool))
    const usage = usageOf(answer)
    total = sumUsage(total, usage)
    add(at, 'token_usage_record', {
      thread_id: sessionId,
      turn_id: turnId,
      session_id: sessionId,
      response_id: `resp_${id}`,
      usage,
      thread_token_usage: total,
    })
    if (tool !== undefined) addResult(tool, turnId)
    add(tool?.endedAt ?? at, 'event_msg', {
      type: 'token_count',
      info: {total_token_usage: total, last_token_usage: usage, model_context_window: 258_400},
      rate_limits: null,
    })
  }

  function addResult(tool: ToolCall, turnId: string): void {
    const {id, endedAt} = tool
    addItem(endedAt, turnId, {id: `call_${id}`, ...itemOf(tool, cwd)})
    const isEdit = tool.kind === 'edit'
    add(endedAt, 'response_item', {
      type: isEdit ? 'custom_tool_call_output' : 'function_call_output',
      call_id: `call_${id}`,
      output: outputOf(tool),
    })
  }

  function addItem(at: number, turnId: string, item: object): void {
    add(at, 'event_msg', {
      type: 'item_completed',
      thread_id: sessionId,
      turn_id: turnId,
      item,
      completed_at_ms: at,
    })
  }

  function addMessage(at: number, role: string, type: string, text: string): void {
    add(at, 'response_item', {type: 'message', role, content: [{type, text}]})
  }

  function add(at: number, type: string, payload: object): void {
    rows.push({at, record: {timestamp: toTime(at), ordinal: rows.length, type, payload}})
  }
}

function createUsage() {
  return {
    input_tokens: 0,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: 0,
  }
}

type Usage = ReturnType<typeof createUsage>

/** Codex counts tokens from the cache as input too. */
function usageOf({tokens}: Answer): Usage {
  const {input, output, cacheRead, cacheWrite} = tokens
  return {
    input_tokens: input + cacheRead + cacheWrite,
    cached_input_tokens: cacheRead,
    output_tokens: output,
    reasoning_output_tokens: 0,
    total_tokens: input + cacheRead + cacheWrite + output,
  }
}

function sumUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    cached_input_tokens: a.cached_input_tokens + b.cached_input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    reasoning_output_tokens: 0,
    total_tokens: a.total_tokens + b.total_tokens,
  }
}

function callOf(tool: ToolCall): object {
  const call_id = `call_${tool.id}`
  if (tool.kind === 'edit') {
    const {lines} = readChange(tool)
    const input = `*** Begin Patch\n*** Update File: ${tool.path}\n@@\n${lines.join('\n')}\n*** End Patch\n`
    return {type: 'custom_tool_call', call_id, name: 'apply_patch', input}
  }
  const input = {cmd: commandOf(tool), yield_time_ms: 20_000}
  return {type: 'function_call', name: 'exec_command', arguments: JSON.stringify(input), call_id}
}

/** Codex has no tool for reading. */
function commandOf(tool: Exclude<ToolCall, {kind: 'edit'}>): string {
  return tool.kind === 'read' ? `cat ${tool.path}` : tool.command
}

function itemOf(tool: ToolCall, cwd: string): object {
  if (tool.kind === 'edit') {
    const {lines, removed, added} = readChange(tool)
    const unified_diff = `@@ -18,${removed} +18,${added} @@\n${lines.join('\n')}\n`
    const change = {type: 'update', unified_diff, move_path: null}
    return {
      type: 'FileChange',
      changes: {[`${cwd}/${tool.path}`]: change},
      status: 'completed',
      stdout: `Success. Updated the following files:\nM ${tool.path}\n`,
      stderr: '',
    }
  }
  const cmd = commandOf(tool)
  const isRead = tool.kind === 'read'
  const exit_code = isRead ? 0 : tool.exitCode
  const parsed = isRead
    ? {type: 'read', cmd, name: tool.path, path: tool.path}
    : {type: 'unknown', cmd}
  return {
    type: 'CommandExecution',
    command: ['/bin/bash', '-lc', cmd],
    cwd: `file://${cwd}`,
    parsed_cmd: [parsed],
    source: 'unified_exec_startup',
    status: exit_code === 0 ? 'completed' : 'failed',
    aggregated_output: isRead ? tool.content : tool.output,
    exit_code,
  }
}

function outputOf(tool: ToolCall): string {
  if (tool.kind === 'edit') {
    return `Exit code: 0\nWall time: 0 seconds\nOutput:\nSuccess. Updated the following files:\nM ${tool.path}\n`
  }
  const [exitCode, output] = tool.kind === 'read' ? [0, tool.content] : [tool.exitCode, tool.output]
  return `Wall time: 0.2000 seconds\nProcess exited with code ${exitCode}\nOutput:\n${output}\n`
}
