import type {Draft} from '../../core/events/adapter.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

/** The `key` of the event that reports the end of a session. */
export const SESSION_KEY = 'session'

/** What a payload says that is news and nothing else; nothing when it says nothing. */
export function readNotice(payload: JsonObject): Draft[] {
  const text = (name: string) => textAt(payload, name) ?? ''
  switch (payload['hook_event_name']) {
    case 'SessionEnd':
      return [
        {
          type: 'status',
          status: 'notice',
          phase: 'end',
          key: SESSION_KEY,
          detail: ['session ended', text('reason')].filter(Boolean).join(': '),
        },
      ]
    case 'Setup':
      return say('setup', text('trigger'))
    case 'Notification':
      return say(text('title'), text('message'))
    case 'PreCompact':
      return [{type: 'status', status: 'compacting', phase: 'start', detail: 'compacting'}]
    case 'PostCompact': {
      const detail = ['compacted', text('trigger')].filter(Boolean).join(', ')
      return [{type: 'status', status: 'compacting', phase: 'end', detail}]
    }
    case 'PostModelSwitch':
      return [
        {
          type: 'status',
          status: 'model-fallback',
          detail: `${text('from_model')} to ${text('to_model')}`,
          model: text('to_model'),
        },
      ]
    case 'InstructionsLoaded':
      return say('instructions loaded', text('file_path'))
    case 'ConfigChange':
      return say('settings changed', text('file_path') || text('source'))
    case 'UserPromptExpansion':
      return say('command', `/${text('command_name')} ${text('command_args')}`.trim())
    case 'Elicitation':
      return say(`${text('mcp_server_name')} asks`, text('message'))
    case 'ElicitationResult':
      return say(`${text('mcp_server_name')} was answered`, text('action'))
    case 'TaskCreated':
      return say('task created', text('task_subject'))
    case 'TaskCompleted':
      return say('task completed', text('task_subject'))
    case 'TeammateIdle':
      return say('idle', text('teammate_name'))
    case 'CwdChanged':
      return say('works in', text('new_cwd'))
    case 'FileChanged':
      return say('changed on disk', text('file_path'))
    case 'DirectoryAdded':
      return say('folder added', text('directory'))
    case 'WorktreeCreate':
      return say('worktree', text('name') || text('worktree_name'))
    case 'WorktreeRemove':
      return say('worktree removed', text('worktree_path'))
    default:
      return []
  }
}

function say(what: string, about: string): Draft[] {
  const detail = [what, about].filter((part) => part !== '').join(': ')
  return detail === '' ? [] : [{type: 'status', status: 'notice', detail}]
}
