// Mutations of bytes, of lines, and of the JSON in lines.

/** @typedef {import('./random.js').Random} Random */

/** JSON text that `JSON.stringify` cannot produce: in a mutated value, `"@raw3"` stands for RAW[3]. */
const RAW = [
  '1e999',
  '-1e999',
  '-0',
  '-1',
  '0.1',
  '1e-400',
  '123456789012345678901234567890',
  '9007199254740993',
  '1e15',
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '[[]]',
  '[{}]',
  '""',
  '" "',
  '"\\n"',
  '"\\ud800"',
  '"a\\udfff\\ud800b"',
  '"\\u0000"',
  '"\\u001b[2J\\u001b]0;x\\u0007"',
  '"\\u009b31m"',
  '"\\u202e\\u2028\\r\\n::error::x"',
  '"__proto__"',
  '"constructor"',
  '"2026-13-45T99:99:99.999Z"',
  '"-271821-04-20T00:00:00.000Z"',
  '{"__proto__":{"type":"text","text":"x"}}',
  '{"type":"text","text":{"toString":null}}',
  '{"toString":null,"constructor":1,"hasOwnProperty":null}',
  '{"a":1,"a":2}',
  '{"length":-1,"0":"x"}',
  '"\u{1f469}\u200d\u{1f469}\u200d\u{1f467} e\u0301\u0301\u0301"',
]
const LARGE = [
  '['.repeat(20_000) + ']'.repeat(20_000),
  '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000),
  `"${'a'.repeat(50_000)}"`,
  `"${'a\\n'.repeat(20_000)}"`,
  `"${'e\u0301'.repeat(10_000)}"`,
  `"${'\\"'.repeat(20_000)}"`,
  `[${'1,'.repeat(20_000)}1]`,
  `[${'{"type":"text","text":"x"},'.repeat(500)}null]`,
]
/** Must not occur in errors, because they must not quote their input. */
export const CANARY = 'Zq7canary'

const MAX_BYTES = 64 * 1024
const MAX_NODES = 400

/**
 * Mutates lines one to four times.
 *
 * @param {Buffer} bytes
 * @param {Buffer} other An input to copy parts from.
 * @param {Random} random
 * @returns {Buffer}
 */
export function mutateLines(bytes, other, random) {
  let lines = toWindow(splitLines(bytes.toString('latin1')), random)
  const others = splitLines(other.toString('latin1'))
  for (let times = 1 + random.below(4); times > 0; times--) {
    lines = random.pick(LINE_MUTATIONS)(lines, random.below(lines.length + 1), others, random)
  }
  const made = Buffer.from(lines.join('').slice(0, MAX_BYTES * 4), 'latin1')
  return random.chance(0.15) ? mutateBytes(made, other, random) : made
}

/** @typedef {(lines: string[], at: number, others: string[], random: Random) => string[]} LineMutation */

/** @type {LineMutation} */
const mutateLineJson = (lines, at, others, random) => {
  const line = lines[at]
  if (line === undefined) return lines
  const from = others.length === 0 ? line : random.pick(others)
  const text = Buffer.from(line, 'latin1').toString('utf8')
  const source = Buffer.from(from, 'latin1').toString('utf8')
  return lines.with(at, Buffer.from(mutateJson(text, source, random)).toString('latin1'))
}

/** @type {LineMutation[]} */
const LINE_MUTATIONS = [
  mutateLineJson,
  mutateLineJson,
  mutateLineJson,
  mutateLineJson,
  mutateLineJson,
  mutateLineJson,
  (lines, at) => lines.toSpliced(at, 1),
  (lines, at) => lines.toSpliced(at, 0, lines[at] ?? ''),
  (lines, at, _, random) => lines.toSpliced(random.below(lines.length + 1), 0, lines[at] ?? ''),
  (lines, at) => lines.toSpliced(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
  (lines, at, others, random) => lines.toSpliced(at, 0, others[random.below(others.length)] ?? ''),
  (lines, at, others) => [...lines.slice(0, at), ...others.slice(0, 40)],
  (lines, at, _, random) => replace(lines, at, cut(lines[at] ?? '', random)),
  (lines, at) => [...lines.slice(0, at), lines[at]?.trimEnd() ?? ''],
  (lines, at) => replace(lines, at, (lines[at] ?? '').replace('\n', '\r\n')),
  (lines, at) => replace(lines, at, ` \t${lines[at] ?? ''}`),
  (lines, at) => replace(lines, at, `[${(lines[at] ?? '').trimEnd()}]\n`),
  (lines, at) => replace(lines, at, `\xef\xbb\xbf${lines[at] ?? ''}`),
]

/**
 * @param {string[]} lines
 * @param {number} at
 * @param {string} line
 */
function replace(lines, at, line) {
  return at < lines.length ? lines.with(at, line) : [...lines, line]
}

/**
 * Mutates bytes one to three times.
 *
 * @param {Buffer} bytes
 * @param {Buffer} other
 * @param {Random} random
 * @returns {Buffer}
 */
export function mutateBytes(bytes, other, random) {
  /** @type {Buffer} */
  let made = Buffer.from(bytes.subarray(0, MAX_BYTES))
  for (let times = 1 + random.below(3); times > 0; times--) {
    made = random.pick(BYTE_MUTATIONS)(made, random.below(made.length + 1), other, random)
  }
  return made
}

/** @type {((bytes: Buffer, at: number, other: Buffer, random: Random) => Buffer)[]} */
const BYTE_MUTATIONS = [
  (bytes, at, _, random) => {
    if (at < bytes.length) bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
    return bytes
  },
  (bytes, at, _, random) =>
    bytes.fill(random.below(256), at, Math.min(bytes.length, at + 1 + random.below(4))),
  (bytes, at) => bytes.subarray(0, at),
  (bytes, at) => bytes.subarray(at),
  (bytes, at, _, random) =>
    Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.below(64))]),
  (bytes, at, _, random) => {
    const part = bytes.subarray(at, at + random.below(256))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
  (bytes, at, other, random) => {
    const from = random.below(other.length + 1)
    const part = other.subarray(from, from + random.below(512))
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
  (bytes, at, _, random) => {
    const part = Buffer.from(random.pick(BYTES), 'latin1')
    return Buffer.concat([bytes.subarray(0, at), part, bytes.subarray(at)])
  },
]

const BYTES = [
  '\n',
  '\r',
  '\0',
  '\xff',
  '\xed\xa0\x80',
  '\xef\xbb\xbf',
  '"',
  '\\',
  '{',
  ']',
  '\x1b[2J',
  CANARY,
]

/**
 * Mutates the JSON of a line, also with parts of another line.
 *
 * @param {string} text
 * @param {string} other
 * @param {Random} random
 * @returns {string}
 */
export function mutateJson(text, other, random) {
  const end = text.endsWith('\n') ? '\n' : ''
  const root = {value: parse(text)}
  const nodes = listNodes(root)
  const parts = listNodes({value: parse(other)})
  for (let times = 1 + random.below(3); times > 0; times--) {
    random.pick(JSON_MUTATIONS)(random.pick(nodes), random.pick(parts), nodes, random)
  }
  let made = ''
  try {
    made = JSON.stringify(root.value) ?? 'null'
  } catch {
    return text
  }
  return made.replaceAll(/"@raw(\d+)"/g, (_, index) => [...RAW, ...LARGE][index] ?? 'null') + end
}

/** A field of an object or an item of an array. @typedef {{owner: any, key: string | number}} Node */

/** @type {((node: Node, part: Node, nodes: Node[], random: Random) => void)[]} */
const JSON_MUTATIONS = [
  ({owner, key}) => void delete owner[key],
  ({owner, key}, _, __, random) => set(owner, key, `@raw${random.below(RAW.length)}`),
  ({owner, key}, _, __, random) => set(owner, key, `@raw${random.below(RAW.length)}`),
  ({owner, key}, _, __, random) => {
    const isLarge = random.chance(0.03)
    set(
      owner,
      key,
      `@raw${isLarge ? RAW.length + random.below(LARGE.length) : random.below(RAW.length)}`,
    )
  },
  ({owner, key}, part) => set(owner, key, copy(part.owner[part.key])),
  ({owner}, part) => set(owner, part.key, copy(part.owner[part.key])),
  ({owner, key}, _, nodes, random) => {
    const twin = random.pick(nodes)
    const value = owner[key]
    set(owner, key, copy(twin.owner[twin.key]))
    set(twin.owner, twin.key, copy(value))
  },
  ({owner, key}) => set(owner, key, [copy(owner[key])]),
  ({owner, key}, part) => set(owner, key, {[part.key]: copy(owner[key])}),
  ({owner, key}, part) => {
    const value = owner[key]
    delete owner[key]
    set(owner, part.key, value)
  },
  ({owner, key}) => set(owner, '__proto__', copy(owner[key])),
  ({owner, key}) => set(owner, key, CANARY),
  ({owner, key}, _, __, random) => {
    const value = owner[key]
    if (Array.isArray(value)) value.push(...copy(value.slice(0, 50)))
    else if (typeof value === 'string') set(owner, key, cut(value + value.slice(0, 2000), random))
    else if (typeof value === 'number') set(owner, key, value * random.pick([-1, 1000, 0.5, 0]))
  },
]

/**
 * @param {any} owner
 * @param {string | number} key
 * @param {unknown} value
 */
function set(owner, key, value) {
  if (Array.isArray(owner) && (typeof key !== 'number' || key > 1000)) owner.push(value)
  // An assignment to `__proto__` would set the prototype; in JSON it is a normal field.
  else
    Object.defineProperty(owner, key, {value, enumerable: true, configurable: true, writable: true})
}

/**
 * @param {{value: unknown}} root
 * @returns {Node[]}
 */
function listNodes(root) {
  /** @type {Node[]} */
  const nodes = [{owner: root, key: 'value'}]
  for (let at = 0; at < nodes.length && nodes.length < MAX_NODES; at++) {
    const {owner, key} = /** @type {Node} */ (nodes[at])
    const value = owner[key]
    if (typeof value !== 'object' || value === null) continue
    const keys = Array.isArray(value) ? value.keys() : Object.keys(value)
    for (const inner of keys) nodes.push({owner: value, key: inner})
  }
  return nodes
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text)
  } catch {
    return text.slice(0, 1000)
  }
}

/** @param {string} text */
export function splitLines(text) {
  return text.split(/(?<=\n)/)
}

/**
 * A random section of many lines.
 *
 * @param {string[]} lines
 * @param {Random} random
 */
function toWindow(lines, random) {
  const maxLines = random.chance(0.1) ? 200 : 25
  if (lines.length <= maxLines) return lines
  const at = random.chance(0.5) ? 0 : random.below(lines.length - maxLines)
  return lines.slice(at, at + maxLines)
}

/**
 * @param {string} text
 * @param {Random} random
 */
function cut(text, random) {
  return text.slice(0, random.below(text.length + 1))
}

/**
 * @template T
 * @param {T} value
 * @returns {T | string}
 */
function copy(value) {
  try {
    return structuredClone(value)
  } catch {
    // It is nested too deeply.
    return '@raw0'
  }
}
