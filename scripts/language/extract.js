import {extractCode, extractComment} from './extract-code.js'
import {extractMarkdown} from './extract-markdown.js'
import {maskQuotes, replaceWithSpaces} from './mask.js'

/**
 * @typedef {'prose' | 'comments' | 'tests' | 'identifiers'} Kind
 * @typedef {{
 *   kind: Kind,
 *   start: number,
 *   text: string,
 *   isFragment?: boolean,
 *   isGroup?: boolean,
 *   isLabel?: boolean,
 * }} Extract A text of a file at offset `start`. `isFragment`: may begin in the middle of a sentence, `isGroup`: names a
 *   group of tests, `isLabel`: heads a table column
 */

/** Strings that are input of tests or words of agents, not shown by Vitrine. */
const FOREIGN_STRINGS = /\.test\.tsx?$|^test\/|^scripts\/demo\/|^scripts\/language\//

/**
 * The texts of a file. Each identifier is listed once.
 *
 * @param {string} path
 * @param {string} source
 * @returns {Extract[]}
 */
export function extract(path, source) {
  const name = path.slice(path.lastIndexOf('/') + 1)
  /** @type {Extract} */
  const fileName = {kind: 'identifiers', start: 0, text: name.replace(/\.[^-]*$/, '')}
  /** @type {Set<string>} */
  const names = new Set()
  return [fileName, ...extractContent(path, source)].filter(({kind, text}) => {
    if (kind !== 'identifiers') return true
    return names.size < names.add(text).size
  })
}

/**
 * @param {string} path
 * @param {string} source
 * @returns {Extract[]}
 */
function extractContent(path, source) {
  if (/\.[cm]?[jt]sx?$/.test(path)) {
    return extractCode(path, source, {strings: !FOREIGN_STRINGS.test(path)})
  }
  if (path.endsWith('.md')) return extractMarkdown(source)
  if (path.endsWith('.css')) return extractCss(source)
  if (path.endsWith('.html')) return extractHtml(source)
  if (path.endsWith('.json')) return extractJson(source)
  return /\.ya?ml$/.test(path) ? extractYaml(source) : []
}

/** @param {string} source */
function extractCss(source) {
  const comments = [...source.matchAll(/\/\*[\s\S]*?\*\//g)]
  const rules = source.replaceAll(/\/\*[\s\S]*?\*\/|"[^"]*"|url\([^)]*\)/g, replaceWithSpaces)
  const names = rules.matchAll(/(?<=[.#])[a-z][\w-]*(?=[^{};]*\{)|(?<=--)[a-z][\w-]*(?=:)/gi)
  return [
    ...comments.map(({0: comment, index}) => extractComment(comment, index)),
    ...toExtracts('identifiers', names),
  ]
}

/** @param {string} source */
function extractHtml(source) {
  const text = source.replaceAll(/<(script|style)[\s\S]*?<\/\1>|<[^>]*>/g, replaceWithSpaces)
  return toExtracts('prose', text.matchAll(/\S[^\n]*/g))
}

/**
 * JSON with comments is an expression of JavaScript.
 *
 * @param {string} source
 */
function extractJson(source) {
  const extracts = extractCode('file.ts', `(${source}\n)`, {strings: true})
  for (const found of extracts) found.start -= 1
  return extracts
}

/** @param {string} source */
function extractYaml(source) {
  const comments = source.matchAll(/(?<=^|\s)#[^\n]*(?:\n\s*#[^\n]*)*/g)
  const names = source.matchAll(/(?<=^[ -]*(?:name|description): )[^\n#]+/gm)
  return [...toExtracts('comments', comments), ...toExtracts('prose', names)]
}

/**
 * @param {Kind} kind
 * @param {Iterable<RegExpExecArray>} matches
 * @returns {Extract[]}
 */
function toExtracts(kind, matches) {
  return [...matches].map(({0: text, index}) => ({
    kind,
    start: index,
    text: maskQuotes(text.replaceAll(/^\s*#+/gm, replaceWithSpaces)),
  }))
}
