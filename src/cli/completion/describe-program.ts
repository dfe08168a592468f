import type {Argument, Command, Help, Option} from 'commander'
import {agents} from '../../agents/list.ts'

/** The values that can be completed for an option or an argument. */
export interface CompletionValues {
  words: readonly string[]
  sources: readonly ('runs' | 'files' | 'directories')[]
}

/** An option of a command. */
export interface CompletionOption {
  short: string | undefined
  long: string
  description: string
  /** Name of the value; `undefined` for an option without one. */
  valueName: string | undefined
  values: CompletionValues
  isRepeatable: boolean
}

/** A command, or the program itself. */
export interface CompletionCommand {
  name: string
  description: string
  options: readonly CompletionOption[]
  argumentName: string | undefined
  values: CompletionValues
  /** Whether more than one argument can be given. */
  isVariadic: boolean
  /** Whether words after the first argument belong to another program. */
  isPassThrough: boolean
}

/** The program with its commands, as far as completion scripts need it. */
export interface CompletionProgram {
  root: CompletionCommand
  commands: readonly CompletionCommand[]
}

const NOTHING: CompletionValues = {words: [], sources: []}

/** Describes the commands and options that the help of a program lists. */
export function describeProgram(program: Command): CompletionProgram {
  const help = program.createHelp()
  const listed = help.visibleCommands(program)
  const names = listed.map((command) => command.name())
  return {
    root: describeCommand(program, help, names),
    commands: listed.map((command) => describeCommand(command, help, names)),
  }
}

function describeCommand(
  command: Command,
  help: Help,
  commandNames: readonly string[],
): CompletionCommand {
  const [argument] = command.registeredArguments
  return {
    name: command.name(),
    description: help.subcommandDescription(command),
    options: help.visibleOptions(command).map(describeOption),
    argumentName: argument?.name(),
    values: argument === undefined ? NOTHING : findArgumentValues(argument, commandNames),
    isVariadic: argument?.variadic === true,
    isPassThrough: argument?.name() === 'command' && argument.variadic,
  }
}

function describeOption(option: Option): CompletionOption {
  const [, valueName] = /[<[]([^\]>]+)[\]>]/.exec(option.flags) ?? []
  return {
    short: option.short,
    long: option.long ?? '',
    description: option.description,
    valueName,
    values: findOptionValues(option, valueName),
    isRepeatable: option.description.includes('can be repeated') || option.long === '--verbose',
  }
}

function findOptionValues(
  {argChoices, long}: Option,
  valueName: string | undefined,
): CompletionValues {
  if (argChoices !== undefined) return {words: argChoices, sources: []}
  if (long === '--agent') return {words: agents.map(({id}) => id), sources: []}
  if (valueName === 'file') return {words: [], sources: ['files']}
  if (valueName === 'dir') return {words: [], sources: ['directories']}
  return NOTHING
}

function findArgumentValues(argument: Argument, commandNames: readonly string[]): CompletionValues {
  if (argument.argChoices !== undefined) return {words: argument.argChoices, sources: []}
  switch (argument.name()) {
    // Of `vitrine run` it is the command of an agent, of `vitrine help` one of our own.
    case 'command': {
      const words = argument.variadic ? agents.flatMap(({commands}) => commands) : commandNames
      return {words, sources: []}
    }
    case 'run':
      return {words: [], sources: ['runs']}
    case 'file':
    case 'recording':
      return {words: [], sources: ['runs', 'files']}
    case 'files':
      return {words: [], sources: ['files']}
    default:
      return NOTHING
  }
}
