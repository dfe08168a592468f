import {isRecord} from '../core/wire/json.ts'
import {isNestedDeeper} from './json-depth.ts'
import {insertEntry, locate, removeEntry, valueOf, type JsonNode} from './json-text.ts'

/**
 * Events that every version of Claude Code with sessions supports. Older versions ignore a settings file with an
 * unknown event completely, including its permissions.
 */
const KNOWN_EVENTS = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'Notification',
  'Stop',
  'SubagentStop',
  'PreCompact',
  'SessionEnd',
]

/**
 * Later events. Three are left out: a hook for `WorktreeCreate` or `WorktreeRemove` replaces the built-in
 * behaviour, and `PreModelSwitch` duplicates `PostModelSwitch`.
 */
const LATER_EVENTS = [
  'MessageDisplay',
  'PermissionRequest',
  'PermissionDenied',
  'PostToolUseFailure',
  'PostToolBatch',
  'StopFailure',
  'SubagentStart',
  'PostCompact',
  'PostModelSwitch',
  'UserPromptExpansion',
  'TaskCreated',
  'TaskCompleted',
  'TeammateIdle',
  'Elicitation',
  'ElicitationResult',
]

export const ALL_EVENTS: readonly string[] = [...KNOWN_EVENTS, ...LATER_EVENTS]

/** The first version that supports all of them. */
const LATER_SINCE = [2, 1, 251]

/** The events to install for a version of Claude Code; `null` for an unknown version. */
export function eventsFor(version: string | null): readonly string[] {
  const numbers = (version ?? '0').split('.').map((part) => Number.parseInt(part, 10))
  const index = LATER_SINCE.findIndex((wanted, at) => (numbers[at] ?? 0) !== wanted)
  const isNew = index === -1 || (numbers[index] ?? 0) > (LATER_SINCE[index] ?? 0)
  return isNew ? ALL_EVENTS : KNOWN_EVENTS
}

/** Claude Code cancels a hook that takes longer. */
const TIMEOUT_SECONDS = 10

/** Adds one hook of Vitrine per event; everything else stays unchanged. */
export function addHooks(settings: string, command: string, events: readonly string[]): string {
  let text = removeOutdated(settings.trim() === '' ? '{}\n' : settings, command, events)
  for (const event of events) {
    // A second one would record every payload twice.
    if (listCalls(text).some((call) => call.event === event)) continue
    const group = {hooks: [{type: 'command', command, timeout: TIMEOUT_SECONDS}]}
    const root = locate(text)
    const hooks = valueOf(root, 'hooks')
    const list = valueOf(hooks, event)
    if (hooks === undefined) text = insertEntry(text, root, 'hooks', {[event]: [group]})
    else if (list === undefined) text = insertEntry(text, hooks, event, [group])
    else text = insertEntry(text, list, null, group)
  }
  return text
}

/** Removes the hooks of Vitrine, and lists and objects that become empty. */
export function removeHooks(settings: string): string {
  return removeWhere(settings, () => true)
}

export interface OurHook {
  event: string
  command: string
}

/** Lists the hooks that Vitrine has installed. */
export function listOurs(settings: string): OurHook[] {
  return listCalls(settings, true)
}

/** Lists the events with a manually written hook that calls Vitrine; these hooks are not changed. */
export function listHandWritten(settings: string): string[] {
  const events = findCalls(settings).flatMap(({event, isInstalled}) => (isInstalled ? [] : [event]))
  return [...new Set(events)]
}

function listCalls(settings: string, isOnlyInstalled = false): OurHook[] {
  return findCalls(settings).flatMap(({event, command, isInstalled}) =>
    isInstalled || !isOnlyInstalled ? [{event, command}] : [],
  )
}

/** Why the settings cannot be changed; `undefined` when they can. Unexpected structures are left alone. */
export function findFlaw(settings: string): string | undefined {
  if (settings.trim() === '') return undefined
  if (isNestedDeeper(settings, MAX_DEPTH)) return `nested deeper than ${MAX_DEPTH} levels`
  let value: unknown
  try {
    value = JSON.parse(settings)
  } catch (error) {
    // The error message quotes the file, which may contain secrets.
    const [, position] = /position (\d+)/.exec(String(error)) ?? []
    const line = settings.slice(0, Number(position ?? settings.length)).split('\n').length
    return `not valid JSON (line ${line})`
  }
  if (!isRecord(value)) return 'not a JSON object'
  const {hooks} = value
  if (hooks === undefined) return undefined
  if (!isRecord(hooks)) return '"hooks" is not an object'
  const odd = Object.entries(hooks).find(([, list]) => !Array.isArray(list))
  return odd === undefined ? undefined : `"hooks.${odd[0]}" is not a list`
}

/** The parser of positions is recursive. */
const MAX_DEPTH = 500

/** Whether all hooks are disabled. */
export function areDisabled(settings: string): boolean {
  const value: unknown = settings.trim() === '' ? {} : JSON.parse(settings)
  return isRecord(value) && value['disableAllHooks'] === true
}

/** Removes installed hooks with another command or for other events. */
function removeOutdated(settings: string, command: string, events: readonly string[]): string {
  return removeWhere(settings, (ours) => ours.command !== command || !events.includes(ours.event))
}

function removeWhere(settings: string, isUnwanted: (ours: OurHook) => boolean): string {
  let text = settings
  for (;;) {
    const found = findCalls(text).findLast((call) => call.isInstalled && isUnwanted(call))
    if (found === undefined) return text
    // Containers that would become empty are removed, too.
    const place = found.places.find(({node}) => node.entries.length > 1) ?? found.places.at(-1)
    if (place === undefined) return text
    text = removeEntry(text, place.node, place.index)
  }
}

/** A hook that calls Vitrine, with its position in each container from its group up to the settings. */
interface Found extends OurHook {
  /** Whether it is exactly as `vitrine hooks install` writes it; other hooks belong to the user. */
  isInstalled: boolean
  places: {node: JsonNode; index: number}[]
}

function findCalls(settings: string): Found[] {
  if (settings.trim() === '') return []
  const root = locate(settings)
  const index = root.entries.findLastIndex(({name}) => name === 'hooks')
  const events = root.entries[index]?.value
  return (events?.entries ?? []).flatMap(({name: event = '', value: groups}, eventIndex) =>
    groups.entries.flatMap(({value: group}, groupIndex) => {
      const hooks = valueOf(group, 'hooks')
      return (hooks?.entries ?? []).flatMap(({value}, hookIndex): Found[] => {
        const call = readCall(settings.slice(value.start, value.end))
        if (call === undefined || hooks === undefined || events === undefined) return []
        const isInstalled = call.isInstalled && group.entries.length === 1
        const places = [
          {node: hooks, index: hookIndex},
          {node: groups, index: groupIndex},
          {node: events, index: eventIndex},
          {node: root, index},
        ]
        return [{event, command: call.command, isInstalled, places}]
      })
    }),
  )
}

/** Parses a hook that calls Vitrine. */
function readCall(json: string): {command: string; isInstalled: boolean} | undefined {
  const hook: unknown = JSON.parse(json)
  if (!isRecord(hook) || hook['type'] !== 'command') return undefined
  const {command, timeout} = hook
  if (typeof command !== 'string' || !OURS.test(command)) return undefined
  return {command, isInstalled: timeout === TIMEOUT_SECONDS && Object.keys(hook).length === 3}
}

/** By name, or by the quoted paths of Node and of this program. */
const OURS = /^(?:vitrine|(["']).+\1 (["']).+[\\/]bin\.js\2) hook(?: --data-dir .+)?$/
