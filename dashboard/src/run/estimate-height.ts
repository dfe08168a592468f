import type {Entry} from '../model/entry.ts'

const LINE = 20
const PADDING = 6
/** Characters per line of text. */
const WIDTH = 76
/** Height of the body of an open tool call. */
const BODY = 130

/** Estimates the height of a row until it is measured. */
export function estimateHeight(entry: Entry, isOpen: boolean): number {
  switch (entry.type) {
    case 'text':
      if (entry.isThinking && !isOpen) return LINE + PADDING
      return Math.min(60, Math.ceil(entry.text.length / WIDTH) || 1) * LINE + PADDING
    case 'prompt':
      return Math.min(12, Math.ceil(entry.text.length / WIDTH)) * LINE + PADDING + 24
    case 'turn':
      return Math.min(40, Math.ceil(entry.text.length / WIDTH)) * LINE + 60
    case 'plan':
      return (entry.items.length + 1) * 22 + PADDING
    case 'tool':
      if (!isOpen || entry.tool === 'Task') return LINE + PADDING
      return LINE + PADDING + (entry.plan === undefined ? BODY : entry.plan.length * 22)
    default:
      return LINE + PADDING
  }
}
