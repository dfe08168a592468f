// Finds words of a private dialect in documentation, comments, test names and identifiers, and Markdown lines that are
// too long to be compared.
//
//   node scripts/check-language.js                     checks all files that are tracked or new
//   node scripts/check-language.js src/core README.md  checks these
//   node scripts/check-language.js --kind comments     prose, comments, tests or identifiers
//   node scripts/check-language.js --summary           prints totals per rule and folder as well

import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {relative, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {ALLOWED} from './language/allowed.js'
import {checkFile} from './language/check.js'

/** @import {Finding} from './language/check.js' */

const CHECKED = /\.(?:[cm]?[jt]sx?|css|html|json|md|ya?ml)$/
const SKIPPED =
  /(?:^|\/)(?:fixtures|fuzz-seeds|dist|__snapshots__)\/|^scripts\/demo\/(?:projects|recordings)\/|package-lock\.json$/

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {kind: {type: 'string'}, summary: {type: 'boolean', default: false}},
})
const root = runGit('rev-parse', '--show-toplevel').trim()
const scopes = positionals.map((path) => relative(root, resolve(path)))
const paths = runGit('-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
  .split('\0')
  .filter((path) => CHECKED.test(path) && !SKIPPED.test(path) && isInScope(path))

/** @type {Set<unknown>} */
const used = new Set()
/** @type {(Finding & {path: string})[]} */
const findings = []
for (const path of paths) {
  const file = resolve(root, path)
  // Tracked, but deleted in the work tree.
  if (!existsSync(file)) continue
  const source = readFileSync(file, 'utf8')
  for (const finding of checkFile(path, source)) {
    if (values.kind !== undefined && finding.kind !== values.kind) continue
    if (isAllowed(path, source, finding)) continue
    findings.push({...finding, path})
    const {line, column} = locate(source, finding.offset)
    console.log(
      `${path}:${line}:${column} ${finding.kind} "${finding.found}" -> use ${finding.use}`,
    )
  }
}
const unused = ALLOWED.filter((entry) => !used.has(entry))
const isComplete = scopes.length === 0 && values.kind === undefined
if (isComplete)
  for (const {file, text} of unused) console.log(`allowed.js: unused entry "${text}" of ${file}`)
if (values.summary) {
  printTotals('rule', ({rule}) => rule)
  printTotals('kind', ({kind}) => kind)
  printTotals('folder', ({path}) => /^(?:(?:src|dashboard\/src)\/)?[^/]+/.exec(path)?.[0] ?? path)
}
console.log(
  `${findings.length} findings in ${new Set(findings.map(({path}) => path)).size} of ${paths.length} files`,
)
if (findings.length > 0 || (isComplete && unused.length > 0)) process.exitCode = 1

/** @param {string[]} args */
function runGit(...args) {
  return execFileSync('git', args, {encoding: 'utf8', maxBuffer: 64 * 1024 * 1024})
}

/** @param {string} path */
function isInScope(path) {
  return (
    scopes.length === 0 ||
    scopes.some((scope) => scope === '' || path === scope || path.startsWith(`${scope}/`))
  )
}

/**
 * @param {string} path
 * @param {string} source
 * @param {Finding} finding
 */
function isAllowed(path, source, {offset, length}) {
  const found = ALLOWED.find(({file, text}) => {
    if (file !== path && !(file.endsWith('/') && path.startsWith(file))) return false
    const start = source.lastIndexOf(text, offset)
    return start >= 0 && start + text.length >= offset + length
  })
  if (found !== undefined) used.add(found)
  return found !== undefined
}

/**
 * @param {string} source
 * @param {number} offset
 */
function locate(source, offset) {
  const before = source.slice(0, offset)
  return {line: before.split('\n').length, column: offset - before.lastIndexOf('\n')}
}

/**
 * @param {string} title
 * @param {(finding: Finding & {path: string}) => string} toGroup
 */
function printTotals(title, toGroup) {
  console.log(`\nfindings per ${title}`)
  /** @type {Record<string, number>} */
  const counts = {}
  for (const finding of findings) counts[toGroup(finding)] = (counts[toGroup(finding)] ?? 0) + 1
  for (const [group, count] of Object.entries(counts).toSorted(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(6)}  ${group}`)
  }
  console.log('')
}
