import {isRecord, type JsonObject} from '../core/wire/json.ts'
import {findKey, KEY_TRIGGERS, RARE_KEY, RARE_TRIGGERS, maskValue, type Masked} from './kinds.ts'
import {isEnvName, isSecretValue, readName} from './names.ts'
import {findInPlace, PLACE_TRIGGERS} from './places.ts'

const TRIGGERS = new RegExp([...PLACE_TRIGGERS, ...KEY_TRIGGERS].join('|'), 'g')
/** For the few texts that contain a key with rare letters. */
const ALL_TRIGGERS = new RegExp(
  [...PLACE_TRIGGERS, ...KEY_TRIGGERS, ...RARE_TRIGGERS].join('|'),
  'g',
)
const MAX_ROUNDS = 4
/** The shortest text with a secret; most field names are shorter. */
const MIN_SECRET_TEXT = 'PWD=1234'
const HEADER = /(?:cookie|authorization)$/i

/**
 * Masks secrets: keys of known vendors, credentials in headers and URLs, private keys, and the values of
 * names such as `password`. Public prefixes stay visible; text without a secret is returned unchanged.
 *
 * @example
 * maskSecrets('DB_PASSWORD=hunter2') // 'DB_PASSWORD=***'
 */
export function maskSecrets(text: string): string {
  if (text.length < MIN_SECRET_TEXT.length) return text
  let masked = maskOnce(text)
  // Masking removes text between secrets, which can make a second secret recognizable.
  for (let last = text, rounds = 0; masked !== last && rounds < MAX_ROUNDS; rounds++) {
    last = masked
    masked = maskOnce(last)
  }
  return masked
}

/**
 * Masks secrets in every string of a JSON value, field names included. A string under a secret name is
 * masked completely. Returns the same value when there is nothing to mask, else a copy that shares
 * everything unchanged.
 */
export function maskSecretsIn<T>(value: T): T
export function maskSecretsIn(value: unknown): unknown {
  if (typeof value === 'string') return maskSecrets(value)
  if (!isContainer(value)) return value
  if (!holdsContainers(value)) return maskNode(value, NONE)
  const results = new Map<object, object>()
  const open: object[] = [value]
  for (let node = open.at(-1); node !== undefined; node = open.at(-1)) {
    if (results.has(node)) {
      open.pop()
      results.set(node, maskNode(node, results))
      continue
    }
    // Iterative, with itself as placeholder: a value may be nested deeper than the call stack.
    results.set(node, node)
    for (const child of Object.values(node)) {
      if (isContainer(child) && !results.has(child)) open.push(child)
    }
  }
  return results.get(value)
}

type Results = ReadonlyMap<object, object>

const NONE: Results = new Map()

function holdsContainers(node: object): boolean {
  for (const name in node) if (isContainer((node as JsonObject)[name])) return true
  return false
}

function maskNode(node: object, results: Results): object {
  // In an argument list the name precedes its value.
  if (Array.isArray(node)) {
    return mapChanged(node, (item, before) => maskEntry(flagIn(before), item, results))
  }
  const fields = node as JsonObject
  const owner = ownerOfValue(node)
  const nameOf = (name: string) => (name === 'value' && owner !== '' ? owner : name)
  let isSame = true
  for (const name in fields) {
    const field = fields[name]
    isSame =
      readFieldName(name).masked === name && maskEntry(nameOf(name), field, results) === field
    if (!isSame) break
  }
  // The common case: nothing to copy.
  if (isSame) return node
  const masked = new Map<string, unknown>()
  for (const [name, field] of Object.entries(fields)) {
    let shownName = readFieldName(name).masked
    if (shownName !== name) while (masked.has(shownName) || shownName in node) shownName += '*'
    masked.set(shownName, maskEntry(nameOf(name), field, results))
  }
  return Object.fromEntries(masked)
}

function maskEntry(name: string, field: unknown, results: Results): unknown {
  if (typeof field === 'string') return maskField(name, field)
  const masked = isContainer(field) ? (results.get(field) ?? field) : field
  // A repeated header is a list.
  if (!Array.isArray(masked) || !readFieldName(name).isHeader) return masked
  return mapChanged(masked, (item) => (typeof item === 'string' ? maskField(name, item) : item))
}

/** Whether a key is a short, plain name; other keys are treated as text. */
function isFieldName(name: string): boolean {
  return /^[\w$.-]{1,64}$/.test(name)
}

/** The parsed name of a field. */
interface FieldName {
  masked: string
  isHeader: boolean
  kind: ReturnType<typeof readName>
  isEnv: boolean
}

/** Cache of field names: messages repeat the same few. */
const fieldNames = new Map<string, FieldName>()
const MAX_FIELD_NAMES = 1000

function readFieldName(name: string): FieldName {
  const known = fieldNames.get(name)
  if (known !== undefined) return known
  const isName = isFieldName(name)
  const read = {
    masked: maskSecrets(name),
    isHeader: HEADER.test(name),
    kind: isName ? readName(name) : undefined,
    isEnv: isEnvName(name),
  }
  if (name.length > 64) return read
  if (fieldNames.size >= MAX_FIELD_NAMES) fieldNames.clear()
  fieldNames.set(name, read)
  return read
}

/** Maps a list; returns the list itself if nothing changes. */
function mapChanged(
  list: readonly unknown[],
  map: (item: unknown, before: unknown) => unknown,
): readonly unknown[] {
  const mapped = list.map((item, at) => map(item, list[at - 1]))
  return mapped.some((item, at) => item !== list[at]) ? mapped : list
}

/** The name of a flag such as `--password`. */
export function flagIn(item: unknown): string {
  return typeof item === 'string' && /^--?[A-Za-z][\w-]{1,40}$/.test(item) ? item : ''
}

/** In `{"name": "DB_PASSWORD", "value": "…"}` the name applies to the value. */
function ownerOfValue(node: object): string {
  const {name, key}: {name?: unknown; key?: unknown} = node
  const owner = name ?? key
  return typeof owner === 'string' && owner.length <= 64 ? owner : ''
}

/** Masks a text under a name; in a header only the secret part. */
export function maskField(name: string, text: string): string {
  const {isHeader, kind, isEnv} = readFieldName(name)
  if (isHeader && isFieldName(name)) {
    const head = `${name}: `
    return maskSecrets(head + text).slice(head.length)
  }
  const isSecret = kind && isSecretValue(text, kind, isEnv ? 'env' : 'quoted')
  return isSecret ? maskValue(text) : maskSecrets(text)
}

function maskOnce(text: string): string {
  let masked = ''
  let done = 0
  for (const {from, to, text: shown} of findSecrets(text)) {
    masked += text.slice(done, from) + shown
    done = to
  }
  return done === 0 ? text : masked + text.slice(done)
}

/** Finds the secrets of a text in order, each with its replacement. */
export function findSecrets(text: string): readonly Masked[] {
  const found: Masked[] = []
  let done = 0
  // Text after a mask counts as a new start, as it will when the masked text is masked again.
  const isFresh = (at: number, alone: boolean) => {
    return at === done || (at > done && isWordStart(text, at, alone))
  }
  const triggers = RARE_KEY.test(text) ? ALL_TRIGGERS : TRIGGERS
  triggers.lastIndex = 0
  while (triggers.test(text)) {
    const at = triggers.lastIndex - 1
    const secret = findInPlace(text, at) ?? findKey(text, at, isFresh)
    if (secret === undefined || secret.from < done) continue
    found.push(secret)
    done = secret.to
    triggers.lastIndex = Math.max(done, at + 1)
  }
  return found
}

/** Whether a word starts here; in nested JSON or terminal text it may follow the letter of an escape sequence. */
function isWordStart(text: string, at: number, alone: boolean): boolean {
  if (!(alone ? /[\w-]/ : /[A-Za-z0-9]/).test(text.charAt(at - 1))) return true
  return /(?:\\[nrtbfv]|\\u[0-9a-f]{4}|\\x[0-9a-f]{2}|%[0-9a-f]{2}|\[[\d;]{0,8}m)$/i.test(
    text.slice(Math.max(0, at - 12), at),
  )
}

/** Whether a value is an array or plain object; dates, bytes and similar values are left unchanged. */
function isContainer(value: unknown): value is object {
  if (Array.isArray(value)) return true
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}
