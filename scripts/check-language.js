// Fails on words of a private dialect in documentation, comments, test names and identifiers (scripts/language/rules.js),
// on long Markdown lines and on a long README.
//
//   node scripts/check-language.js                     checks all files that are tracked or new
//   node scripts/check-language.js src/core README.md  checks these
//   node scripts/check-language.js --kind comments     checks only prose, comments, tests or identifiers
//   node scripts/check-language.js --summary           prints totals per rule, kind and folder as well

import {execFileSync} from 'node:child_process'
import {existsSync, readFileSync} from 'node:fs'
import {relative, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {createAllowList} from './language/allowed.js'
import {checkFile} from './language/check.js'

/** @import {Finding} from './language/check.js' */

/** @typedef {Finding & {path: string}} Located */

const KINDS = ['prose', 'comments', 'tests', 'identifiers']
const CHECKED = /\.(?:[cm]?[jt]sx?|css|html|json|md|ya?ml)$/
const SKIPPED =
  /(?:^|\/)(?:fixtures|fuzz-seeds|dist|__snapshots__)\/|^test\/transcripts\/|^scripts\/demo\/(?:projects|recordings)\/|package-lock\.json$/

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {kind: {type: 'string'}, summary: {type: 'boolean', default: false}},
})
if (values.kind !== undefined && !KINDS.includes(values.kind)) {
  throw new Error(`Unknown kind ${values.kind}: expected ${KINDS.join(', ')}`)
}
const root = runGit('rev-parse', '--show-toplevel').trim()
const paths = listPaths(positionals.map((path) => relative(root, resolve(path))))
if (paths.length === 0) throw new Error('No file to check')

const allowList = createAllowList()
const findings = paths.flatMap(check)
const isComplete = positionals.length === 0 && values.kind === undefined
const unused = isComplete ? allowList.listUnused() : []
for (const {file, text} of unused) {
  console.log(`scripts/language/allowed.js: unused entry "${text}" for ${file}`)
}
if (values.summary) {
  printTotals('rule', ({rule}) => rule)
  printTotals('kind', ({kind}) => kind)
  printTotals('folder', ({path}) => /^(?:(?:src|dashboard\/src)\/)?[^/]+/.exec(path)?.[0] ?? path)
}
const files = new Set(findings.map(({path}) => path)).size
console.log(`${findings.length} findings in ${files} of ${paths.length} files`)
if (findings.length > 0 || unused.length > 0) process.exitCode = 1

/** @param {string[]} scopes */
function listPaths(scopes) {
  const listed = runGit('-C', root, 'ls-files', '--cached', '--others', '--exclude-standard', '-z')
  return listed.split('\0').filter(
    (path) =>
      CHECKED.test(path) &&
      !SKIPPED.test(path) &&
      (scopes.length === 0 ||
        scopes.some((scope) => scope === '' || `${path}/`.startsWith(`${scope}/`))) &&
      // Git also lists files that are deleted in the work tree only.
      existsSync(resolve(root, path)),
  )
}

/** @param {string[]} args */
function runGit(...args) {
  return execFileSync('git', args, {encoding: 'utf8', maxBuffer: 64 * 1024 * 1024})
}

/**
 * Prints the findings in a file that are not allowed.
 *
 * @param {string} path
 * @returns {Located[]}
 */
function check(path) {
  const source = readFileSync(resolve(root, path), 'utf8')
  const found = checkFile(path, source)
    .filter(({kind}) => values.kind === undefined || kind === values.kind)
    .filter((finding) => !allowList.covers(path, source, finding))
  for (const finding of found) {
    const before = source.slice(0, finding.offset)
    const place = `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`
    console.log(`${path}:${place} ${finding.kind} "${finding.found}" -> use ${finding.use}`)
  }
  return found.map((finding) => Object.assign(finding, {path}))
}

/**
 * @param {string} title
 * @param {(finding: Located) => string} toGroup
 */
function printTotals(title, toGroup) {
  /** @type {Map<string, number>} */
  const totals = new Map()
  for (const finding of findings) {
    const group = toGroup(finding)
    totals.set(group, (totals.get(group) ?? 0) + 1)
  }
  console.log(`\nFindings per ${title}:`)
  for (const [group, count] of [...totals].toSorted(([, a], [, b]) => b - a)) {
    console.log(`${String(count).padStart(6)}  ${group}`)
  }
}
