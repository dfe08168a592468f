import type {AgentEvent, ToolKind} from '../events/events.ts'
import type {RunState} from './run-state.ts'

/**
 * The activity of a run over time, in at most 120 characters, oldest first: `.` none, `m` model, `w` wait, and for tools
 * `l` read, `c` edit, `r` run, `x` web, `h` sub-agent, `o` other; upper case when a tool failed.
 */
export interface Pulse {
  /** Records an event and the state after it. */
  record(state: RunState, at: number, event?: AgentEvent): void
  /** Returns the last ten minutes in slots of five seconds; the last slot is now. */
  readRecent(now: number): string
  /** Returns the whole run in slots of equal length. */
  readAll(at: number): string
}

const MAX_SLOTS = 120
const RECENT_SLOT_MS = 5000
/** The initial length of a slot of the whole run; it doubles whenever there are too many slots. */
const FIRST_SLOT_MS = 500

/** In ascending priority: a slot shows the last of its letters. */
const LETTERS = '.mwolcrxh'
const FAILED = 16

const TOOL_LETTERS: Readonly<Record<ToolKind, string>> = {
  Read: 'l',
  Grep: 'l',
  Glob: 'l',
  Edit: 'c',
  Write: 'c',
  Bash: 'r',
  WebFetch: 'x',
  WebSearch: 'x',
  Mcp: 'x',
  Task: 'h',
  Todo: 'o',
  Other: 'o',
}

/** The latest time that a date can have. */
const MAX_TIME = 8.64e15

/** Creates the pulse of a run. */
export function createPulse(startedAt: number): Pulse {
  const recent = new Uint8Array(MAX_SLOTS)
  const all = new Uint8Array(MAX_SLOTS)
  let slotMs = FIRST_SLOT_MS
  /** The newest of the recent slots, counted from 1970. */
  let newest = toRecentSlot(startedAt)
  let lastAt = startedAt
  let current = 0

  return {
    record(state, at, event) {
      paintTo(at)
      if (event?.type === 'tool-end' && !event.ok && event.unfinished !== true) {
        paint(lastAt, Math.max(current, LETTERS.indexOf('o')) + FAILED)
      }
      current = LETTERS.indexOf(toLetter(state))
      paint(lastAt, current)
    },
    readRecent(now) {
      paintTo(now)
      const first = Math.max(toRecentSlot(startedAt), newest - MAX_SLOTS + 1)
      let text = ''
      for (let slot = first; slot <= newest; slot++)
        text += formatSlot(recent[slot % MAX_SLOTS] ?? 0)
      return text
    },
    readAll(at) {
      paintTo(at)
      const count = Math.min(MAX_SLOTS, Math.floor((lastAt - startedAt) / slotMs) + 1)
      let text = ''
      for (let slot = 0; slot < count; slot++) text += formatSlot(all[slot] ?? 0)
      return text
    },
  }

  /** Extends the current activity up to a time. */
  function paintTo(time: number): void {
    const at = Math.min(time, MAX_TIME)
    if (!(at > lastAt)) return
    // Only the last slots are shown, however long the time was.
    const from = Math.max(lastAt, at - MAX_SLOTS * RECENT_SLOT_MS)
    for (let slot = toRecentSlot(from); slot <= toRecentSlot(at); slot++) paintRecent(slot, current)
    while (at - startedAt >= slotMs * MAX_SLOTS) mergePairs()
    const last = toAllSlot(at)
    for (let slot = toAllSlot(lastAt); slot <= last; slot++) paintAll(slot, current)
    lastAt = at
  }

  function paint(at: number, code: number): void {
    paintRecent(toRecentSlot(at), code)
    paintAll(toAllSlot(at), code)
  }

  function paintRecent(slot: number, code: number): void {
    // A wrong clock may skip thousands of years: all slots are cleared at most once.
    newest = Math.max(newest, slot - MAX_SLOTS)
    // The slots are a ring: older content is from ten minutes ago.
    for (; newest < slot; newest++) recent[(newest + 1) % MAX_SLOTS] = 0
    const index = slot % MAX_SLOTS
    recent[index] = mergeSlots(recent[index] ?? 0, code)
  }

  function paintAll(slot: number, code: number): void {
    all[slot] = mergeSlots(all[slot] ?? 0, code)
  }

  function toAllSlot(at: number): number {
    return Math.max(0, Math.floor((at - startedAt) / slotMs))
  }

  function mergePairs(): void {
    for (let slot = 0; slot < MAX_SLOTS; slot++) {
      const one = all[slot * 2] ?? 0
      const other = all[slot * 2 + 1] ?? 0
      all[slot] = slot * 2 < MAX_SLOTS ? mergeSlots(one, other) : 0
    }
    slotMs *= 2
  }
}

function toRecentSlot(at: number): number {
  return Math.max(0, Math.floor(at / RECENT_SLOT_MS))
}

/** Merges two codes: the higher priority, and a failure of either. */
function mergeSlots(one: number, other: number): number {
  return Math.max(one % FAILED, other % FAILED) + (one >= FAILED || other >= FAILED ? FAILED : 0)
}

function formatSlot(code: number): string {
  const letter = LETTERS.charAt(code % FAILED)
  return code >= FAILED ? letter.toUpperCase() : letter
}

function toLetter({status, activity, openTools, openRequests}: RunState): string {
  if (openRequests.length > 0) return 'w'
  if (activity.type === 'api-retry') return 'w'
  if (activity.type === 'compacting' && activity.phase === 'start') return 'w'
  if (activity.type === 'rate-limit' && activity.isBlocking === true) return 'w'
  const tool = openTools.find(({tool: kind}) => kind !== 'Task') ?? openTools[0]
  if (tool !== undefined) return TOOL_LETTERS[tool.tool]
  return status === 'working' ? 'm' : '.'
}
