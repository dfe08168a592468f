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
    case 'ConfigChange':
      return notice('settings changed', text('file_path') || text('source'))
    case 'UserPromptExpansion':
      return notice('command', `/${text('command_name')} ${text('command_args')}`.trim())
    case 'Elicitation':
      return notice(`${text('mcp_server_name')} requests input`, text('message'))
    case 'ElicitationResult':
      return notice(`${text('mcp_server_name')} was answered`, text('action'))
    case 'WorktreeCreate':
      return notice('worktree', text('name') || text('worktree_name'))
    default: {
      const [subject, field = ''] = NOTICES.get(payload['hook_event_name']) ?? []
      return subject === undefined ? [] : notice(subject, text(field))
    }
  }
}

/** The subject of a notice, and the field with its text. */
const NOTICES = new Map<unknown, [subject: string, field: string]>([
  ['Setup', ['setup', 'trigger']],
  ['InstructionsLoaded', ['instructions loaded', 'file_path']],
  ['TaskCreated', ['task created', 'task_subject']],
  ['TaskCompleted', ['task completed', 'task_subject']],
  ['TeammateIdle', ['idle', 'teammate_name']],
  ['CwdChanged', ['working directory', 'new_cwd']],
  ['FileChanged', ['changed on disk', 'file_path']],
  ['DirectoryAdded', ['folder added', 'directory']],
  ['WorktreeRemove', ['worktree removed', 'worktree_path']],
])

function notice(subject: string, text: string): Draft[] {
  return reportStatus('notice', [subject, text].filter((part) => part !== '').join(': '))
}
