import {toTime, type Answer, type Conversation, type Row, type ToolCall} from './conversation.ts'

/** The rows of a session of Gemini CLI. */
export function listGeminiRows({cwd, sessionId, title, model, turns}: Conversation): Row[] {
  const rows: Row[] = []
  const startedAt = turns[0]?.at ?? 0
  const startTime = toTime(startedAt)
  const header = {
    sessionId,
    projectHash: sessionId,
    startTime,
    lastUpdated: startTime,
    kind: 'main',
  }
  rows.push({at: startedAt, record: header})
  for (const [index, {at, prompt, answers}] of turns.entries()) {
    const content = [{text: prompt}]
    const id = `${sessionId}-${index}`
    rows.push({at, record: {id, timestamp: toTime(at), type: 'user', content}})
    for (const answer of answers) addAnswer(answer)
    if (index > 0) continue
    const endedAt = answers.at(-1)?.at ?? at
    rows.push({at: endedAt, record: {$set: {summary: title, lastUpdated: toTime(endedAt)}}})
  }
  return rows

  function addAnswer(answer: Answer): void {
    const {at, id, text, tool} = answer
    const record = {
      id,
      timestamp: toTime(at),
      type: 'gemini',
      content: text,
      thoughts: [],
      tokens: tokensOf(answer),
      model,
    }
    if (tool === undefined) {
      rows.push({at, record})
      return
    }
    const {endedAt} = tool
    const timestamp = toTime(endedAt)
    const call = callOf(tool, cwd)
    rows.push({at: endedAt, record: {...record, toolCalls: [{...call, timestamp}]}})
    const response = {id: `${id}-response`, timestamp, type: 'user', content: call.result}
    rows.push({at: endedAt, record: response})
  }
}

/** Gemini CLI counts tokens from the cache as input too. */
function tokensOf({tokens}: Answer): object {
  const {output, cacheRead} = tokens
  const input = tokens.input + cacheRead + tokens.cacheWrite
  return {input, output, cached: cacheRead, thoughts: 0, tool: 0, total: input + output}
}

function callOf(tool: ToolCall, cwd: string) {
  const {name, args, output, display} = describeCall(tool, cwd)
  const id = `${name}__call_${tool.id}`
  const result = [{functionResponse: {id, name, response: {output}}}]
  return {id, name, args, result, status: 'success', resultDisplay: display}
}

function describeCall(
  tool: ToolCall,
  cwd: string,
): {name: string; args: object; output: string; display: unknown} {
  switch (tool.kind) {
    case 'read': {
      const {path, content} = tool
      return {name: 'read_file', args: {file_path: path}, output: content, display: ''}
    }
    case 'edit': {
      const {path, before, after} = tool
      const args = {file_path: path, old_string: before, new_string: after}
      const output = `Successfully modified file: ${cwd}/${path} (1 replacements).`
      return {name: 'replace', args, output, display: output}
    }
    case 'shell': {
      const {command, output, exitCode} = tool
      const exit = exitCode === 0 ? '' : `\nExit Code: ${exitCode}`
      const text = `Output: ${output}${exit}\nProcess Group PGID: 4711`
      return {name: 'run_shell_command', args: {command}, output: text, display: output}
    }
  }
}
