import type {ToolKind} from '../../../src/core/events/events.ts'
import type {IconName} from './icon.tsx'

/** The kind of work of a tool, which decides its colour. Five colours remain distinct for every kind of sight. */
export type WorkKind = 'read' | 'edit' | 'shell' | 'web' | 'agent' | 'note'

/** The word for each kind of work. */
export const WORK_WORDS: Readonly<Record<WorkKind, string>> = {
  read: 'Read',
  edit: 'Edit',
  shell: 'Run',
  web: 'Web',
  agent: 'Sub-agent',
  note: 'Other',
}

/** The kind of work of each tool, and its icon. */
export const WORK: Readonly<Record<ToolKind, {kind: WorkKind; icon: IconName}>> = {
  Read: {kind: 'read', icon: 'read'},
  Grep: {kind: 'read', icon: 'search'},
  Glob: {kind: 'read', icon: 'search'},
  Edit: {kind: 'edit', icon: 'edit'},
  Write: {kind: 'edit', icon: 'write'},
  Bash: {kind: 'shell', icon: 'bash'},
  WebFetch: {kind: 'web', icon: 'web'},
  WebSearch: {kind: 'web', icon: 'web'},
  Mcp: {kind: 'web', icon: 'mcp'},
  Task: {kind: 'agent', icon: 'task'},
  Todo: {kind: 'note', icon: 'plan'},
  Other: {kind: 'note', icon: 'raw'},
}
