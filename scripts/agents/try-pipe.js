// Runs a case through a pipe, as most tools read an agent, to find out whether the agent truncates its output.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {setTimeout as delay} from 'node:timers/promises'
import {createEventDecoder, outputFlags} from '../../dist/agents/parse.js'
import {addFlags} from '../../dist/runner/command.js'
import {prepareCommand} from './commands.js'
import {startModelServer} from './model-server.js'
import {listPids, readCommand} from '../../test/support/process-stats.js'
import {createSandbox, PROMPT, SPEED, findProfile} from './try-case.js'

/** @import {Case} from './case.js' */
/** @import {Program} from './programs.js' */

/** The time that the reader takes per chunk. */
const READ_DELAY_MS = 2
const TIMEOUT_MS = 120_000

/**
 * @param {Program} program
 * @param {Case} tried
 * @param {string[]} path
 * @returns {Promise<{bytes: number, isCut: boolean}>} The size of the output, and whether its last line is incomplete.
 */
export async function tryPipe(program, tried, path) {
  const profile = findProfile(program)
  const {cwd, home, temporary, clear} = createSandbox()
  const place = {cwd, home, mark: 'pipe', dataDir: home, hubUrl: '', program}
  const script = tried.script(profile, place)
  const server = await startModelServer({script, speed: SPEED})
  try {
    const {args, env} = prepareCommand(program.agent, {
      url: server.url,
      home,
      temporary,
      prompt: PROMPT,
      args: profile.unattendedArgs,
    })
    const [file = '', ...words] = [...path, ...addFlags(args, outputFlags(program.agent, args))]
    const child = spawn(file, words, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      detached: true,
    })
    /** @type {Buffer[]} */
    const chunks = []
    const closed = once(child, 'close')
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), TIMEOUT_MS)
    for await (const chunk of child.stdout ?? []) {
      chunks.push(chunk)
      await delay(READ_DELAY_MS)
    }
    await closed
    clearTimeout(timer)
    killLeftovers(cwd)
    const bytes = Buffer.concat(chunks)
    const decoder = createEventDecoder(program.agent)
    const events = [...(decoder?.push(bytes) ?? []), ...(decoder?.end() ?? [])]
    return {bytes: bytes.length, isCut: events.some(({type}) => type === 'malformed')}
  } finally {
    await server.close()
    clear()
  }
}

/**
 * Kills processes that an agent left behind in its working directory, such as the hub of Cline.
 *
 * @param {string} cwd
 */
function killLeftovers(cwd) {
  for (const pid of listPids()) {
    if (readCommand(pid).includes(cwd)) process.kill(pid, 'SIGKILL')
  }
}
