// Runs the real agents from npm through `vitrine run` and observes them through the hub. They connect to a scripted model
// on loopback, with an empty home directory, fake keys and, where possible, no other network.
//
//   npm run test:agents                                   all agents, all cases; writes docs/compatibility.md
//   npm run test:agents -- --agent codex --case tool-ok   a selection, writes nothing; --keep keeps the recordings

import {mkdtempSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {parseArgs} from 'node:util'
import {cases} from './agents/cases.js'
import {startHub} from './agents/hub.js'
import {getDefaultFolder, install, toCommand, programs} from './agents/programs.js'
import {toPage} from './agents/report.js'
import {isolateNetwork} from './agents/isolate-network.js'
import {profiles} from './agents/profiles.js'
import {findProfile, toRunId, tryCase} from './agents/try-case.js'
import {tryPipe} from './agents/try-pipe.js'
import {canTrace} from './agents/trace-writes.js'

/** @import {Outcome, PipeOutcome} from './agents/report.js' */

const {values} = parseArgs({
  options: {
    agent: {type: 'string', multiple: true, default: []},
    case: {type: 'string', multiple: true, default: []},
    agents: {type: 'string', default: getDefaultFolder()},
    jobs: {type: 'string', default: '2'},
    keep: {type: 'boolean', default: false},
    untraced: {type: 'boolean', default: false},
  },
})
const folder = resolve(values.agents)
const known = programs.filter(({agent}) => profiles[agent] !== undefined)
const chosen = known.filter(({id}) => values.agent.length === 0 || values.agent.includes(id))
rejectUnknown(
  '--agent',
  values.agent,
  known.map(({id}) => id),
)
rejectUnknown(
  '--case',
  values.case,
  cases.map(({name}) => name),
)
const tried = cases.filter(({name}) => values.case.length === 0 || values.case.includes(name))
install(folder, chosen)
const isIsolated = isolateNetwork()
const isTraced = !values.untraced && canTrace()
if (process.env['CI'] && !isTraced) throw new Error('strace not found: required in CI')

const dataDir = mkdtempSync(join(tmpdir(), 'vitrine-agents-data-'))
const hub = await startHub(dataDir)
const waiting = chosen.flatMap((program) =>
  tried
    .filter(({isFor}) => isFor?.(findProfile(program), program) ?? true)
    .map((one) => ({program, one})),
)
/** @type {Outcome[]} */
const outcomes = []
await Promise.all(Array.from({length: Number(values.jobs)}, tryNext))
const pipes = await tryPipes()
await hub.stop()
if (values.keep) process.stdout.write(`Recordings: ${dataDir}\n`)
else rmSync(dataDir, {recursive: true, force: true})

const isComplete = chosen.length === known.length && tried.length === cases.length
if (isComplete) {
  const page = {outcomes, pipes, programs: chosen, cases: tried, isIsolated, isTraced}
  writeFileSync(new URL('../docs/compatibility.md', import.meta.url), toPage(page))
}
const failed = outcomes.filter(({problems}) => problems.length > 0).length
const networkNote = isIsolated ? '' : ' The network was not isolated.'
const traceNote = isTraced ? '' : ' Writes were not traced: strace does not work here.'
process.stdout.write(`${outcomes.length} runs, ${failed} failed.${networkNote}${traceNote}\n`)
if (failed > 0) process.exitCode = 1

async function tryNext() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const {program, one} = next
    const startedAt = performance.now()
    const path = toCommand(folder, program)
    const problems = await tryCase(program, one, {path, hub, dataDir, isTraced}).catch((error) => [
      String(error.stack),
    ])
    report({program, tried: one, problems}, startedAt)
  }
}

/** Runs the case with the huge line through a pipe, if it is selected. */
async function tryPipes() {
  /** @type {PipeOutcome[]} */
  const all = []
  const huge = tried.find(({name}) => name === 'huge-line')
  for (const program of huge === undefined ? [] : chosen) {
    if (huge === undefined) continue
    const startedAt = performance.now()
    const {bytes, isCut} = await tryPipe(program, huge, toCommand(folder, program))
    const file = join(dataDir, 'runs', toRunId(program, huge), 'stdout')
    const recorded = statSync(file, {throwIfNoEntry: false})?.size ?? 0
    all.push({program, recorded, bytes, isCut})
    if (!program.truncatesPipes) continue
    // Without truncation the case proves nothing: the reader may have been too fast.
    const problems = isCut ? [] : ['expected truncated output, got all of it']
    report(
      {program, tried: {...huge, name: 'pipe', title: 'truncated by a pipe'}, problems},
      startedAt,
    )
  }
  return all
}

/**
 * @param {Outcome} outcome
 * @param {number} startedAt
 */
function report(outcome, startedAt) {
  const {program, tried: one, problems} = outcome
  outcomes.push(outcome)
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const mark = problems.length === 0 ? '✓' : '✗'
  process.stdout.write(`${mark} ${program.title} ${program.version}: ${one.title} (${seconds} s)\n`)
  for (const problem of problems) process.stdout.write(`    ${problem}\n`)
}

/**
 * @param {string} option
 * @param {string[]} given
 * @param {string[]} all
 */
function rejectUnknown(option, given, all) {
  const wrong = given.find((name) => !all.includes(name))
  if (wrong === undefined) return
  process.stderr.write(`Unknown value for ${option}: ${wrong}. Known: ${all.join(', ')}\n`)
  process.exit(2)
}
