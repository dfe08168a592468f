const SESSION = '73322f5f-2739-4085-aac9-e9806978251e'

let count = 0

/** A line of a stream as Claude prints it: the beginning of a session. */
export function init(fields: object = {}): object {
  return {
    type: 'system',
    subtype: 'init',
    cwd: '/home/dev/project',
    session_id: SESSION,
    tools: ['Bash', 'Read', 'Write'],
    mcp_servers: [],
    model: 'claude-opus-5-5',
    permissionMode: 'default',
    claude_code_version: '2.1.325',
    ...fields,
  }
}

/** A message of the agent with these blocks. */
export function assistant(content: readonly object[], fields: object = {}): object {
  return {
    type: 'assistant',
    message: {
      id: `msg_${++count}`,
      type: 'message',
      role: 'assistant',
      model: 'claude-opus-5-5',
      content,
      usage: {input_tokens: 12, output_tokens: 5},
    },
    parent_tool_use_id: null,
    session_id: SESSION,
    ...fields,
  }
}

/** Text of the agent. */
export function says(text: string): object {
  return assistant([{type: 'text', text}])
}

/** A call of a tool. */
export function calls(id: string, name: string, input: unknown): object {
  return assistant([{type: 'tool_use', id, name, input}])
}

/** The result of a call. */
export function returns(id: string, content: unknown, isError = false): object {
  const block = {tool_use_id: id, type: 'tool_result', content, is_error: isError}
  return {
    type: 'user',
    message: {role: 'user', content: [block]},
    parent_tool_use_id: null,
    session_id: SESSION,
  }
}

/** The end of a turn. */
export function result(text: string, fields: object = {}): object {
  return {
    type: 'result',
    subtype: 'success',
    is_error: false,
    duration_ms: 212,
    num_turns: 1,
    result: text,
    session_id: SESSION,
    total_cost_usd: 0.0125,
    usage: {input_tokens: 12, output_tokens: 5},
    ...fields,
  }
}

/** Lines as they are printed. */
export function toStream(records: readonly (object | string)[]): string {
  return records
    .map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`)
    .join('')
}
