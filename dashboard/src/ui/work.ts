import type {ToolKind} from '../../../src/core/events/events.ts'
import type {IconName} from './icon.tsx'

/** The kind of work of a tool, which decides its colour. Five colours remain distinct for every kind of sight. */
export type WorkKind = 'look' | 'change' | 'shell' | 'reach' | 'hand' | 'note'

/** The word for each kind of work. */
export const WORK_WORDS: Readonly<Record<WorkKind, string>> = {
  look: 'Read',
  change: 'Edit',
  shell: 'Run',
  reach: 'Web',
  hand: 'Sub-agent',
  note: 'Other',
}

/** The kind of work of each tool, and its icon. */
export const WORK: Readonly<Record<ToolKind, {kind: WorkKind; icon: IconName}>> = {
  Read: {kind: 'look', icon: 'read'},
  Grep: {kind: 'look', icon: 'search'},
  Glob: {kind: 'look', icon: 'search'},
  Edit: {kind: 'change', icon: 'edit'},
  Write: {kind: 'change', icon: 'write'},
  Bash: {kind: 'shell', icon: 'bash'},
  WebFetch: {kind: 'reach', icon: 'web'},
  WebSearch: {kind: 'reach', icon: 'web'},
  Mcp: {kind: 'reach', icon: 'mcp'},
  Task: {kind: 'hand', icon: 'task'},
  Todo: {kind: 'note', icon: 'plan'},
  Other: {kind: 'note', icon: 'raw'},
}
