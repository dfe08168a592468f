// Runs one real agent with one case through `vitrine run` against the scripted model, and observes it through the hub.

import {execFile, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import {checkRun} from './check-run.js'
import {prepareCommand} from './commands.js'
import {bin} from './hub.js'
import {startModelServer} from './model-server.js'
import {listPids, readCommand} from '../../test/support/process-stats.js'
import {profiles} from './profiles.js'
import {readWrites, toTraceCommand} from './trace-writes.js'

/** @import {RunResult} from '../../dist/core/index.js' */
/** @import {Case} from './case.js' */
/** @import {Hub, Message} from './hub.js' */
/** @import {Program} from './programs.js' */
/** @import {AgentProfile} from './profiles.js' */

/** The fields of an event that cases check. @typedef {{type: string, text?: string, ok?: boolean, output?: string, error?: string, toolId?: string, tool?: string, parentToolId?: string, toolCount?: number, durationMs?: number, status?: string, detail?: string}} SeenEvent */

/**
 * The observations of a run.
 *
 * @typedef {object} Seen
 * @property {string} runId
 * @property {string} cwd
 * @property {string} home
 * @property {string} dataDir
 * @property {string} mark A word that no other process has in its command line.
 * @property {Program} program
 * @property {AgentProfile} profile
 * @property {Hub} hub
 * @property {Awaited<ReturnType<typeof startModelServer>>} server
 * @property {() => void} interrupt Sends SIGINT, like Ctrl-C.
 * @property {(...args: string[]) => Promise<string>} vitrine Runs another command of the CLI on the same data folder and returns its stdout.
 * @property {(command: string) => Promise<void>} waitUntilRunning
 * @property {(command: string) => boolean} isRunning
 * @property {SeenEvent[]} events
 * @property {RunResult} verdict
 * @property {number | null} exitCode
 * @property {string} stderr
 * @property {Message[]} messages The messages of the hub.
 * @property {Record<string, unknown>} summary The summary of the run at the hub.
 * @property {Buffer} served The output that the hub serves.
 * @property {Buffer} recorded The output in the recording.
 * @property {Buffer | undefined} written The output that the program wrote, if it is traced.
 */

const execute = promisify(execFile)
/** Longer than any case takes. */
const TIMEOUT = '240s'
/** How much faster than a real model the scripted one is. */
export const SPEED = 100_000

/**
 * @param {Program} program
 * @param {Case} tried
 * @param {{path: string[], hub: Hub, dataDir: string, isTraced: boolean}} options
 * @returns {Promise<string[]>} The problems.
 */
export async function tryCase(program, tried, {path, hub, dataDir, ...options}) {
  const isTraced = options.isTraced && tried.isUntraced !== true
  const profile = findProfile(program)
  const sandbox = createSandbox()
  const {cwd, root, home, temporary} = sandbox
  const runId = toRunId(program, tried)
  const mark = basename(root)
  const place = {cwd, home, mark, dataDir, hubUrl: hub.url, program}
  const script = tried.script(profile, place)
  const setup = tried.setup?.(profile, place) ?? {}
  const server = await startModelServer({script, speed: tried.speed ?? SPEED})
  try {
    const {args, env} = prepareCommand(program.agent, {
      url: server.url,
      home,
      temporary,
      prompt: setup.prompt === null ? undefined : (setup.prompt ?? PROMPT),
      args: [...(tried.isAsked ? [] : profile.unattendedArgs), ...(setup.args ?? [])],
      env: setup.env,
    })
    writeFiles(cwd, setup.files)
    writeFiles(home, setup.settings)
    const trace = join(root, 'trace')
    const file = join(dataDir, 'runs', runId, 'stdout')
    const command = isTraced ? [...toTraceCommand(trace, file), ...path] : path
    writeShim(join(root, 'bin'), program.agent, command)
    hub.follow(runId)
    const own = ['run', '--data-dir', dataDir, '--id', runId, '--format', 'json']
    const limits = ['--timeout', TIMEOUT, ...(tried.options ?? [])]
    const child = spawn(process.execPath, [bin, ...own, ...limits, '--', program.agent, ...args], {
      cwd,
      env: {...env, PATH: `${join(root, 'bin')}:${env.PATH}`},
      stdio: [setup.stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.end(setup.stdin)
    const stdout = collect(child.stdout)
    const stderr = collect(child.stderr)
    const closed = once(child, 'close')
    /** @type {Seen} */
    const seen = {
      runId,
      cwd,
      home,
      dataDir,
      mark,
      program,
      profile,
      hub,
      server,
      interrupt: () => child.kill('SIGINT'),
      vitrine: async (...more) => {
        const words = [bin, ...more, '--data-dir', dataDir]
        return (await execute(process.execPath, words, {cwd, env})).stdout
      },
      isRunning,
      waitUntilRunning: async (waited) => {
        while (!isRunning(waited)) await delay(50)
        await delay(500)
      },
      events: [],
      verdict: NO_VERDICT,
      exitCode: null,
      stderr: '',
      messages: [],
      summary: {},
      served: Buffer.alloc(0),
      recorded: Buffer.alloc(0),
      written: undefined,
    }
    await Promise.race([closed, (tried.meanwhile?.(seen) ?? Promise.resolve()).then(() => closed)])
    seen.exitCode = child.exitCode
    seen.stderr = stderr()
    const lines = stdout()
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
    seen.verdict = lines.pop() ?? NO_VERDICT
    seen.events = lines
    const ended = hub.receives(runId, ({type}) => type === 'run_ended')
    await Promise.race([ended, delay(10_000)])
    seen.messages = hub.listMessages(runId)
    seen.summary = JSON.parse(String(await hub.get(`/api/runs/${runId}`))).run
    seen.served = await hub.get(`/api/runs/${runId}/raw`)
    seen.recorded = readFileSync(file)
    seen.written = isTraced ? readWrites(trace, file) : undefined
    return await judge(tried, seen)
  } finally {
    await server.close()
    sandbox.clear()
  }
}

/**
 * @param {Case} tried
 * @param {Seen} seen
 */
async function judge(tried, seen) {
  /** @type {string[]} */
  const problems = []
  const check = (
    /** @type {string} */ expectation,
    /** @type {unknown} */ condition,
    /** @type {unknown} */ actual,
  ) => {
    if (condition) return
    const shown = actual === undefined ? '' : `; actual: ${shorten(actual)}`
    problems.push(`expected: ${expectation}${shown}`)
  }
  checkRun(tried, seen, check)
  await tried.check?.(seen, check)
  if (problems.length > 0 && seen.stderr !== '') problems.push(`stderr: ${shorten(seen.stderr)}`)
  return problems
}

/** @type {RunResult} */
const NO_VERDICT = JSON.parse('{"tokens":{},"evidence":[]}')
export const PROMPT = 'Do the work'

/**
 * @param {Program} program
 * @param {Case} tried
 */
export function toRunId({id}, {name}) {
  return `${id}-${name}`.replaceAll('.', '-')
}

/** @param {Program} program */
export function findProfile({agent}) {
  const profile = profiles[agent]
  if (profile === undefined)
    throw new Error(`No profile for ${agent} in scripts/agents/profiles.js`)
  return profile
}

/** Creates an empty home directory, a working directory with a Git repository, and a folder for temporary files. */
export function createSandbox() {
  const root = mkdtempSync(join(tmpdir(), 'vitrine-agents-'))
  const [home, cwd, temporary] = ['home', 'home/project', 'tmp'].map((name) => join(root, name))
  if (home === undefined || cwd === undefined || temporary === undefined) throw new Error(root)
  mkdirSync(cwd, {recursive: true})
  mkdirSync(temporary)
  spawnSync('git', ['init', '--quiet', cwd])
  return {
    root,
    home,
    cwd,
    temporary,
    clear: () => rmSync(root, {recursive: true, force: true, maxRetries: 10, retryDelay: 200}),
  }
}

/**
 * Writes a program with the name of the agent, as on the PATH of a user: a link like those of npm, or a shell script if
 * the command has several words.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string[]} words
 */
function writeShim(folder, name, words) {
  mkdirSync(folder)
  const [file = '', ...more] = words
  if (more.length === 0) return symlinkSync(file, join(folder, name))
  const script = `#!/bin/sh\nexec ${words.map((word) => `'${word}'`).join(' ')} "$@"\n`
  writeFileSync(join(folder, name), script, {mode: 0o755})
}

/**
 * @param {string} folder
 * @param {Record<string, string>} [files]
 */
function writeFiles(folder, files = {}) {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), {recursive: true})
    writeFileSync(join(folder, path), content)
  }
}

/** @param {import('node:stream').Readable | null} stream */
function collect(stream) {
  /** @type {Buffer[]} */
  const chunks = []
  stream?.on('data', (chunk) => chunks.push(chunk))
  return () => Buffer.concat(chunks).toString('utf8')
}

/** Whether any process runs a command. @param {string} command */
function isRunning(command) {
  return listPids().some((pid) => readCommand(pid).endsWith(command))
}

/** @param {unknown} value */
function shorten(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 600 ? `${text.slice(0, 300)} … ${text.slice(-300)}` : text
}
