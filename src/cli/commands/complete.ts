import {homedir} from 'node:os'
import {Command, Option, type Argument} from 'commander'
import {agents} from '../../agents/list.ts'
import {escapeControls, firstLine} from '../../core/text/text.ts'
import {listRuns} from '../../recording/list-runs.ts'
import {print} from '../output.ts'

/** A word that completes the current one, and its description. */
type Candidate = readonly [word: string, description?: string]

/** Placeholders that a completion script replaces: only the shell knows how to quote a path. */
const FILES: Candidate = ['@files']
const DIRECTORIES: Candidate = ['@directories']

const MAX_RUNS = 100

/** `vitrine complete`: prints the candidates for the last of these words; the completion scripts call it. */
export const complete: Command = new Command('complete')
  .argument('[words...]', 'words of the command line after vitrine, up to the cursor')
  .allowUnknownOption()
  .action(async (words: string[], _flags: object, {parent}: Command) => {
    const lines = listCandidates(words, parent ?? complete).map((row) => `${row.join('\t')}\n`)
    await print(lines.join(''))
  })

function listCandidates(words: readonly string[], program: Command): Candidate[] {
  const help = program.createHelp()
  help.sortSubcommands = true
  const commands = help.visibleCommands(program)
  let command = program
  let option: Option | undefined
  let dataDir: string | undefined
  let hasArgument = false
  let hasDashes = false
  for (const [index, word] of words.slice(0, -1).entries()) {
    // Bash splits `--option=value` into three words.
    if (word === '=') continue
    if (option !== undefined) {
      if (option.long === '--data-dir') dataDir = word
      option = undefined
    } else if (word === '--') hasDashes = true
    else if (word.startsWith('-') && !hasDashes) {
      const {found, value} = findOption(word)
      if (value === undefined) option = found
      else if (found?.long === '--data-dir') dataDir = value
    } else if (command === program) {
      const named = commands.find((known) => known.name() === word)
      if (named === undefined) return []
      command = named
    } else if (isAgentCommand(command.registeredArguments[0])) return [[`@command ${index + 1}`]]
    else hasArgument = true
  }

  const last = words.at(-1) ?? ''
  const current = last === '=' ? '' : last
  if (option !== undefined) return startingWith(current, listValues(option))
  if (current.startsWith('-') && !hasDashes) {
    const {found, value} = findOption(current)
    if (found !== undefined && value !== undefined) return startingWith(value, listValues(found))
    return startingWith(current, help.visibleOptions(command).flatMap(toFlags).toSorted(byWord))
  }
  if (command === program) return startingWith(current, commands.map(toCommandName))
  const [argument] = command.registeredArguments
  if (argument === undefined || (hasArgument && !argument.variadic)) return []
  return startingWith(current, listValues(argument))

  /** Finds the option of a word that takes a value, and the value in `--option=value`. */
  function findOption(word: string): {found: Option | undefined; value: string | undefined} {
    const [, flag = word, value] = /^(--[^=]+)=(.*)$/s.exec(word) ?? []
    const known = help
      .visibleOptions(command)
      .find(({short, long}) => flag === short || flag === long)
    const takesValue = known?.required === true || known?.optional === true
    return {found: takesValue ? known : undefined, value}
  }

  function listValues(target: Option | Argument): Candidate[] {
    const choices = target.argChoices?.map(toCandidate)
    if (target instanceof Option) {
      if (choices !== undefined) return choices.toSorted(byWord)
      if (target.long === '--agent') return agents.map(({id}) => toCandidate(id))
      if (target.flags.endsWith('<file>')) return [FILES]
      return /[<[]dir[>\]]$/.test(target.flags) ? [DIRECTORIES] : []
    }
    if (choices !== undefined) return choices
    if (isAgentCommand(target)) return agents.flatMap((agent) => agent.commands.map(toCandidate))
    switch (target.name()) {
      case 'command':
        return commands.map(toCommandName)
      case 'run':
        return listRunIds(dataDir)
      case 'file':
      case 'recording':
        return [...listRunIds(dataDir), FILES]
      case 'files':
        return [FILES]
      default:
        return []
    }
  }
}

/** Whether the words from this argument on belong to another program. */
function isAgentCommand(argument: Argument | undefined): boolean {
  return argument?.name() === 'command' && argument.variadic
}

function startingWith(prefix: string, candidates: readonly Candidate[]): Candidate[] {
  return candidates.filter(([word]) => word.startsWith('@') || word.startsWith(prefix))
}

function byWord([one]: Candidate, [other]: Candidate): number {
  return one < other ? -1 : 1
}

function toCandidate(word: string): Candidate {
  return [word]
}

function toCommandName(command: Command): Candidate {
  return [command.name(), command.summary() || command.description()]
}

function toFlags({short, long, description}: Option): Candidate[] {
  return [short, long].flatMap((flag) => (flag === undefined ? [] : [[flag, description]]))
}

/** Lists ids and prompts, the newest first. The shell passes the directory as it was typed, with `~`. */
function listRunIds(dataDir: string | undefined): Candidate[] {
  const runs = listRuns(dataDir?.replace(/^~(?=\/|$)/, homedir()) || undefined)
  return runs.slice(0, MAX_RUNS).map(({record: {runId, prompt, argv}}) => {
    const title = escapeControls(firstLine(prompt ?? argv.join(' ')))
    return [runId, title.replaceAll('\t', ' ')]
  })
}
