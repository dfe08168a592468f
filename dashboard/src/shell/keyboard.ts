import {createStore} from '../ui/create-store.ts'

/** The action of a key. */
interface KeyAction {
  /** For the list of all keys: `next run`. */
  words: string
  /** For the footer, short: `move`. Keys with the same label are shown together. */
  hint?: string | undefined
  /** Other keys for the same action, such as `ArrowDown`. */
  also?: readonly string[] | undefined
  /** Whether holding the key repeats the action. */
  canRepeat?: boolean | undefined
  /** Runs the action; `false` passes the key on to other scopes. */
  act(): void | boolean
}

/** Keys and their actions: `j`, `?`, `Enter`, or a sequence: `g r`. */
export type KeyTable = Readonly<Record<string, KeyAction>>

/** The keys of a part of the page. */
export interface KeyScope {
  /** The heading in the list of all keys: `Runs`. */
  title: string
  table: KeyTable
  /** Whether it blocks all other scopes. */
  isExclusive?: boolean | undefined
  /** Whether it is always tried last. */
  isOutermost?: boolean | undefined
}

/** A pressed key. */
export interface KeyPress {
  key: string
  isRepeated: boolean
  at: number
  /** The focused element, so that native keys keep working: text in fields, Enter on buttons, arrows in options. */
  focus: 'field' | 'option' | 'control' | 'page'
}

/** The timeout of a key sequence. */
const SEQUENCE_MS = 1000

/** Creates a registry of keyboard shortcuts. */
export function createKeyboard() {
  /** The active scopes, the innermost last. */
  const scopes = createStore<readonly KeyScope[]>([])
  let prefix: {key: string; at: number} | undefined

  function find(keys: string): KeyAction[] {
    const found: KeyAction[] = []
    for (const {table, isExclusive} of scopes.get().toReversed()) {
      for (const [name, action] of Object.entries(table)) {
        if (name === keys || action.also?.includes(keys) === true) found.push(action)
      }
      if (isExclusive === true) break
    }
    return found
  }

  return {
    add(scope: KeyScope) {
      const others = scopes.get()
      scopes.set(scope.isOutermost === true ? [scope, ...others] : [...others, scope])
      return () => scopes.set(scopes.get().filter((other) => other !== scope))
    },
    /** Runs the action of a key; returns whether there was one. */
    press({key, isRepeated, at, focus}: KeyPress): boolean {
      if (focus === 'field' && key !== 'Escape') return false
      if (focus === 'option' && key.startsWith('Arrow')) return false
      if (focus !== 'page' && (key === 'Enter' || key === ' ')) return false
      const isSecond = prefix !== undefined && at - prefix.at < SEQUENCE_MS
      const keys = isSecond ? `${prefix?.key} ${key}` : key
      prefix = undefined
      const actions = find(keys).filter(({canRepeat}) => !isRepeated || canRepeat === true)
      if (actions.some((action) => action.act() !== false)) return true
      const isFirst = scopes
        .get()
        .some(({table}) => Object.keys(table).some((name) => name.startsWith(`${key} `)))
      if (isFirst && !isRepeated) prefix = {key, at}
      return false
    },
    scopes,
  }
}

/** The keys to show in the footer: the innermost scopes first. */
export function listHints(scopes: readonly KeyScope[]) {
  const hints = new Map<string, string[]>()
  for (const {table} of scopes.toReversed()) {
    for (const [keys, {hint}] of Object.entries(table)) {
      if (hint !== undefined) hints.set(hint, [...(hints.get(hint) ?? []), keys])
    }
  }
  return Array.from(hints, ([hint, keys]) => ({hint, keys}))
}

/** The display form of a key: `⏎` for `Enter`. */
export function showKey(key: string): string {
  return SHOWN[key] ?? key
}

const SHOWN: Readonly<Record<string, string>> = {
  Enter: '⏎',
  Escape: 'esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ArrowLeft: '←',
  ArrowRight: '→',
  ' ': 'space',
}
