import type {Draft, OpenTool} from '../../core/events/adapter.ts'
import {numberAt, objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'

/** Background tasks: commands and sub-agents. */
export interface TaskLog {
  /** A sub-agent began, in the background or not. */
  startAgent(agentId: string, data: JsonObject, at?: number): Draft[]
  /** A sub-agent ended. */
  endAgent(agentId: string, ok: boolean, at?: number): Draft[]
  /** A tool ended: its command may continue in the background, or was stopped. */
  readToolEnd(tool: OpenTool | undefined, end: ToolEnd): Draft[]
  /** A background command ended. */
  readNotification(data: JsonObject, agentId: string | undefined, at?: number): Draft[]
}

/** The facts about the end of a tool that concern tasks. */
interface ToolEnd {
  toolId: string
  output: string
  agentId: string | undefined
  at?: number | undefined
}

/** Creates an empty log. */
export function createTaskLog(): TaskLog {
  const tasks = new Map<string, {toolId: string | undefined; description: string}>()
  return {
    startAgent(agentId, data, at) {
      if (data['executionMode'] !== 'background') return []
      const description = textAt(data, 'agentDescription') ?? textAt(data, 'agentDisplayName') ?? ''
      return start(agentId, textAt(data, 'toolCallId'), description, at)
    },
    endAgent: end,
    readToolEnd(tool, {toolId, output, agentId, at}) {
      if (tool?.tool === 'Bash') {
        // The output of a background command is short; scanning a long one would be slow.
        const answer = output.length < 2000 ? output : ''
        const shellId = /<command [^>]*?shellId: ([\w-]+)/.exec(answer)?.[1]
        if (shellId === undefined) return []
        const description = textAt(tool.input, 'description') ?? textAt(tool.input, 'command') ?? ''
        return start(shellTask(shellId, agentId), toolId, description, at)
      }
      const stopped =
        tool?.name.startsWith('stop_') === true ? textAt(tool.input, 'shellId') : undefined
      return stopped === undefined ? [] : end(shellTask(stopped, agentId), false, at)
    },
    readNotification(data, agentId, at) {
      const kind = objectAt(data, 'kind')
      const shellId = textAt(kind, 'shellId')
      if (shellId === undefined) return []
      const ok = (numberAt(kind, 'exitCode') ?? 0) === 0
      return end(shellTask(shellId, agentId), ok, at)
    },
  }

  function start(
    taskId: string,
    toolId: string | undefined,
    description: string,
    at?: number,
  ): Draft[] {
    if (tasks.has(taskId)) return []
    tasks.set(taskId, {toolId, description})
    return [{type: 'task-start', taskId, toolId, description, at}]
  }

  function end(taskId: string, ok: boolean, at?: number): Draft[] {
    const task = tasks.get(taskId)
    tasks.delete(taskId)
    return task === undefined ? [] : [{type: 'task-end', taskId, ...task, ok, at}]
  }
}

/** Unique per agent, because each one counts its shells from 0. */
function shellTask(shellId: string, agentId: string | undefined): string {
  return agentId === undefined ? `shell ${shellId}` : `${agentId} shell ${shellId}`
}
