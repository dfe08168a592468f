import {firstLine, escapeControls} from '../../../src/core/text/text.ts'
import {NOTICE_WORDS} from '../../../src/core/words/status-words.ts'
import {nameTool} from '../../../src/core/words/tool-words.ts'
import type {Entry, ToolEntry} from '../model/entry.ts'
import {formatTime} from '../ui/figures.ts'
import type {IconName} from '../ui/icon.tsx'
import {NOTICE_STYLES} from '../ui/notice-styles.ts'
import {WORK, type WorkKind} from '../ui/work.ts'

/** The appearance of an entry in a list. */
export interface EntrySummary {
  icon: IconName
  kind: WorkKind | 'think'
  /** Whether it has more than one line. */
  canOpen: boolean
  /** For screen readers. */
  label: string
}

export function describeEntry(entry: Entry): EntrySummary {
  switch (entry.type) {
    case 'session':
      return {icon: 'play', kind: 'note', canOpen: false, label: 'Session started'}
    case 'prompt':
      return {icon: 'user', kind: 'note', canOpen: false, label: 'Prompt'}
    case 'text':
      return entry.isThinking
        ? {icon: 'think', kind: 'think', canOpen: true, label: 'Thinking'}
        : {icon: 'text', kind: 'note', canOpen: false, label: 'Text'}
    case 'tool': {
      const {icon, kind} = WORK[entry.tool]
      const label = `${nameTool(entry)} ${escapeControls(entry.summary)}, ${stateOfTool(entry)}`
      return {icon: entry.isBackground ? 'hourglass' : icon, kind, canOpen: true, label}
    }
    case 'plan':
      return {icon: 'plan', kind: 'note', canOpen: true, label: 'Plan'}
    case 'notice':
      return {
        icon: NOTICE_STYLES[entry.kind].icon,
        kind: 'note',
        canOpen: false,
        label: `${NOTICE_WORDS[entry.kind]}: ${entry.text}`,
      }
    case 'request':
      return {icon: 'hand', kind: 'note', canOpen: false, label: `Asked to use ${entry.name}`}
    case 'task':
      return {icon: 'hourglass', kind: 'shell', canOpen: false, label: 'Background task'}
    case 'turn':
      return {icon: 'flag', kind: 'note', canOpen: false, label: `Result ${entry.turn}`}
    case 'odd':
      return {
        icon: 'raw',
        kind: 'note',
        canOpen: true,
        label: entry.isMalformed ? 'Malformed line' : 'Unknown record',
      }
    case 'end':
      return {icon: 'flag', kind: 'note', canOpen: false, label: 'Run ended'}
    default:
      return entry satisfies never
  }
}

/** The first line of a thought. Some agents make it a heading, whose marks are removed. */
export function firstThought(text: string): string {
  return escapeControls(firstLine(text).replace(/^#+ |^\*\*(.+)\*\*$/, '$1'))
}

function stateOfTool(entry: ToolEntry): string {
  const {ok, endAt, isDenied, isUnfinished, isAtMost, durationMs = 0} = entry
  if (endAt === undefined) return 'running'
  if (isUnfinished) return 'unfinished'
  if (isDenied) return 'denied'
  const took = `${isAtMost ? 'at most ' : ''}${formatTime(durationMs)}`
  return ok === false ? `failed after ${took}` : `done in ${took}`
}
