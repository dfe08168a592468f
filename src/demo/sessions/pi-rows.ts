import {toTime, type Answer, type Conversation, type Row, type ToolCall} from './conversation.ts'

/** The rows of a session of Pi. */
export function listPiRows({cwd, sessionId, title, model, turns}: Conversation): Row[] {
  const rows: Row[] = []
  const startedAt = turns[0]?.at ?? 0
  let parentId: string | null = null
  const header = {type: 'session', version: 3, id: sessionId, timestamp: toTime(startedAt), cwd}
  rows.push({at: startedAt, record: header})
  add(startedAt, {type: 'model_change', provider: PROVIDER, modelId: model})
  add(startedAt, {type: 'session_info', name: title})
  for (const {at, prompt, answers} of turns) {
    addMessage(at, {role: 'user', content: [{type: 'text', text: prompt}]})
    for (const answer of answers) addAnswer(answer)
  }
  return rows

  function addAnswer(answer: Answer): void {
    const {at, id, text, tool} = answer
    addMessage(at, {
      role: 'assistant',
      content: [
        ...(text === '' ? [] : [{type: 'text', text}]),
        ...(tool === undefined ? [] : [callOf(tool)]),
      ],
      api: 'anthropic-messages',
      provider: PROVIDER,
      model,
      usage: usageOf(answer),
      stopReason: tool === undefined ? 'stop' : 'toolUse',
      responseId: `msg_${id}`,
    })
    if (tool === undefined) return
    addMessage(tool.endedAt, {
      role: 'toolResult',
      toolCallId: `call_${tool.id}`,
      toolName: nameOf(tool),
      content: [{type: 'text', text: outputOf(tool)}],
      isError: tool.kind === 'shell' && tool.exitCode !== 0,
    })
  }

  function addMessage(at: number, message: object): void {
    add(at, {type: 'message', message: {...message, timestamp: at}})
  }

  function add(at: number, row: object): void {
    const id: string = rows.length.toString(16).padStart(8, '0')
    rows.push({at, record: {...row, id, parentId, timestamp: toTime(at)}})
    parentId = id
  }
}

const PROVIDER = 'anthropic'

function usageOf({tokens}: Answer): object {
  const {input, output, cacheRead, cacheWrite} = tokens
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    totalTokens: input + output + cacheRead + cacheWrite,
  }
}

function nameOf({kind}: ToolCall): string {
  return kind === 'shell' ? 'bash' : kind
}

function callOf(tool: ToolCall): object {
  return {type: 'toolCall', id: `call_${tool.id}`, name: nameOf(tool), arguments: argumentsOf(tool)}
}

function argumentsOf(tool: ToolCall): object {
  switch (tool.kind) {
    case 'read':
      return {path: tool.path}
    case 'edit':
      return {path: tool.path, edits: [{oldText: tool.before, newText: tool.after}]}
    case 'shell':
      return {command: tool.command}
  }
}

function outputOf(tool: ToolCall): string {
  switch (tool.kind) {
    case 'read':
      return tool.content
    case 'edit':
      return `Successfully replaced 1 block(s) in ${tool.path}.`
    case 'shell': {
      const {output, exitCode} = tool
      return exitCode === 0 ? output : `${output}\n\nCommand exited with code ${exitCode}`
    }
  }
}
