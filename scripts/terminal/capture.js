// Replays a story in a shell with a pseudo-terminal: types the command, answers the permission request, and captures the
// output.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {findAgent} from '../../dist/agents/find-agent.js'

/** @import {Story} from '../../dist/demo/stories.js' */
/** @import {TimedChunk} from './animation.js' */

/** A random id would change the animation with every recording. */
const RUN_ID = '7f3a'
/** An invisible escape sequence that marks a shell prompt. */
const PROMPT_MARK = '\u001b]133;A\u0007'
const PROMPT = String.raw`\[\e]133;A\a\]\[\e[32m\]$\[\e[0m\] `
/** Two keys per frame, at 12 frames per second. */
const KEY_MS = 1000 / 24
/** The pause before the first key and before Enter. Its fraction keeps keys away from the borders of frames. */
const TYPING_PAUSE_MS = 18.25 * KEY_MS
/** The delay of the answer to the permission request. */
const ANSWER_DELAY_MS = 2200
/** The visible delay between Enter and the first output; the real one depends on the machine. */
const START_DELAY_MS = 400
const TIMEOUT_MS = 120_000

/**
 * @param {Story} story
 * @param {object} options
 * @param {number} options.columns
 * @param {number} options.rows
 * @param {number} options.seconds The duration of the replay.
 * @param {string} options.folder The recording of the story.
 * @param {string} options.dist The built package.
 * @returns {Promise<TimedChunk[]>}
 */
export async function captureStory(story, {columns, rows, seconds, folder, dist}) {
  const {agent, project, durationMs, exitCode, signal, asks} = story
  const home = mkdtempSync(join(tmpdir(), 'vitrine-terminal-'))
  const cwd = join(home, project)
  const programs = join(home, 'bin')
  mkdirSync(cwd)
  mkdirSync(programs)
  writeProgram(join(programs, 'vitrine'), [
    `process.argv.splice(3, 0, '--id', '${RUN_ID}')`,
    `await import(${JSON.stringify(join(dist, 'cli/bin.js'))})`,
  ])
  writeProgram(join(programs, agent), [
    // Hides the temporary folder of this machine.
    `process.cwd = () => ${JSON.stringify(`/home/dev/${project}`)}`,
    `await import(${JSON.stringify(join(dist, 'demo/replay-agent.js'))})`,
  ])
  const job = {folder, speed: durationMs / (seconds * 1000), durationMs, exitCode, signal, asks}
  const shell = 'bash --noprofile --norc --noediting -i'
  const child = spawn(
    'script',
    ['-qfec', `stty cols ${columns} rows ${rows}; ${shell}`, '/dev/null'],
    {
      cwd,
      env: {
        PATH: `${programs}${delimiter}${process.env['PATH']}`,
        HOME: home,
        PS1: PROMPT,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        VITRINE_DEMO: JSON.stringify(job),
      },
    },
  )
  const startedAt = performance.now()
  /** @type {TimedChunk[]} */
  const chunks = []
  let shown = ''
  /** The planned time of a key: delays of a busy machine must not be visible. @type {number | undefined} */
  let typedAt
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    chunks.push({atMs: (typedAt ?? performance.now()) - startedAt, text})
    shown += text
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  try {
    await waitUntil(() => shown.includes(PROMPT_MARK))
    const typedFrom = startedAt + (chunks[0]?.atMs ?? 0) + TYPING_PAUSE_MS
    const keys = toCommand(story)
    for (const [index, key] of [...keys].entries()) {
      const at = typedFrom + index * KEY_MS
      await delay(at - performance.now())
      typedAt = at
      const echo = once(child.stdout, 'data')
      child.stdin.write(key)
      await echo
    }
    await delay(typedFrom + keys.length * KEY_MS + TYPING_PAUSE_MS - performance.now())
    typedAt = undefined
    const entered = chunks.length
    child.stdin.write('\r')
    const isOver = () => shown.split(PROMPT_MARK).length > 2
    if (asks) {
      await waitUntil(() => isOver() || shown.includes('NEEDS YOU'))
      await delay(ANSWER_DELAY_MS)
      if (!isOver()) child.stdin.write('a')
    }
    await waitUntil(isOver)
    return trim([...chunks], entered)
  } finally {
    child.kill()
    await closed
    rmSync(home, {recursive: true, force: true})
  }
}

/**
 * Starts at the first chunk and shortens the delay after Enter, whose echo is a separate chunk.
 *
 * @param {TimedChunk[]} chunks
 * @param {number} entered The index of that echo.
 * @returns {TimedChunk[]}
 */
function trim(chunks, entered) {
  const firstMs = chunks[0]?.atMs ?? 0
  const startMs = chunks[entered]?.atMs ?? 0
  const late = Math.max(0, (chunks[entered + 1]?.atMs ?? 0) - startMs - START_DELAY_MS)
  return chunks.map(({atMs, text}, index) => {
    return {atMs: atMs - firstMs - (index > entered ? late : 0), text}
  })
}

/** The argument before the prompt, if it is not `-p`. */
const SUBCOMMANDS = new Map([
  ['codex', 'exec'],
  ['opencode', 'run'],
])

/** @param {Story} story */
function toCommand({agent, prompt, asks}) {
  const quoted = /[!"$\\`]/.test(prompt)
    ? `'${prompt.replaceAll("'", String.raw`'\''`)}'`
    : `"${prompt}"`
  // A budget is rejected for agents that do not report their cost.
  const budget = findAgent(agent)?.reports.cost === true ? ' --max-cost 5' : ''
  const permissions = asks ? ' --permissions ask' : ''
  const args = [agent, SUBCOMMANDS.get(agent) ?? '-p', quoted].join(' ')
  return `vitrine run -v${budget}${permissions} -- ${args}`
}

/**
 * Writes a program to a folder of the PATH.
 *
 * @param {string} path
 * @param {string[]} lines
 */
function writeProgram(path, lines) {
  writeFileSync(`${path}.mjs`, `${lines.join('\n')}\n`)
  // Vitrine detects the agent by the name of its program, so the program has no extension.
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${path}.mjs' "$@"\n`)
  chmodSync(path, 0o755)
}

/** @param {() => boolean} condition */
async function waitUntil(condition) {
  const startedAt = performance.now()
  while (!condition()) {
    if (performance.now() - startedAt > TIMEOUT_MS) {
      throw new Error(`No expected output on the terminal within ${TIMEOUT_MS / 1000} s`)
    }
    await delay(20)
  }
}
