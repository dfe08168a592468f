import {accessSync, constants, existsSync, readFileSync, realpathSync, statSync} from 'node:fs'
import {delimiter, dirname, join, resolve} from 'node:path'
import {findAgent} from '../agents/find-agent.ts'
import {agents} from '../agents/list.ts'
import type {Adapter} from '../core/events/adapter.ts'
import {isRecord, objectsAt, parseText, textAt} from '../core/wire/json.ts'
import {parseRecord} from '../core/wire/records.ts'
import {attempt} from '../recording/attempt.ts'
import {RunError} from '../recording/run-error.ts'

/** A command split into the words before the agent's own arguments and these arguments. */
export interface AgentCommand {
  agent: Adapter | null
  /** The program and the words up to the agent's arguments, as in `npx codex`. */
  program: string[]
  args: string[]
}

export function splitCommand(words: readonly string[]): AgentCommand {
  for (let count = 1; count <= words.length; count++) {
    const program = words.slice(0, count)
    const agent = findAgent(program.map(quote).join(' '))
    if (agent !== null) return {agent, program, args: words.slice(count)}
  }
  return {agent: null, program: words.slice(0, 1), args: words.slice(1)}
}

/** The agent that a command runs, also through `npx` and similar programs; `null` for an unknown program. */
export function findCommandAgent(words: readonly string[]): Adapter | null {
  return splitCommand(words).agent
}

function quote(word: string): string {
  if (!/[\s"']/.test(word)) return word
  return word.includes('"') ? `'${word}'` : `"${word}"`
}

/** Adds flags where an agent reads them: a subcommand first, the others after its own arguments and before `--`. */
export function addFlags(args: readonly string[], flags: readonly string[]): string[] {
  const [first] = flags
  const command = first === undefined || first.startsWith('-') ? [] : [first]
  const options = flags.slice(command.length)
  const separator = args.indexOf('--')
  const end = separator === -1 ? args.length : separator
  return [...command, ...args.slice(0, end), ...options, ...args.slice(end)]
}

/** The prompt in the arguments of an agent, or else on stdin. */
export function findPrompt(
  agent: Adapter | null,
  args: readonly string[],
  input: Uint8Array | string | undefined,
): string | undefined {
  if (agent === null) return undefined
  return agent.findPrompt(args) ?? (input === undefined ? undefined : readInputPrompt(input))
}

/** A prompt is used as a title; the start of a large input is enough. */
const MAX_PROMPT_BYTES = 64 * 1024

/** Reads text, or a first line with a JSON message as in `--input-format stream-json`. */
function readInputPrompt(input: Uint8Array | string): string | undefined {
  const text =
    typeof input === 'string'
      ? input.slice(0, MAX_PROMPT_BYTES)
      : Buffer.from(input.subarray(0, MAX_PROMPT_BYTES)).toString('utf8')
  const [line = ''] = text.trimStart().split('\n', 1)
  const record = parseRecord(line)
  if (record.type !== 'json' || !isRecord(record.value)) return text.trim() || undefined
  const {message} = record.value
  if (!isRecord(message)) return undefined
  const {content} = message
  if (typeof content === 'string') return content
  return objectsAt(message, 'content')
    .map((block) => textAt(block, 'text') ?? '')
    .join('\n')
}

/** Resolves the path of a program; throws when it does not exist or cannot be run. */
export function findExecutable(command: string, env: NodeJS.ProcessEnv, cwd: string): string {
  const {PATH = ''} = env
  const folders = PATH.split(delimiter).filter(Boolean)
  const isPath = /[\\/]/.test(command)
  const candidates = isPath
    ? [resolve(cwd, command)]
    : folders.flatMap((folder) => endings().map((ending) => resolve(cwd, folder, command + ending)))
  const found = candidates.filter(isFile)
  const usable = found.find(isExecutable)
  if (usable !== undefined) return usable
  const [unusable] = found
  if (unusable !== undefined) {
    const mode = (statSync(unusable).mode & 0o7777).toString(8).padStart(4, '0')
    throw new RunError(
      'not-executable',
      `${command}: cannot run: permission denied (file mode ${mode})`,
    )
  }
  if (isPath && existsSync(resolve(cwd, command))) {
    throw new RunError('not-executable', `${command}: cannot run: it is a directory`)
  }
  const where = isPath ? '' : ` Searched ${folders.length} directories of PATH`
  throw new RunError('not-found', `${command}: not found.${suggest(command)}${where}`)
}

function endings(): string[] {
  if (process.platform !== 'win32') return ['']
  return ['', ...(process.env['PATHEXT'] ?? '.EXE;.CMD;.BAT').split(';')]
}

function isFile(path: string): boolean {
  return statSync(path, {throwIfNoEntry: false})?.isFile() === true
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** Suggests an agent with a similar name, and how to install it. */
function suggest(command: string): string {
  const name = command.slice(command.lastIndexOf('/') + 1).toLowerCase()
  const known = agents.flatMap(({commands, packages}) =>
    commands.map((word) => ({word, package: packages[0], distance: distanceOf(name, word)})),
  )
  const [nearest] = known.toSorted((one, other) => one.distance - other.distance)
  if (nearest === undefined || nearest.distance > Math.min(2, name.length / 3)) return ''
  const install = nearest.package === undefined ? '' : `npm install -g ${nearest.package}`
  if (nearest.distance === 0) return install === '' ? '' : ` Install it with ${install}.`
  return ` Did you mean ${nearest.word}?${install === '' ? '' : ` (${install})`}`
}

/** Levenshtein distance. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({length: other.length + 1}, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [column, otherLetter] of [...other].entries()) {
      const changed = (row[column] ?? 0) + (letter === otherLetter ? 0 : 1)
      next.push(Math.min(changed, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** The version of a program installed by npm, read from its package without running it. */
export function findVersion(path: string, agent: Adapter): string | undefined {
  const program = attempt(() => realpathSync(path))
  if (program === undefined) return undefined
  let folder = dirname(program)
  for (let depth = 0; depth < 5; depth++) {
    const text = attempt(() => readFileSync(join(folder, 'package.json'), 'utf8'))
    if (text !== undefined) {
      const found = parseText(text)
      return agent.packages.includes(textAt(found, 'name') ?? '')
        ? textAt(found, 'version')
        : undefined
    }
    folder = dirname(folder)
  }
  // Not installed by npm; the stream may contain the version.
  return undefined
}
