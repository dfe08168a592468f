// One real agent, one case: run through `vitrine run` against the scripted model, and watched through the hub.

import {execFile, spawn, spawnSync} from 'node:child_process'
import {once} from 'node:events'
import {mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {basename, dirname, join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {promisify} from 'node:util'
import {checkRun} from './check-run.js'
import {prepareCommand} from './commands.js'
import {bin} from './hub-watch.js'
import {startModelServer} from './model-server.js'
import {listProcesses} from './processes.js'
import {tongues} from './tongues.js'
import {readWritten, tracing} from './written.js'

/** @import {RunResult} from '../../dist/core/index.js' */
/** @import {Case} from './case.js' */
/** @import {Hub, Message} from './hub-watch.js' */
/** @import {Program} from './programs.js' */
/** @import {Tongue} from './tongues.js' */

/** An event, as far as cases look at it. @typedef {{type: string, text?: string, ok?: boolean, output?: string, error?: string, toolId?: string, tool?: string, parentToolId?: string, toolCount?: number, durationMs?: number, status?: string, detail?: string}} SeenEvent */

/**
 * All that was seen of a run.
 *
 * @typedef {object} Seen
 * @property {string} runId
 * @property {string} cwd
 * @property {string} home
 * @property {string} dataDir
 * @property {string} mark A word that nothing else has.
 * @property {Program} program
 * @property {Tongue} tongue
 * @property {Hub} hub
 * @property {Awaited<ReturnType<typeof startModelServer>>} server
 * @property {() => void} interrupt Presses Ctrl-C.
 * @property {(...args: string[]) => Promise<string>} vitrine Runs another command of the CLI on the same data folder; resolves with its stdout.
 * @property {(command: string) => Promise<void>} untilRunning
 * @property {(command: string) => boolean} isRunning
 * @property {SeenEvent[]} events
 * @property {RunResult} verdict
 * @property {number | null} exitCode
 * @property {string} stderr
 * @property {Message[]} messages What the hub told.
 * @property {Record<string, unknown>} summary What it has.
 * @property {Buffer} served The bytes that it gives out.
 * @property {Buffer} recorded Those of the recording.
 * @property {Buffer | undefined} written Those that the program wrote, where that can be seen.
 */

const execute = promisify(execFile)
/** Nothing takes this long. */
const LONGEST = '240s'
/** How much faster than a real model the scripted one is. */
export const SPEED = 100_000

/**
 * @param {Program} program
 * @param {Case} tried
 * @param {{path: string[], hub: Hub, dataDir: string, isTraced: boolean}} options
 * @returns {Promise<string[]>} What is not as it should be.
 */
export async function tryCase(program, tried, {path, hub, dataDir, ...options}) {
  const isTraced = options.isTraced && tried.isUntraced !== true
  const tongue = tongueOf(program)
  const room = makeRoom()
  const {cwd, root, home, temporary} = room
  const runId = toRunId(program, tried)
  const mark = basename(root)
  const place = {cwd, home, mark, dataDir, hubUrl: hub.url, program}
  const script = tried.script(tongue, place)
  const setup = tried.setup?.(tongue, place) ?? {}
  const server = await startModelServer({script, speed: tried.speed ?? SPEED})
  try {
    const {args, env} = prepareCommand(program.agent, {
      url: server.url,
      home,
      temporary,
      prompt: setup.prompt === null ? undefined : (setup.prompt ?? PROMPT),
      args: [...(tried.isAsked ? [] : tongue.freely), ...(setup.args ?? [])],
      env: setup.env,
    })
    writeFiles(cwd, setup.files)
    writeFiles(home, setup.settings)
    const trace = join(root, 'trace')
    const file = join(dataDir, 'runs', runId, 'stdout')
    const words = isTraced ? [...tracing(trace, file), ...path] : path
    makeShim(join(root, 'bin'), program.agent, words)
    hub.follow(runId)
    const own = ['run', '--data-dir', dataDir, '--id', runId, '--format', 'json']
    const limits = ['--timeout', LONGEST, ...(tried.options ?? [])]
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
      tongue,
      hub,
      server,
      interrupt: () => child.kill('SIGINT'),
      vitrine: async (...more) => {
        const command = [bin, ...more, '--data-dir', dataDir]
        return (await execute(process.execPath, command, {cwd, env})).stdout
      },
      isRunning,
      untilRunning: async (command) => {
        while (!isRunning(command)) await delay(50)
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
    const ended = hub.hears(runId, ({type}) => type === 'run_ended')
    await Promise.race([ended, delay(10_000)])
    seen.messages = hub.messagesOf(runId)
    seen.summary = JSON.parse(String(await hub.get(`/api/runs/${runId}`))).run
    seen.served = await hub.get(`/api/runs/${runId}/raw`)
    seen.recorded = readFileSync(file)
    seen.written = isTraced ? readWritten(trace, file) : undefined
    return await judge(tried, seen)
  } finally {
    await server.close()
    room.clear()
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
    /** @type {string} */ what,
    /** @type {unknown} */ isSo,
    /** @type {unknown} */ saw,
  ) => {
    if (!isSo) problems.push(`not so: ${what}${saw === undefined ? '' : `; seen: ${shorten(saw)}`}`)
  }
  checkRun(tried, seen, check)
  await tried.check?.(seen, check)
  if (problems.length > 0 && seen.stderr !== '') problems.push(`stderr: ${shorten(seen.stderr)}`)
  return problems
}

/** @type {RunResult} */
const NO_VERDICT = JSON.parse('{"tokens":{},"evidence":[]}')
export const PROMPT = 'Do as you are told'

/**
 * What a run is called.
 *
 * @param {Program} program
 * @param {Case} tried
 */
export function toRunId({id}, {name}) {
  return `${id}-${name}`.replaceAll('.', '-')
}

/** @param {Program} program */
export function tongueOf({agent}) {
  const tongue = tongues[agent]
  if (tongue === undefined) throw new Error(`${agent}: nobody knows its tools`)
  return tongue
}

/** An empty home, a folder to work in, and a place for what is left behind. */
export function makeRoom() {
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
 * A program by the name of the agent, as it would be on the PATH of a user: a link, as npm makes it, where one word is enough.
 *
 * @param {string} folder
 * @param {string} name
 * @param {string[]} words
 */
function makeShim(folder, name, words) {
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

/** Whether a command runs anywhere. @param {string} command */
function isRunning(command) {
  return listProcesses().some((running) => running.command.endsWith(command))
}

/** @param {unknown} value */
function shorten(value) {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return text.length > 600 ? `${text.slice(0, 300)} … ${text.slice(-300)}` : text
}
