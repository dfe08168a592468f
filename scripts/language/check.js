import {extract} from './extract.js'
import {removeCodeBlocks} from './extract-markdown.js'
import {RULES} from './rules.js'

/** @import {Extract, Kind} from './extract.js' */
/** @import {Rule} from './rules.js' */

/**
 * @typedef {{kind: Kind, rule: string, offset: number, length: number, found: string, use: string}} Finding
 */

const MAX_LINE_LENGTH = 120
const MAX_README = {lines: 200, bytes: 12_000}
/** A sentence starts with its text, after a full stop, or after a tag of JSDoc and a name. */
const SENTENCE_START =
  /(?:^|[.!?:]|^\s*@\w+(?:\s+\{.*\})?(?:\s+\[?[\w.]+\]?)?(?:\s+-)?|\n\s*\n|\n\s*[-*] )[\s*_(]*$/
const SINGLE_LINK = /^\s*(?:[-*] )?(?:!?\[[^\]]*\](?:\([^)]*\)|: \S+)|<?https?:\S+)[.,;]?$/
/** A name that continues the name of its group is not a sentence. */
const FRAGMENT = /^(?:and|as|but|however|nor|of|or|that|to|which|whom|whose)\b/i
const PLACEHOLDER = /[%$·]/

/**
 * The findings in a file, in the order of the text.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Finding[]}
 */
export function checkFile(path, source) {
  const rules = RULES.filter((rule) => rule.paths?.test(path) !== false)
  const texts = extract(path, source)
  const findings = texts.flatMap(checkTestName)
  for (const rule of rules) findings.push(...texts.flatMap((text) => applyRule(rule, text)))
  if (path.endsWith('.md')) findings.push(...checkLines(source))
  if (path === 'README.md') findings.push(...checkReadme(source))
  return findings.toSorted((a, b) => a.offset - b.offset)
}

/**
 * @param {Rule} rule
 * @param {Extract} extracted
 * @returns {Finding[]}
 */
function applyRule(rule, extracted) {
  const {kind, start} = extracted
  if (rule.kinds?.includes(kind) === false) return []
  const {name, use} = rule
  if (kind === 'identifiers') {
    const found = extracted.text
    if (!rule.pattern.test(splitWords(found))) return []
    return [{kind, rule: name, offset: start, length: found.length, found, use}]
  }
  if (rule.startsSentence === true && extracted.isLabel === true) return []
  return [...extracted.text.matchAll(toTextPattern(rule.pattern))]
    .filter(({index}) => rule.startsSentence !== true || startsStatement(extracted, index))
    .map(({0: found, index}) => ({
      kind,
      rule: name,
      offset: start + index,
      length: found.length,
      found: found.replaceAll(/\s+/g, ' '),
      use,
    }))
}

/** @type {Map<RegExp, RegExp>} */
const textPatterns = new Map()

/** @param {RegExp} pattern */
function toTextPattern(pattern) {
  const known = textPatterns.get(pattern)
  const created = known ?? new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi')
  textPatterns.set(pattern, created)
  return created
}

/**
 * `MAX TOOLS` of `MAX_TOOLS`, `max tools` of `maxTools`, `MaxTools` or `max-tools`.
 *
 * @param {string} name
 */
function splitWords(name) {
  const words = (name.match(/[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+/g) ?? []).join(' ')
  return /[a-z]/.test(words) ? words.toLowerCase() : words
}

/**
 * Whether a sentence starts at an index that is not a question.
 *
 * @param {Extract} extracted
 * @param {number} index
 */
function startsStatement({text, isFragment}, index) {
  const before = text.slice(0, index)
  const isFirst = before.trim() === ''
  if (isFirst && isFragment === true) return false
  const lastLine = before.slice(before.lastIndexOf('\n', before.length - 2) + 1)
  if (!isFirst && (!/[A-Z]/.test(text.charAt(index)) || !SENTENCE_START.test(lastLine)))
    return false
  const end = /[.!?](?=[\s"')]|$)|\n\s*\n|\n\s*@/.exec(text.slice(index))
  return end?.[0] !== '?'
}

/**
 * @param {Extract} extracted
 * @returns {Finding[]}
 */
function checkTestName({kind, text, start, isGroup}) {
  const found = text.trim()
  if (kind !== 'tests' || isGroup === true) return []
  const isShort = found.split(/\s+/).length <= 2 && !PLACEHOLDER.test(found)
  if (!isShort && !FRAGMENT.test(found)) return []
  const use = 'a full sentence about behaviour, with a subject or a verb first'
  return [{kind, rule: 'test name', offset: start, length: text.length, found, use}]
}

/**
 * @param {string} source
 * @returns {Finding[]}
 */
function checkLines(source) {
  /** @type {Finding[]} */
  const findings = []
  let offset = 0
  for (const line of removeCodeBlocks(source).split('\n')) {
    if (line.trimEnd().length > MAX_LINE_LENGTH && !SINGLE_LINK.test(line)) {
      const use = `at most ${MAX_LINE_LENGTH} characters`
      const found = `${line.length} characters`
      findings.push({kind: 'prose', rule: 'line length', offset, length: line.length, found, use})
    }
    offset += line.length + 1
  }
  return findings
}

/**
 * @param {string} source
 * @returns {Finding[]}
 */
function checkReadme(source) {
  const lines = source.split('\n').length - 1
  const bytes = Buffer.byteLength(source)
  if (lines <= MAX_README.lines && bytes <= MAX_README.bytes) return []
  const use = `at most ${MAX_README.lines} lines and ${MAX_README.bytes / 1000} kB; move details to docs`
  const found = `${lines} lines, ${(bytes / 1000).toFixed(1)} kB`
  return [{kind: 'prose', rule: 'README size', offset: 0, length: 0, found, use}]
}
