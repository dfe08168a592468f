import type {AgentEvent, TextEvent, ToolKind, ToolStartEvent} from '../../core/events/events.ts'
import {PROMPT_PREFIX} from '../../core/events/drafts.ts'
import {isRecord, toText} from '../../core/wire/json.ts'
import {maskSecrets} from '../../secrets/mask-secrets.ts'

/** The kinds of searchable moments. */
export const MOMENT_ROLES = [
  'prompt',
  'reply',
  'thinking',
  'command',
  'edit',
  'read',
  'output',
  'error',
  'other',
] as const

/** The kind of a searchable moment. */
export type MomentRole = (typeof MOMENT_ROLES)[number]

/** A part of a run or session that a search can find. */
export interface Moment {
  role: MomentRole
  /** The role, or the kind of the tool. */
  label: string
  at: number
  /** Without secrets. */
  text: string
}

/** Collects the moments of a session. */
export interface MomentCollector {
  see(event: AgentEvent): void
  /** Adds a text that is in no event. */
  add(role: MomentRole, label: string, at: number, text: string): void
  end(): void
}

/** How much of what a person or an agent wrote is searchable. */
const MAX_TEXT_LENGTH = 10_000
/** How much of what a tool received or returned is searchable: most of it is copied from files. */
const MAX_TOOL_LENGTH = 2000
/** Secrets are masked before a text is cut, so that no part of one remains. */
const MAX_SECRET_LENGTH = 2000

/** Creates a collector of moments. Text that arrives as deltas is one moment. */
export function createMomentCollector(found: (moment: Moment) => void): MomentCollector {
  /** The tool of each call, for the label of its result. */
  const tools = new Map<string, string>()
  let pending: {key: string; at: number; text: string; isReply: boolean} | undefined

  return {see, add, end: flush}

  function see(event: AgentEvent): void {
    const {at} = event
    switch (event.type) {
      case 'text-delta':
      case 'thinking-delta':
        return join(event)
      case 'text':
        return add('reply', 'Reply', at, event.text)
      case 'thinking':
        return add('thinking', 'Thinking', at, event.text)
      case 'status':
        if (!event.detail.startsWith(PROMPT_PREFIX)) return
        return add('prompt', 'Prompt', at, event.detail.slice(PROMPT_PREFIX.length))
      case 'tool-start': {
        const label = labelOf(event)
        tools.set(event.toolId, label)
        return add(roleOf(event.tool), label, at, textOf(event.input))
      }
      case 'tool-end': {
        const {toolId, ok, output, error = ''} = event
        const label = tools.get(toolId) ?? 'Tool'
        tools.delete(toolId)
        if (ok) return add('output', `${label} output`, at, output)
        const text = output.includes(error) ? output : `${error}\n${output}`
        return add('error', `${label} error`, at, text)
      }
      case 'turn-end':
        for (const error of event.errors ?? []) add('error', 'Error', at, error)
    }
  }

  function join({type, at, text, messageId = ''}: TextEvent): void {
    const key = `${type} ${messageId}`
    if (pending?.key !== key) flush()
    pending ??= {key, at, text: '', isReply: type === 'text-delta'}
    if (pending.text.length < MAX_TEXT_LENGTH) pending.text += text
  }

  function flush(): void {
    if (pending === undefined) return
    const {at, text, isReply} = pending
    pending = undefined
    if (isReply) add('reply', 'Reply', at, text)
    else add('thinking', 'Thinking', at, text)
  }

  function add(role: MomentRole, label: string, at: number, text: string): void {
    flush()
    const length = TEXT_ROLES.has(role) ? MAX_TEXT_LENGTH : MAX_TOOL_LENGTH
    const masked = maskSecrets(text.slice(0, length + MAX_SECRET_LENGTH))
    const cut = masked.slice(0, length).trim()
    if (cut !== '') found({role, label, at, text: cut})
  }
}

const TEXT_ROLES: ReadonlySet<MomentRole> = new Set(['prompt', 'reply', 'thinking'])

/** The name that the feed shows too. */
function labelOf({tool, name}: ToolStartEvent): string {
  return tool === 'Mcp' || tool === 'Other' ? name : tool
}

function roleOf(tool: ToolKind): MomentRole {
  if (tool === 'Bash') return 'command'
  if (tool === 'Edit' || tool === 'Write') return 'edit'
  return tool === 'Read' || tool === 'Grep' || tool === 'Glob' ? 'read' : 'other'
}

/** The values of the input of a tool, without the names of its fields, limits and switches. */
function textOf(input: unknown): string {
  if (!isRecord(input)) return toText(input)
  return Object.values(input)
    .filter((value) => typeof value !== 'number' && typeof value !== 'boolean')
    .map((value) => toText(value))
    .join('\n')
}
