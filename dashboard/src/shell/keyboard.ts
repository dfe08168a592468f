/** What a key does. */
interface KeyAction {
  /** For the list of all keys: `next run`. */
  words: string
  /** For the foot of the page, short: `move`. Keys with the same one are shown together. */
  hint?: string | undefined
  /** Other keys for the same, such as `ArrowDown`. */
  also?: readonly string[] | undefined
  /** Whether holding the key down does it again and again. */
  canRepeat?: boolean | undefined
  /** Does it; `false` says that there was nothing to do, and leaves the key to others. */
  act(): void | boolean
}

/** Keys and what they do: `j`, `?`, `Enter`, or two after each other: `g r`. */
export type KeyTable = Readonly<Record<string, KeyAction>>

/** The keys of a part of the page. */
export interface KeyScope {
  /** Above its keys in the list of all: `Runs`. */
  title: string
  table: KeyTable
  /** While it is there, no other scope is asked. */
  isExclusive?: boolean | undefined
  /** It is asked last, whenever it came. */
  isOutermost?: boolean | undefined
}

/** A key as it was pressed. */
export interface KeyPress {
  key: string
  isRepeated: boolean
  at: number
  /** Where the focus is, to leave keys to whom they belong: text to fields, Enter to buttons, arrows to options. */
  focus: 'field' | 'option' | 'control' | 'page'
}

/** One place for all keyboard shortcuts. */
export interface Keyboard {
  add(scope: KeyScope): () => void
  /** Does what a key does; tells whether it did anything. */
  press(press: KeyPress): boolean
  /** What is active, the innermost last. */
  getScopes(): readonly KeyScope[]
  subscribe(listener: () => void): () => void
}

/** The second key of two comes within this time. */
const SEQUENCE_MS = 1000

/** Makes a keyboard without keys. */
export function createKeyboard(): Keyboard {
  const listeners = new Set<() => void>()
  let scopes: readonly KeyScope[] = []
  let prefix: {key: string; at: number} | undefined

  function set(next: readonly KeyScope[]): void {
    scopes = next
    for (const listener of listeners) listener()
  }

  function find(keys: string): KeyAction[] {
    const found: KeyAction[] = []
    for (const {table, isExclusive} of scopes.toReversed()) {
      for (const [name, action] of Object.entries(table)) {
        if (name === keys || action.also?.includes(keys) === true) found.push(action)
      }
      if (isExclusive === true) break
    }
    return found
  }

  return {
    add(scope) {
      set(scope.isOutermost === true ? [scope, ...scopes] : [...scopes, scope])
      return () => set(scopes.filter((other) => other !== scope))
    },
    press({key, isRepeated, at, focus}) {
      if (focus === 'field' && key !== 'Escape') return false
      if (focus === 'option' && key.startsWith('Arrow')) return false
      if (focus !== 'page' && (key === 'Enter' || key === ' ')) return false
      const isSecond = prefix !== undefined && at - prefix.at < SEQUENCE_MS
      const keys = isSecond ? `${prefix?.key} ${key}` : key
      prefix = undefined
      const actions = find(keys).filter(({canRepeat}) => !isRepeated || canRepeat === true)
      if (actions.some((action) => action.act() !== false)) return true
      const isFirst = scopes.some(({table}) =>
        Object.keys(table).some((name) => name.startsWith(`${key} `)),
      )
      if (isFirst && !isRepeated) prefix = {key, at}
      return false
    },
    getScopes: () => scopes,
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** Keys of the foot of the page. */
export interface KeyHint {
  keys: readonly string[]
  hint: string
}

/** What the foot of the page shows: the innermost scopes first. */
export function listHints(scopes: readonly KeyScope[]): KeyHint[] {
  const hints = new Map<string, string[]>()
  for (const {table} of scopes.toReversed()) {
    for (const [keys, {hint}] of Object.entries(table)) {
      if (hint !== undefined) hints.set(hint, [...(hints.get(hint) ?? []), keys])
    }
  }
  return Array.from(hints, ([hint, keys]) => ({hint, keys}))
}

/** A key as it is shown: `⏎` for `Enter`. */
export function showKey(key: string): string {
  return SHOWN[key] ?? key
}

const SHOWN: Readonly<Record<string, string>> = {
  Enter: '⏎',
  Escape: 'esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
  ' ': 'space',
}
