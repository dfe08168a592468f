// Runs a scenario with a real agent against the scripted model, and returns its output with times.

import {execFileSync} from 'node:child_process'
import {cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {startModelServer} from '../agents/model-server.js'
import {startAgent} from '../agents/commands.js'
import {toCommand, programs} from '../agents/programs.js'
import {parseObject} from './join.js'
import {ORIGIN} from './times.js'
import {createScrubber} from './scrub.js'

/** @import {ChildProcess} from 'node:child_process' */
/** @import {Script} from '../agents/model-server.js' */
/** @import {TimedLine} from './lines.js' */

/**
 * A task, and the script of the model for it. Tools are real: they work on a copy of `projects/<project>`.
 *
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} agent
 * @property {string} project
 * @property {string} prompt
 * @property {(cwd: string) => Script} script
 * @property {string[]} [args]
 * @property {Record<string, string>} [env]
 * @property {boolean} [asks] Whether it requests permissions on stdout; then it is recorded twice, allowed and denied.
 * @property {number} [interruptAfterLine] The line after which the agent receives SIGINT.
 * @property {(cwd: string) => void} [prepare] Changes the copy before the agent starts.
 */

/**
 * @typedef {object} Meta
 * @property {string} agent
 * @property {string} version
 * @property {string} project
 * @property {string} prompt
 * @property {number | null} exitCode
 * @property {string | null} signal
 */

/** A placeholder for the reason of a denial, which the user of the demo enters. */
export const DENIAL_REASON = '$REASON'

const projects = fileURLToPath(new URL('projects/', import.meta.url))
const TIMEOUT_MS = 20 * 60_000

/**
 * @param {Scenario} scenario
 * @param {{agents: string, speed: number, allow?: boolean}} options
 * @returns {Promise<{lines: TimedLine[], exitCode: number | null, signal: string | null, problems: string[]}>}
 */
export async function recordScenario(scenario, {agents, speed, allow = true}) {
  const {name, agent, project, prompt, args, env, asks = false} = scenario
  const root = mkdtempSync(join(tmpdir(), 'vitrine-record-'))
  const home = join(root, 'home/dev')
  const cwd = join(home, project)
  const temporary = join(root, 'tmp')
  mkdirSync(temporary)
  prepare(scenario, home, cwd)
  const server = await startModelServer({script: scenario.script(cwd), name, speed})
  try {
    const startedAt = Date.now()
    const known = programs.find(({id}) => id === agent)
    if (known === undefined) throw new Error(`Unknown agent ${agent} in scenario ${name}`)
    const program = toCommand(agents, known)
    const start = {url: server.url, program, home, temporary, cwd, args, env}
    const child = startAgent(agent, asks ? start : {...start, prompt})
    if (asks) answerRequests(child, prompt, allow)
    const {lines, errors, exitCode, signal} = await readOutput(child, scenario.interruptAfterLine)
    const scrub = createScrubber({name, root, startedAt})
    const problems = [...server.problems, ...server.listUnused()]
    if (problems.length > 0) problems.push(errors)
    return {
      lines: lines.map(({at, text}) => ({at: ORIGIN + at - startedAt, text: scrub(text)})),
      exitCode,
      signal,
      problems,
    }
  } finally {
    await server.close()
    rmSync(root, {recursive: true, force: true, maxRetries: 5})
  }
}

/**
 * @param {Scenario} scenario
 * @param {string} home
 * @param {string} cwd
 */
function prepare({project, prepare: prepareMore}, home, cwd) {
  mkdirSync(home, {recursive: true})
  writeFileSync(join(home, '.gitconfig'), GIT_CONFIG)
  cpSync(join(projects, 'common'), cwd, {recursive: true})
  cpSync(join(projects, project), cwd, {recursive: true})
  git(cwd, 'init', '--quiet')
  git(cwd, 'add', '.')
  git(cwd, 'commit', '--quiet', '--message', 'Begin')
  prepareMore?.(cwd)
}

const GIT_CONFIG = `[user]
	name = Dev
	email = dev@example.com
[init]
	defaultBranch = main
[advice]
	detachedHead = false
`

/**
 * Runs git in a project, with fixed dates, so that commits always have the same hashes.
 *
 * @param {string} cwd
 * @param {...string} args
 */
export function git(cwd, ...args) {
  const date = '2026-11-02T09:00:00Z'
  execFileSync('git', args, {
    cwd,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: join(cwd, '..'),
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  })
}

/**
 * @param {ChildProcess} child
 * @param {number} [interruptAfterLine]
 * @returns {Promise<{lines: TimedLine[], errors: string, exitCode: number | null, signal: string | null}>}
 */
function readOutput(child, interruptAfterLine = Infinity) {
  /** @type {TimedLine[]} */
  const lines = []
  let rest = ''
  let errors = ''
  child.stderr?.setEncoding('utf8').on('data', (text) => (errors += text))
  child.stdout?.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    const complete = (rest + text).split('\n')
    rest = complete.pop() ?? ''
    const isBefore = lines.length < interruptAfterLine
    lines.push(...complete.map((line) => ({at: Date.now(), text: line})))
    if (isBefore && lines.length >= interruptAfterLine) setTimeout(() => child.kill('SIGINT'), 2500)
  })
  const {pid} = child
  const timer = setTimeout(() => pid !== undefined && process.kill(-pid, 'SIGKILL'), TIMEOUT_MS)
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (exitCode, signal) => {
      clearTimeout(timer)
      resolve({lines, errors, exitCode, signal})
    })
  })
}

/**
 * Sends the prompt to Claude on stdin, answers its permission requests, and closes stdin after its result.
 *
 * @param {ChildProcess} child
 * @param {string} prompt
 * @param {boolean} allow
 */
function answerRequests({stdin, stdout}, prompt, allow) {
  const send = (/** @type {unknown} */ record) => stdin?.write(`${JSON.stringify(record)}\n`)
  const initialize = {subtype: 'initialize'}
  send({type: 'control_request', request_id: 'vitrine-initialize', request: initialize})
  const message = {role: 'user', content: prompt}
  send({type: 'user', message, parent_tool_use_id: null, session_id: ''})
  let rest = ''
  stdout?.on('data', (/** @type {string} */ text) => {
    const complete = (rest + text).split('\n')
    rest = complete.pop() ?? ''
    for (const line of complete) {
      const record = parseObject(line)
      if (record?.['type'] === 'result') stdin?.end()
      if (record?.['type'] !== 'control_request') continue
      const {input} = /** @type {{input: unknown}} */ (record['request'])
      const response = allow
        ? {behavior: 'allow', updatedInput: input}
        : {behavior: 'deny', message: DENIAL_REASON, interrupt: false}
      const request_id = record['request_id']
      send({type: 'control_response', response: {subtype: 'success', request_id, response}})
    }
  })
}
