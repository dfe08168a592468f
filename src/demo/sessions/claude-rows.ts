import {toTime, type Answer, type Conversation, type Row, type ToolCall} from './conversation.ts'
import {readChange} from './change.ts'

/** The rows of a session of Claude Code. */
export function listClaudeRows(conversation: Conversation): Row[] {
  const {cwd, sessionId, title, branch, model} = conversation
  const common = {
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version: '2.1.325',
    gitBranch: branch,
  }
  let parentUuid: string | null = null
  const rows: Row[] = []
  for (const [index, turn] of conversation.turns.entries()) {
    // Claude Code repeats the title, so that it is also near the end.
    rows.push({at: turn.at, record: {type: 'ai-title', aiTitle: title, sessionId}})
    add(turn.at, `${sessionId}-${index}`, {
      type: 'user',
      message: {role: 'user', content: turn.prompt},
      permissionMode: 'acceptEdits',
    })
    for (const answer of turn.answers) addAnswer(answer)
  }
  return rows

  function addAnswer(answer: Answer): void {
    const {at, id, text, tool} = answer
    const blocks = [
      ...(text === '' ? [] : [{type: 'text', text}]),
      ...(tool === undefined ? [] : [callOf(tool, cwd)]),
    ]
    for (const [index, block] of blocks.entries()) {
      const reason = tool === undefined ? 'end_turn' : 'tool_use'
      const message = {
        id: `msg_${id}`,
        type: 'message',
        role: 'assistant',
        model,
        content: [block],
        stop_reason: reason,
        stop_sequence: null,
        usage: usageOf(answer),
      }
      add(at, `${id}-${index}`, {message, requestId: `req_${id}`, type: 'assistant'})
    }
    if (tool === undefined) return
    const {content, details} = resultOf(tool, cwd)
    const isError = tool.kind === 'shell' && tool.exitCode !== 0
    const result = {tool_use_id: toolId(tool), type: 'tool_result', content, is_error: isError}
    add(tool.endedAt, `${id}-result`, {
      type: 'user',
      message: {role: 'user', content: [result]},
      toolUseResult: details,
    })
  }

  function add(at: number, uuid: string, row: object): void {
    const record = {parentUuid, isSidechain: false, ...row, uuid, timestamp: toTime(at), ...common}
    rows.push({at, record})
    parentUuid = uuid
  }
}

/** A session in a terminal keeps its cache for an hour. */
function usageOf({tokens}: Answer): object {
  return {
    input_tokens: tokens.input,
    cache_creation_input_tokens: tokens.cacheWrite,
    cache_read_input_tokens: tokens.cacheRead,
    output_tokens: tokens.output,
    service_tier: 'standard',
    cache_creation: {
      ephemeral_1h_input_tokens: tokens.cacheWrite,
      ephemeral_5m_input_tokens: 0,
    },
    speed: 'standard',
  }
}

function toolId({id}: ToolCall): string {
  return `toolu_${id}`
}

function callOf(tool: ToolCall, cwd: string): object {
  const call = {type: 'tool_use', id: toolId(tool)}
  switch (tool.kind) {
    case 'read':
      return {...call, name: 'Read', input: {file_path: `${cwd}/${tool.path}`}}
    case 'edit': {
      const {path, before, after} = tool
      const input = {file_path: `${cwd}/${path}`, old_string: before, new_string: after}
      return {...call, name: 'Edit', input}
    }
    case 'shell':
      return {...call, name: 'Bash', input: {command: tool.command}}
  }
}

function resultOf(tool: ToolCall, cwd: string): {content: string; details: unknown} {
  switch (tool.kind) {
    case 'read': {
      const lines = tool.content.split('\n')
      const file = {
        filePath: `${cwd}/${tool.path}`,
        content: tool.content,
        numLines: lines.length,
        startLine: 1,
        totalLines: lines.length,
      }
      const content = lines.map((line, index) => `${index + 1}\t${line}`).join('\n')
      return {content, details: {type: 'text', file}}
    }
    case 'edit': {
      const {path, before, after} = tool
      const filePath = `${cwd}/${path}`
      const {lines, removed, added} = readChange(tool)
      const patch = {oldStart: 18, oldLines: removed, newStart: 18, newLines: added, lines}
      return {
        content: `The file ${filePath} has been updated successfully.`,
        details: {filePath, oldString: before, newString: after, structuredPatch: [patch]},
      }
    }
    case 'shell': {
      const {output, exitCode} = tool
      if (exitCode !== 0) {
        const text = `Exit code ${exitCode}\n${output}`
        return {content: text, details: `Error: ${text}`}
      }
      return {
        content: output,
        details: {stdout: output, stderr: '', interrupted: false, isImage: false},
      }
    }
  }
}
