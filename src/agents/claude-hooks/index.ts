import type {Adapter} from '../../core/events/adapter.ts'
import {kindOf, shapes} from './shapes.ts'
import {createTranslator} from './translate.ts'

/**
 * Interactive sessions of Claude Code: a line for each payload of a hook. No command prints such lines; `vitrine hook`
 * records them.
 */
export const claudeHooks: Adapter = {
  id: 'claude-hooks',
  label: 'Claude Code (hooks)',
  commands: [],
  packages: [],
  detect: ({hook_event_name: name}) => (typeof name === 'string' ? 3 : 0),
  flags: () => [],
  printsText: () => false,
  findPrompt: () => undefined,
  isSession: true,
  reports: {thinking: true, permissions: true, cost: true},
  kindOf,
  shapes,
  createTranslator,
}
