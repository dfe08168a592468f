import {maskQuotes, maskText, replaceWithSpaces} from './mask.js'

/** @import {Extract} from './extract.js' */

const CODE_BLOCK = /^ *(`{3,}|~{3,})[^\n]*\n[\s\S]*?\n *\1 *$/gm
const TABLE_RULE = /^\|?[ :|-]+$/
const BLOCK_START = /^\s*(?:[-*+] |\d+\. |#{1,6} |>|\|)|^\s*$/

/** @param {string} source */
export function removeCodeBlocks(source) {
  return source.replaceAll(CODE_BLOCK, replaceWithSpaces)
}

/**
 * Paragraphs, list items, headings and table cells.
 *
 * @param {string} source
 * @returns {Extract[]}
 */
export function extractMarkdown(source) {
  const text = maskQuotes(removeCodeBlocks(source))
    .replaceAll(/<!--[\s\S]*?-->|<\/?\w[^>]*>/g, replaceWithSpaces)
    .replaceAll(/(?<=\])(?:\([^)\s]*\)|\[[^\]]*\])/g, maskText)
    .replaceAll(/^\[[^\]]+\]: .*$/gm, replaceWithSpaces)
  /** @type {Extract[]} */
  const extracts = []
  let start = 0
  const lines = text.split('\n')
  for (const [index, line] of lines.entries()) {
    const last = extracts.at(-1)
    if (line.trimStart().startsWith('|')) {
      const isLabel = TABLE_RULE.test(lines[index + 1]?.trim() ?? '')
      for (const {0: cell, index: column} of line.matchAll(/[^|]+/g)) {
        extracts.push({kind: 'prose', start: start + column, text: cell, isLabel})
      }
    } else if (last === undefined || BLOCK_START.test(line)) {
      const marker = /^\s*(?:[-*+>]|\d+\.|#{1,6}) /.exec(line)?.[0].length ?? 0
      extracts.push({kind: 'prose', start: start + marker, text: line.slice(marker)})
    } else {
      last.text += `\n${line}`
    }
    start += line.length + 1
  }
  return extracts.filter(({text: block}) => /\p{L}/u.test(block))
}
