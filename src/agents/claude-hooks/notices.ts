import type {Draft} from '../../core/events/adapter.ts'
import {reportStatus} from '../../core/events/drafts.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

/** The `key` of the event that reports the end of a session. */
export const SESSION_KEY = 'session'

/** Reads a payload that only reports a status; empty for any other. */
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
      return notice('setup', text('trigger'))
    case 'Notification':
      return notice(text('title'), text('message'))
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
      return notice('instructions loaded', text('file_path'))
    case 'ConfigChange':
      return notice('settings changed', text('file_path') || text('source'))
    case 'UserPromptExpansion':
      return notice('command', `/${text('command_name')} ${text('command_args')}`.trim())
    case 'Elicitation':
      return notice(`${text('mcp_server_name')} requests input`, text('message'))
    case 'ElicitationResult':
      return notice(`${text('mcp_server_name')} was answered`, text('action'))
    case 'TaskCreated':
      return notice('task created', text('task_subject'))
    case 'TaskCompleted':
      return notice('task completed', text('task_subject'))
    case 'TeammateIdle':
      return notice('idle', text('teammate_name'))
    case 'CwdChanged':
      return notice('working directory', text('new_cwd'))
    case 'FileChanged':
      return notice('changed on disk', text('file_path'))
    case 'DirectoryAdded':
      return notice('folder added', text('directory'))
    case 'WorktreeCreate':
      return notice('worktree', text('name') || text('worktree_name'))
    case 'WorktreeRemove':
      return notice('worktree removed', text('worktree_path'))
    default:
      return []
  }
}

function notice(subject: string, text: string): Draft[] {
  return reportStatus('notice', [subject, text].filter((part) => part !== '').join(': '))
}
