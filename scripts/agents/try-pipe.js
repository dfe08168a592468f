// The same through a pipe, as most tools read an agent: what arrives of a long line, and of all that comes after it.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {setTimeout as delay} from 'node:timers/promises'
import {createEventDecoder, outputFlags} from '../../dist/agents/parse.js'
import {addFlags} from '../../dist/runner/command.js'
import {prepareCommand} from './commands.js'
import {startModelServer} from './model-server.js'
import {listProcesses} from './processes.js'
import {makeRoom, PROMPT, SPEED, tongueOf} from './try-case.js'

/** @import {Case} from './case.js' */
/** @import {Program} from './programs.js' */

/** What whoever reads does with each piece takes a moment. */
const WORK_MS = 2
/** How long the processes may take. */
const LONGEST_MS = 120_000

/**
 * @param {Program} program
 * @param {Case} tried
 * @param {string[]} path
 * @returns {Promise<{bytes: number, isCut: boolean}>} How much came, and whether the last line of it is not whole.
 */
export async function tryPipe(program, tried, path) {
  const tongue = tongueOf(program)
  const {cwd, home, temporary, clear} = makeRoom()
  const place = {cwd, home, mark: 'pipe', dataDir: home, hubUrl: '', program}
  const script = tried.script(tongue, place)
  const server = await startModelServer({script, speed: SPEED})
  try {
    const {args, env} = prepareCommand(program.agent, {
      url: server.url,
      home,
      temporary,
      prompt: PROMPT,
      args: tongue.freely,
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
    const timer = setTimeout(() => child.pid && process.kill(-child.pid, 'SIGKILL'), LONGEST_MS)
    for await (const chunk of child.stdout ?? []) {
      chunks.push(chunk)
      await delay(WORK_MS)
    }
    await closed
    clearTimeout(timer)
    endLeftovers(cwd)
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
 * Ends the processes that an agent left behind in its working folder, such as the hub of Cline.
 *
 * @param {string} cwd
 */
function endLeftovers(cwd) {
  for (const {pid, command} of listProcesses()) {
    if (command.includes(cwd)) process.kill(pid, 'SIGKILL')
  }
}
