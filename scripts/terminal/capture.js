// Plays a story in a shell on a terminal of its own: types the command, answers what is asked, and keeps all that is shown.

import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {delimiter, join} from 'node:path'
import {setTimeout as delay} from 'node:timers/promises'
import {findAgent} from '../../dist/agents/find-agent.js'

/** @import {Story} from '../../dist/demo/stories.js' */
/** @import {Piece} from './film.js' */

/** What the run is called: by chance it would be called something else every time. */
const RUN_ID = '7f3a'
/** A mark that no terminal shows, by which a prompt is known. */
const MARK = '\u001b]133;A\u0007'
const PROMPT = String.raw`\[\e]133;A\a\]\[\e[32m\]$\[\e[0m\] `
/** Two keys are typed in each of the 12 frames of a second, in the middle of their halves. */
const KEY_MS = 1000 / 24
/** Before the first key, and before the last. */
const LOOK_MS = 18.25 * KEY_MS
/** So long an answer is thought about. */
const ANSWER_MS = 2200
/** So long nothing is shown after a command is given, however long programs take to start. */
const START_MS = 400
const LONGEST_MS = 120_000

/**
 * @param {Story} story
 * @param {object} options
 * @param {number} options.columns
 * @param {number} options.rows
 * @param {number} options.seconds How long the story takes.
 * @param {string} options.folder Where its recording is.
 * @param {string} options.dist The built package.
 * @returns {Promise<Piece[]>}
 */
export async function captureStory(story, {columns, rows, seconds, folder, dist}) {
  const {agent, project, durationMs, exitCode, signal, asks} = story
  const place = mkdtempSync(join(tmpdir(), 'vitrine-film-'))
  const cwd = join(place, project)
  const programs = join(place, 'bin')
  mkdirSync(cwd)
  mkdirSync(programs)
  writeProgram(join(programs, 'vitrine'), [
    `process.argv.splice(3, 0, '--id', '${RUN_ID}')`,
    `await import(${JSON.stringify(join(dist, 'cli/bin.js'))})`,
  ])
  writeProgram(join(programs, agent), [
    // What it tells of its folder is not to tell of this machine.
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
        HOME: place,
        PS1: PROMPT,
        TERM: 'xterm-256color',
        LANG: 'C.UTF-8',
        TZ: 'UTC',
        VITRINE_DEMO: JSON.stringify(job),
      },
    },
  )
  const startedAt = performance.now()
  /** @type {Piece[]} */
  const pieces = []
  let shown = ''
  /** When a key should have been pressed: a busy machine is not to be seen in the picture. @type {number | undefined} */
  let typedAt
  child.stdout.setEncoding('utf8').on('data', (/** @type {string} */ text) => {
    pieces.push({atMs: (typedAt ?? performance.now()) - startedAt, text})
    shown += text
  })
  const closed = new Promise((resolve) => child.once('close', resolve))
  try {
    await until(() => shown.includes(MARK))
    const typedFrom = startedAt + (pieces[0]?.atMs ?? 0) + LOOK_MS
    const keys = commandOf(story)
    for (const [index, key] of [...keys].entries()) {
      const at = typedFrom + index * KEY_MS
      await delay(at - performance.now())
      typedAt = at
      const echo = once(child.stdout, 'data')
      child.stdin.write(key)
      await echo
    }
    await delay(typedFrom + keys.length * KEY_MS + LOOK_MS - performance.now())
    typedAt = undefined
    const entered = pieces.length
    child.stdin.write('\r')
    const isOver = () => shown.split(MARK).length > 2
    if (asks) {
      await until(() => isOver() || shown.includes('NEEDS YOU'))
      await delay(ANSWER_MS)
      if (!isOver()) child.stdin.write('a')
    }
    await until(isOver)
    return trim([...pieces], entered)
  } finally {
    child.kill()
    await closed
    rmSync(place, {recursive: true, force: true})
  }
}

/**
 * Begins with the first piece, and takes out the wait after the command, whose echo is a piece of its own.
 *
 * @param {Piece[]} pieces
 * @param {number} entered Which piece is that echo.
 * @returns {Piece[]}
 */
function trim(pieces, entered) {
  const firstMs = pieces[0]?.atMs ?? 0
  const startMs = pieces[entered]?.atMs ?? 0
  const late = Math.max(0, (pieces[entered + 1]?.atMs ?? 0) - startMs - START_MS)
  return pieces.map(({atMs, text}, index) => {
    return {atMs: atMs - firstMs - (index > entered ? late : 0), text}
  })
}

/** What some agents want before what they are asked. */
const COMMANDS = new Map([
  ['codex', 'exec'],
  ['opencode', 'run'],
])

/**
 * What is typed.
 *
 * @param {Story} story
 */
function commandOf({agent, prompt, asks}) {
  const quoted = /[!"$\\`]/.test(prompt)
    ? `'${prompt.replaceAll("'", String.raw`'\''`)}'`
    : `"${prompt}"`
  // Who does not tell the cost is not started with a budget.
  const budget = findAgent(agent)?.reports.cost === true ? ' --max-cost 5' : ''
  const permissions = asks ? ' --permissions ask' : ''
  const args = [agent, COMMANDS.get(agent) ?? '-p', quoted].join(' ')
  return `vitrine run -v${budget}${permissions} -- ${args}`
}

/**
 * Puts a program of ours where the shell finds it.
 *
 * @param {string} path
 * @param {string[]} lines
 */
function writeProgram(path, lines) {
  writeFileSync(`${path}.mjs`, `${lines.join('\n')}\n`)
  // Whoever starts it knows it by its name, which an ending would change.
  writeFileSync(path, `#!/bin/sh\nexec '${process.execPath}' '${path}.mjs' "$@"\n`)
  chmodSync(path, 0o755)
}

/** @param {() => boolean} isSo */
async function until(isSo) {
  const startedAt = performance.now()
  while (!isSo()) {
    if (performance.now() - startedAt > LONGEST_MS) throw new Error('the terminal does not go on')
    await delay(20)
  }
}
