// Records the stories of the demo anew, with the real agents, in scripts/demo/recordings. It takes some ten minutes.
//
//   node scripts/record-demo.js [--agents <folder>] [--speed 20] [--out <folder>] [name …]
//
// The agents are installed in the folder, those that are not there yet, with npm. With --speed the model thinks faster than a real one, to try a scenario out.

import {rmSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {getDefaultFolder, install, programs} from './agents/programs.js'
import {isolateNetwork} from './agents/isolate-network.js'
import {writeLines} from './demo/lines.js'
import {record} from './demo/record.js'
import {scenarios} from './demo/scenarios/index.js'

/** @import {Meta, Scenario} from './demo/record.js' */

/** They mostly wait, and all of them one after the other would take half an hour. */
const AT_ONCE = 4

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    agents: {type: 'string', default: getDefaultFolder()},
    speed: {type: 'string', default: '1'},
    out: {type: 'string', default: fileURLToPath(new URL('demo/recordings', import.meta.url))},
  },
})
const agents = resolve(values.agents)
const out = resolve(values.out)

const waiting = scenarios.filter(({name}) => positionals.length === 0 || positionals.includes(name))
const needed = new Set(waiting.map(({agent}) => agent))
install(
  agents,
  programs.filter(({id}) => needed.has(id)),
)
isolateNetwork()
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
  return programs.find(({id}) => id === agent)?.version ?? ''
}
