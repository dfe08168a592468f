// Prepares a fresh clone: installs the packages of package-lock.json and builds dist. Skips each step if its result is
// newer than its sources. Needs nothing but Node and npm.

import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = join('node_modules', '.package-lock.json')
// The file that a build writes last.
const built = join('dist', 'dashboard', 'index.html')

// npm runs this script again after an installation.
if (process.env['VITRINE_SETUP'] !== undefined) process.exit()
process.chdir(root)

if (isOlder(installed, ['package.json', 'package-lock.json'])) {
  run('Installing', 'npm', ['ci', '--loglevel=error'])
}
if (
  isOlder(built, [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    ...listSources('src'),
    ...listSources('dashboard'),
    ...listSources('scripts'),
  ])
) {
  run('Building', 'npm', ['run', '--silent', 'build'])
}

/**
 * @param {string} target
 * @param {string[]} sources
 */
function isOlder(target, sources) {
  if (!existsSync(target)) return true
  const time = statSync(target).mtimeMs
  return sources.some((source) => statSync(source).mtimeMs > time)
}

/** @param {string} folder */
function listSources(folder) {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => join(folder, name))
    .filter((path) => /\.(?:[jt]sx?|css|html|svg)$/.test(path) && !path.endsWith('.test.ts'))
}

/**
 * @param {string} step
 * @param {string} command
 * @param {string[]} args
 */
function run(step, command, args) {
  const start = performance.now()
  process.stderr.write(`${step}… `)
  // The output goes to stderr, because stdout belongs to the next command.
  const {status} = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    env: {...process.env, VITRINE_SETUP: '1'},
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write(`\n${step} failed: ${command} ${args.join(' ')}\n`)
    process.exit(status ?? 1)
  }
  process.stderr.write(`done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}
