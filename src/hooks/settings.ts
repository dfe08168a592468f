import {visit, type JSONPath} from 'jsonc-parser'
import {isRecord, type JsonObject} from '../core/wire/json.ts'
import {appendHook, removeAt} from './edit-settings.ts'
import {isNestedDeeper} from './json-depth.ts'

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
const LATER_SINCE = '2.1.251'

/** The events to install for a version of Claude Code; `null` for an unknown version. */
export function eventsFor(version: string | null): readonly string[] {
  const isVersion = version !== null && /^\d/.test(version)
  const isNew = isVersion && version.localeCompare(LATER_SINCE, 'en', {numeric: true}) >= 0
  return isNew ? ALL_EVENTS : KNOWN_EVENTS
}

/** Claude Code cancels a hook that takes longer. */
const TIMEOUT_SECONDS = 10

/** Adds one hook of Vitrine per event; everything else stays unchanged. */
export function addHooks(settings: string, command: string, events: readonly string[]): string {
  const isOutdated = (call: OurHook) => call.command !== command || !events.includes(call.event)
  const text = removeWhere(settings.trim() === '' ? '{}\n' : settings, isOutdated)
  // A second hook for an event would record every payload twice.
  const known = new Set(findCalls(text).map(({event}) => event))
  const group = {hooks: [{type: 'command', command, timeout: TIMEOUT_SECONDS}]}
  return events
    .filter((event) => !known.has(event))
    .reduce((added, event) => appendHook(added, event, group), text)
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
  return findCalls(settings).flatMap(({event, command, isInstalled}) =>
    isInstalled ? [{event, command}] : [],
  )
}

/** Lists the events with a manually written hook that calls Vitrine; these hooks are not changed. */
export function listHandWritten(settings: string): string[] {
  const events = findCalls(settings).flatMap(({event, isInstalled}) => (isInstalled ? [] : [event]))
  return [...new Set(events)]
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
  if (odd !== undefined) return `"hooks.${odd[0]}" is not a list`
  const duplicate = findDuplicate(settings)
  return duplicate === undefined ? undefined : `"${duplicate}" occurs twice`
}

/** Finds a repeated name in the hooks: Claude Code uses the last one, and an edit would change the first. */
function findDuplicate(settings: string): string | undefined {
  const seen = new Set<string>()
  let duplicate: string | undefined
  visit(settings, {
    onObjectProperty(name, _offset, _length, _line, _character, pathOf) {
      const path = [...pathOf(), name]
      if (path[0] !== 'hooks') return
      const key = path.join('.')
      if (seen.has(key)) duplicate ??= key
      seen.add(key)
    },
  })
  return duplicate
}

/** The parser of positions is recursive. */
const MAX_DEPTH = 500

/** Whether all hooks are disabled. */
export function areDisabled(settings: string): boolean {
  return parse(settings)['disableAllHooks'] === true
}

function parse(settings: string): JsonObject {
  const value: unknown = settings.trim() === '' ? {} : JSON.parse(settings)
  return isRecord(value) ? value : {}
}

function removeWhere(settings: string, isUnwanted: (ours: OurHook) => boolean): string {
  // From the last to the first, so that paths stay valid.
  return findCalls(settings)
    .filter((call) => call.isInstalled && isUnwanted(call))
    .reduceRight((text, {path}) => removeAt(text, path), settings)
}

/** A hook that calls Vitrine. */
interface FoundHook extends OurHook {
  /** Whether it is exactly as `vitrine hooks install` writes it; other hooks belong to the user. */
  isInstalled: boolean
  path: JSONPath
}

function findCalls(settings: string): FoundHook[] {
  const {hooks} = parse(settings)
  if (!isRecord(hooks)) return []
  return Object.keys(hooks).flatMap((event) =>
    listAt(hooks, event).flatMap((group, groupIndex) =>
      listAt(group, 'hooks').flatMap((hook, index) => {
        const call = readCall(hook)
        if (call === undefined) return []
        const isInstalled = call.isInstalled && isRecord(group) && Object.keys(group).length === 1
        const path = ['hooks', event, groupIndex, 'hooks', index]
        return [{event, command: call.command, isInstalled, path}]
      }),
    ),
  )
}

function listAt(value: unknown, name: string): unknown[] {
  const list = isRecord(value) ? value[name] : undefined
  return Array.isArray(list) ? list : []
}

/** Parses a hook that calls Vitrine. */
function readCall(hook: unknown): {command: string; isInstalled: boolean} | undefined {
  if (!isRecord(hook) || hook['type'] !== 'command') return undefined
  const {command, timeout} = hook
  if (typeof command !== 'string' || !OURS.test(command)) return undefined
  return {command, isInstalled: timeout === TIMEOUT_SECONDS && Object.keys(hook).length === 3}
}

/** By name, or by the quoted paths of Node and of this program. */
const OURS = /^(?:vitrine|(["']).+\1 (["']).+[\\/]bin\.js\2) hook(?: --data-dir .+)?$/
