import {beforeSeparator} from './flags.ts'

/** The options of a program that take values, as lists of names: `-m --model`. */
export interface ArgumentGrammar {
  /** Options with a value. */
  valued?: string | undefined
  /** Options whose value may be left out. */
  optional?: string | undefined
  /** Options that take every word up to the next option. */
  variadic?: string | undefined
  /** Options without a value that are more than one letter after one dash: `-nt`. */
  flags?: string | undefined
  /** Options whose value is the prompt; without a value, the prompt is on stdin. */
  prompt?: string | undefined
  /** Sub-commands that run the agent; one of them may stand before the prompt. */
  commands?: string | undefined
  /** Other commands of the program, none of which prints events. */
  otherCommands?: string | undefined
  /** Whether the prompt is all words together, and not the first of them. */
  isJoined?: boolean | undefined
}

/** Reads the arguments of a program by its grammar. */
export interface ArgumentReader {
  /** Whether the arguments start a run: they ask neither for help, nor for the version, nor for another command. */
  isRun(args: readonly string[]): boolean
  /** The positions of the words that are neither options nor values of options. */
  findWords(args: readonly string[]): number[]
  /** The prompt; `undefined` when it is not in the arguments, or when they start no run. */
  findPrompt(args: readonly string[]): string | undefined
}

type Kind = (typeof KINDS)[number]

const KINDS = ['valued', 'optional', 'variadic', 'flags', 'prompt'] as const

/** Creates a reader for the arguments of a program. */
export function createArgumentReader(grammar: ArgumentGrammar): ArgumentReader {
  const commands = namesIn(grammar.commands)
  const otherCommands = namesIn(grammar.otherCommands)
  let kinds: ReadonlyMap<string, Kind> | undefined

  return {
    isRun,
    findWords: (args) => scan(args).words,
    findPrompt(args) {
      if (!isRun(args)) return undefined
      const {words, prompt} = scan(args)
      if (prompt !== undefined) return prompt
      const texts = words.map((at) => args[at] ?? '')
      const own = commands.includes(texts[0] ?? '') ? texts.slice(1) : texts
      const text = grammar.isJoined === true ? own.join(' ') : own[0]
      // `-` stands for stdin.
      return text === '' || text === '-' ? undefined : text
    },
  }

  function isRun(args: readonly string[]): boolean {
    const own = beforeSeparator(args)
    if (own.includes('--help') || own.includes('--version')) return false
    const [first = -1] = scan(own).words
    return !otherCommands.includes(own[first] ?? '')
  }

  function scan(args: readonly string[]): {words: number[]; prompt: string | undefined} {
    const words: number[] = []
    let prompt: string | undefined
    let isInList = false
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? ''
      if (arg === '--') {
        words.push(...[...args.keys()].slice(at + 1))
        break
      }
      if (!isOption(arg)) {
        if (!isInList) words.push(at)
        continue
      }
      const {kind, value} = readOption(arg)
      isInList = kind === 'variadic' && value === undefined
      if (value !== undefined) {
        if (kind === 'prompt') prompt ??= value
        continue
      }
      const next = args[at + 1]
      if (!takesValue(kind, next)) continue
      if (kind === 'prompt') prompt ??= next
      at++
    }
    return {words, prompt}
  }

  /** The kind of an option, and its value when that is part of it, as in `--model=x` and `-mx`. */
  function readOption(arg: string): {kind: Kind | undefined; value: string | undefined} {
    if (arg.startsWith('--')) {
      const [name = '', ...rest] = arg.split('=')
      return {kind: kindOf(name), value: rest.length === 0 ? undefined : rest.join('=')}
    }
    const exact = kindOf(arg)
    if (exact !== undefined) return {kind: exact, value: undefined}
    // Letters can be joined: `-pm x`.
    for (let index = 1; index < arg.length; index++) {
      const kind = kindOf(`-${arg[index]}`)
      if (kind === undefined) continue
      const rest = arg.slice(index + 1).replace(/^=/, '')
      return {kind, value: rest === '' ? undefined : rest}
    }
    return {kind: undefined, value: undefined}
  }

  /** The lists are read on first use: most programs start one agent of many. */
  function kindOf(name: string): Kind | undefined {
    kinds ??= new Map(KINDS.flatMap((kind) => namesIn(grammar[kind]).map((each) => [each, kind])))
    return kinds.get(name)
  }
}

/** Whether the next argument is the value of an option. */
function takesValue(kind: Kind | undefined, next: string | undefined): boolean {
  // A required value may look like an option.
  if (kind === 'valued' || kind === 'variadic') return true
  if (next === undefined) return false
  return kind === 'optional' ? !isOption(next) : kind === 'prompt' && !OPTION_NAME.test(next)
}

function namesIn(list: string | undefined): string[] {
  return list?.trim().split(/\s+/).filter(Boolean) ?? []
}

/** A prompt may begin with a dash, but the name of an option contains no space. */
const OPTION_NAME = /^--?[A-Za-z][\w-]*(?:=|$)/

function isOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-')
}
