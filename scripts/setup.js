// Makes a fresh clone ready: installs what package-lock.json names and builds what is newer than
// dist. Does nothing, and takes no time, when there is nothing to do. Uses nothing but Node.

import {spawnSync} from 'node:child_process'
import {existsSync, readdirSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const installed = join('node_modules', '.package-lock.json')
// What is built last.
const built = join('dist', 'dashboard', 'index.html')

// What we call calls us, as npm does after an installation.
if (process.env['VITRINE_SETUP'] !== undefined) process.exit()
process.chdir(root)

if (isOlder(installed, ['package.json', 'package-lock.json'])) {
  // Not `npm ci`: it refuses a lock file made where the registry lacks a binary for another platform.
  run('Installing', 'npm', ['install', '--no-save', '--no-fund', '--no-audit', '--loglevel=error'])
}
if (
  isOlder(built, [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    ...filesOf('src'),
    ...filesOf('dashboard'),
    ...filesOf('scripts'),
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
function filesOf(folder) {
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .map((name) => join(folder, name))
    .filter((path) => /\.(?:[jt]sx?|css|html|svg)$/.test(path) && !path.endsWith('.test.ts'))
}

/**
 * @param {string} what
 * @param {string} command
 * @param {string[]} args
 */
function run(what, command, args) {
  const start = performance.now()
  process.stderr.write(`${what}… `)
  // The output goes to stderr: stdout belongs to what runs next.
  const {status} = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    env: {...process.env, VITRINE_SETUP: '1'},
    shell: process.platform === 'win32',
  })
  if (status !== 0) {
    process.stderr.write(`\n${what} failed: ${command} ${args.join(' ')}\n`)
    process.exit(status ?? 1)
  }
  process.stderr.write(`done in ${((performance.now() - start) / 1000).toFixed(1)} s\n`)
}
