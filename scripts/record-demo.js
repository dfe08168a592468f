// Records the scenarios of the demo with the real agents in scripts/demo/recordings. It takes about ten minutes.
//
//   node scripts/record-demo.js [--agents <folder>] [--speed 20] [--out <folder>] [name …]
//
// Missing agents are installed with npm in the folder of --agents. --speed makes the model faster than a real one, to try
// out a scenario.

import {rmSync, writeFileSync} from 'node:fs'
import {join, resolve} from 'node:path'
import {fileURLToPath} from 'node:url'
import {parseArgs} from 'node:util'
import {getDefaultFolder, install, programs} from './agents/programs.js'
import {isolateNetwork} from './agents/isolate-network.js'
import {writeTimedLines} from './demo/lines.js'
import {recordScenario} from './demo/record.js'
import {scenarios} from './demo/scenarios/index.js'

/** @import {Meta, Scenario} from './demo/record.js' */

/** They mostly wait; one after the other would take half an hour. */
const MAX_CONCURRENT = 4

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

const queue = scenarios.filter(({name}) => positionals.length === 0 || positionals.includes(name))
const needed = new Set(queue.map(({agent}) => agent))
install(
  agents,
  programs.filter(({id}) => needed.has(id)),
)
isolateNetwork()
await Promise.all(Array.from({length: MAX_CONCURRENT}, recordNext))

async function recordNext() {
  for (let next = queue.shift(); next !== undefined; next = queue.shift())
    await writeRecording(next)
}

/** @param {Scenario} scenario */
async function writeRecording(scenario) {
  const {name, agent, project, prompt, asks} = scenario
  const folder = join(out, name)
  const speed = Number(values.speed)
  const {lines, exitCode, signal, problems} = await recordScenario(scenario, {agents, speed})
  rmSync(folder, {recursive: true, force: true})
  writeTimedLines(folder, lines)
  /** @type {Meta} */
  const meta = {agent, version: findVersion(agent), project, prompt, exitCode, signal}
  writeFileSync(join(folder, 'meta.json'), `${JSON.stringify(meta, null, 1)}\n`)
  if (asks) {
    const denied = await recordScenario(scenario, {agents, speed, allow: false})
    problems.push(...denied.problems)
    const askedAt = denied.lines.findIndex(({text}) => text.includes('"can_use_tool"'))
    writeTimedLines(join(folder, 'denied'), denied.lines.slice(askedAt + 1))
  }
  const seconds = Math.round(((lines.at(-1)?.at ?? 0) - (lines[0]?.at ?? 0)) / 1000)
  process.stdout.write(`${name}: ${lines.length} lines in ${seconds} s, exit ${exitCode}\n`)
  for (const problem of problems) process.stdout.write(`  ${problem}\n`)
  if (problems.length > 0) process.exitCode = 1
}

/** @param {string} agent */
function findVersion(agent) {
  return programs.find(({id}) => id === agent)?.version ?? ''
}
