import type {AgentEvent, ToolKind} from '../events/events.ts'
import type {RunState} from './run-state.ts'

/**
 * What a run was busy with, in at most 120 characters, the oldest first: `.` nothing, `m` the model, `w` waiting, and of
 * tools `l` looking, `c` changing, `r` running, `x` reaching out, `h` handing off, `o` others; a capital where one failed.
 */
export interface Pulse {
  /** Something happened, and this is what holds after it. */
  record(state: RunState, at: number, event?: AgentEvent): void
  /** The last ten minutes, in slots of five seconds; the last one is now. */
  readRecent(now: number): string
  /** All of it, in slots of equal length. */
  readAll(at: number): string
}

const MAX_SLOTS = 120
const RECENT_SLOT_MS = 5000
/** The length of a slot of a run that has just begun; it doubles whenever there are too many. */
const FIRST_SLOT_MS = 500

/** What matters less comes first: of two things in a slot the later letter is shown. */
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

/** No date is later. */
const MAX_TIME = 8.64e15

/** Makes the pulse of a run that begins. */
export function createPulse(startedAt: number): Pulse {
  const recent = new Uint8Array(MAX_SLOTS)
  const whole = new Uint8Array(MAX_SLOTS)
  let slotMs = FIRST_SLOT_MS
  /** The newest slot of the recent ones, counted from 1970. */
  let newest = slotOf(startedAt)
  let lastAt = startedAt
  let current = 0

  return {
    record(state, at, event) {
      paintTo(at)
      if (event?.type === 'tool-end' && !event.ok && event.unfinished !== true) {
        paint(lastAt, Math.max(current, LETTERS.indexOf('o')) + FAILED)
      }
      current = LETTERS.indexOf(letterOf(state))
      paint(lastAt, current)
    },
    readRecent(now) {
      paintTo(now)
      const first = Math.max(slotOf(startedAt), newest - MAX_SLOTS + 1)
      let text = ''
      for (let slot = first; slot <= newest; slot++) text += show(recent[slot % MAX_SLOTS] ?? 0)
      return text
    },
    readAll(at) {
      paintTo(at)
      const count = Math.min(MAX_SLOTS, Math.floor((lastAt - startedAt) / slotMs) + 1)
      let text = ''
      for (let slot = 0; slot < count; slot++) text += show(whole[slot] ?? 0)
      return text
    },
  }

  /** What went on went on up to here. */
  function paintTo(time: number): void {
    const at = Math.min(time, MAX_TIME)
    if (!(at > lastAt)) return
    // Of a long time only the last slots are ever shown.
    const from = Math.max(lastAt, at - MAX_SLOTS * RECENT_SLOT_MS)
    for (let slot = slotOf(from); slot <= slotOf(at); slot++) paintRecent(slot, current)
    while (at - startedAt >= slotMs * MAX_SLOTS) halve()
    const last = placeOf(at)
    for (let slot = placeOf(lastAt); slot <= last; slot++) paintWhole(slot, current)
    lastAt = at
  }

  function paint(at: number, code: number): void {
    paintRecent(slotOf(at), code)
    paintWhole(placeOf(at), code)
  }

  function paintRecent(slot: number, code: number): void {
    // After a long time all of it is: a damaged clock may tell of thousands of years.
    newest = Math.max(newest, slot - MAX_SLOTS)
    // What was there before is of ten minutes ago.
    for (; newest < slot; newest++) recent[(newest + 1) % MAX_SLOTS] = 0
    const index = slot % MAX_SLOTS
    recent[index] = join(recent[index] ?? 0, code)
  }

  function paintWhole(slot: number, code: number): void {
    whole[slot] = join(whole[slot] ?? 0, code)
  }

  function placeOf(at: number): number {
    return Math.max(0, Math.floor((at - startedAt) / slotMs))
  }

  function halve(): void {
    for (let slot = 0; slot < MAX_SLOTS; slot++) {
      const one = whole[slot * 2] ?? 0
      const other = whole[slot * 2 + 1] ?? 0
      whole[slot] = slot * 2 < MAX_SLOTS ? join(one, other) : 0
    }
    slotMs *= 2
  }
}

function slotOf(at: number): number {
  return Math.max(0, Math.floor(at / RECENT_SLOT_MS))
}

/** Two things in one slot: what matters more, and whether either failed. */
function join(one: number, other: number): number {
  return Math.max(one % FAILED, other % FAILED) + (one >= FAILED || other >= FAILED ? FAILED : 0)
}

function show(code: number): string {
  const letter = LETTERS.charAt(code % FAILED)
  return code >= FAILED ? letter.toUpperCase() : letter
}

function letterOf({status, activity, openTools, openRequests}: RunState): string {
  if (openRequests.length > 0) return 'w'
  if (activity.type === 'api-retry') return 'w'
  if (activity.type === 'compacting' && activity.phase === 'start') return 'w'
  if (activity.type === 'rate-limit' && activity.isBlocking === true) return 'w'
  const tool = openTools.find(({tool: kind}) => kind !== 'Task') ?? openTools[0]
  if (tool !== undefined) return TOOL_LETTERS[tool.tool]
  return status === 'working' ? 'm' : '.'
}
