import {isRecord} from '../../core/index.ts'
import {insertEntry, locate, removeEntry, valueOf, type JsonNode} from './json-text.ts'

/**
 * The events that every version of Claude Code with sessions knows. An older one that reads the name of an event that it
 * does not know leaves out the whole file, with all that is allowed and denied in it.
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
 * Those that came later. Three are left out on purpose: whoever hooks into `WorktreeCreate` or `WorktreeRemove` has to do
 * that work for Claude, and `PreModelSwitch` says what `PostModelSwitch` says.
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

/** All events worth seeing. */
export const ALL_EVENTS: readonly string[] = [...KNOWN_EVENTS, ...LATER_EVENTS]

/** The first version that knows all of them. */
const LATER_SINCE = [2, 1, 251]

/** The events to hook into, for a version of Claude Code; `null` when it is not known. */
export function eventsFor(version: string | null): readonly string[] {
  const numbers = (version ?? '0').split('.').map((part) => Number.parseInt(part, 10))
  const index = LATER_SINCE.findIndex((wanted, at) => (numbers[at] ?? 0) !== wanted)
  const isNew = index === -1 || (numbers[index] ?? 0) > (LATER_SINCE[index] ?? 0)
  return isNew ? ALL_EVENTS : KNOWN_EVENTS
}

/** Claude gives up on a hook that takes longer; ours takes a moment. */
const TIMEOUT_SECONDS = 10

/** The settings with one hook of ours for each event, and everything else as it was. */
export function addHooks(settings: string, command: string, events: readonly string[]): string {
  let text = removeOthers(settings.trim() === '' ? '{}\n' : settings, command, events)
  for (const event of events) {
    if (listOurs(text).some((ours) => ours.event === event)) continue
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

/** The settings without the hooks of ours, and without what is empty then. */
export function removeHooks(settings: string): string {
  return removeWhere(settings, () => true)
}

/** A hook of ours in the settings. */
export interface OurHook {
  event: string
  command: string
}

/** The hooks of ours in the settings. */
export function listOurs(settings: string): OurHook[] {
  return findOurs(settings).map(({event, command}) => ({event, command}))
}

/**
 * Why the settings cannot be changed; `undefined` when they can. What is not as Claude wants it is left alone: who knows what
 * it is.
 */
export function findFlaw(settings: string): string | undefined {
  if (settings.trim() === '') return undefined
  let value: unknown
  try {
    value = JSON.parse(settings)
  } catch (error) {
    // The rest of what Node says quotes the file, which may hold secrets.
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

/** Whether Claude is told to call no hooks at all. */
export function areDisabled(settings: string): boolean {
  const value: unknown = settings.trim() === '' ? {} : JSON.parse(settings)
  return isRecord(value) && value['disableAllHooks'] === true
}

/** Takes out hooks of ours that are not as they would be written now. */
function removeOthers(settings: string, command: string, events: readonly string[]): string {
  return removeWhere(settings, (ours) => ours.command !== command || !events.includes(ours.event))
}

function removeWhere(settings: string, isUnwanted: (ours: OurHook) => boolean): string {
  let text = settings
  for (;;) {
    const found = findOurs(text).findLast(isUnwanted)
    if (found === undefined) return text
    // Whatever held nothing else goes with it.
    const place = found.places.find(({node}) => node.entries.length > 1) ?? found.places.at(-1)
    if (place === undefined) return text
    text = removeEntry(text, place.node, place.index)
  }
}

/** A hook of ours, and where it is: in the hooks of a group, in the groups of an event, in the events, in the settings. */
interface Found extends OurHook {
  places: {node: JsonNode; index: number}[]
}

function findOurs(settings: string): Found[] {
  if (settings.trim() === '') return []
  const root = locate(settings)
  const index = root.entries.findLastIndex(({name}) => name === 'hooks')
  const events = root.entries[index]?.value
  return (events?.entries ?? []).flatMap(({name: event = '', value: groups}, eventIndex) =>
    groups.entries.flatMap(({value: group}, groupIndex) => {
      const hooks = valueOf(group, 'hooks')
      return (hooks?.entries ?? []).flatMap(({value}, hookIndex): Found[] => {
        const command = commandOf(settings.slice(value.start, value.end))
        if (command === undefined || hooks === undefined || events === undefined) return []
        const places = [
          {node: hooks, index: hookIndex},
          {node: groups, index: groupIndex},
          {node: events, index: eventIndex},
          {node: root, index},
        ]
        return [{event, command, places}]
      })
    }),
  )
}

/** The command of a hook, if it is ours. */
function commandOf(json: string): string | undefined {
  const hook = JSON.parse(json) as unknown
  if (!isRecord(hook) || hook['type'] !== 'command') return undefined
  const {command} = hook
  return typeof command === 'string' && OURS.test(command) ? command : undefined
}

/** By name, or by the paths of Node and of this program, which are always in quotes. */
const OURS = /^(?:vitrine|(["']).+\1 (["']).+[\\/]bin\.js\2) hook(?: --data-dir .+)?$/
