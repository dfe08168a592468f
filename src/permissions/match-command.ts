import {matchesGlob, type Glob} from './glob.ts'
import {
  INTERPRETERS,
  PLAIN_PROGRAMS,
  RENAMERS,
  SEARCHERS,
  SHELLS,
  WRAPPERS,
} from './shell-programs.ts'
import {readScript, type ShellCommand, type ShellWord} from './shell.ts'

/** Whether a script runs a command: it may, it runs text that it does not contain, or neither. */
export type CommandGuess = 'yes' | 'hidden' | 'no'

/** The context of a script. */
interface ScriptContext {
  /** Whether it is quoted, so that it may not be a script at all. */
  isInner: boolean
  /** Whether a shell or another interpreter runs it. */
  isRun: boolean
  /** Whether it receives input through a pipe or a redirection. */
  isFed: boolean
}

/**
 * Guesses whether a script runs a command that matches these patterns: in any of its parts, behind `sudo` and other
 * wrappers, in quotes, and where only the shell knows the text. Prefers a false positive to a miss.
 */
export function guessMatch(
  globs: readonly Glob[],
  text: string,
  place: ScriptContext = {isInner: false, isRun: true, isFed: false},
): CommandGuess {
  const {commands, inner} = readScript(text)
  let isHidden = false
  for (const {words, isFed} of commands) {
    const command = {words, isFed: isFed || place.isFed}
    const first = countPrefixWords(words)
    const name = programName(words[first]?.plain ?? '')
    const runsOthers = WRAPPERS.has(name)
    if (mayMatchCommand(globs, words, first, runsOthers, place.isInner)) return 'yes'
    if (place.isRun) isHidden ||= runsHiddenText(globs, command, first)
    const isRun = place.isRun && (runsOthers || INTERPRETERS.has(name))
    for (const [index, word] of words.entries()) {
      if (word.inner === undefined || isLiteralText(words, first, index)) continue
      for (const quoted of word.inner) {
        const guess = guessMatch(globs, quoted, {isInner: true, isRun, isFed: command.isFed})
        if (guess === 'yes') return guess
        isHidden ||= guess === 'hidden'
      }
    }
  }
  for (const target of inner) {
    if (guessMatch(globs, target, {...place, isInner: true, isRun: false}) === 'yes') return 'yes'
  }
  return isHidden ? 'hidden' : 'no'
}

/** Longer commands are matched by substring, to bound the work. */
const MAX_WORDS = 2000

function mayMatchCommand(
  globs: readonly Glob[],
  words: readonly ShellWord[],
  first: number,
  runsOthers: boolean,
  isInner: boolean,
): boolean {
  const text = words.map(({plain}) => plain).join(' ')
  if (words.length > MAX_WORDS) return globs.some(([head = '']) => text.includes(head.trim()))
  const offsets = offsetsOf(words)
  // In quotes a `$` is mostly a pattern or a program of another language.
  const unknowns = isInner ? [] : unknownOffsets(words, offsets, runsOthers)
  return commandStarts(words, first, runsOthers).some((index) => {
    const {plain = '', patternAt} = words[index] ?? {}
    const name = programName(plain)
    const offset = offsets[index] ?? 0
    const starts = [offset, offset + plain.length - name.length]
    // Editors and pagers run the text after a `!`.
    if (plain.startsWith('!')) starts.push(offset + 1)
    const later = words[index + 1]?.plain.startsWith('-') ? offsets.slice(index + 2) : []
    // A name that contains a pattern can match many programs; an argument that is a pattern is rarely a name.
    const isPattern =
      !isInner &&
      patternAt !== undefined &&
      (index <= first || patternAt > plain.length - name.length) &&
      !TESTS.has(plain)
    const allUnknowns = isPattern
      ? [...unknowns, offset + patternAt].toSorted((one, other) => one - other)
      : unknowns
    return globs.some(
      (glob) =>
        starts.some((start) => mayMatch(glob, text, start, allUnknowns)) ||
        mayMatchLater(glob, name, text, later, unknowns),
    )
  })
}

/** Names that look like patterns but are commands. */
const TESTS = new Set(['[', '[[', '{'])

/** `git -C folder push` matches `git push` too: options may precede the subcommand. */
function mayMatchLater(
  [head = '', ...rest]: Glob,
  name: string,
  text: string,
  starts: readonly number[],
  unknowns: readonly number[],
): boolean {
  if (!head.startsWith(`${name} `)) return false
  const glob = [head.slice(name.length + 1), ...rest]
  return starts.some((start) => mayMatch(glob, text, start, unknowns))
}

function mayMatch(glob: Glob, text: string, start: number, unknowns: readonly number[]): boolean {
  const unknown = unknowns.find((offset) => offset >= start)
  if (unknown === undefined) return matchesGlob(glob, text, start)
  const [head = ''] = glob
  const known = text.slice(start, unknown)
  return head.startsWith(known.trimEnd()) || (glob.length > 1 && known.startsWith(head))
}

/** How many assignments and shell keywords precede the command. */
function countPrefixWords(words: readonly ShellWord[]): number {
  const first = words.findIndex(({plain}) => !ASSIGNMENT.test(plain) && !KEYWORDS.has(plain))
  return first === -1 ? words.length : first
}

/** The words at which a command may begin. */
function commandStarts(words: readonly ShellWord[], first: number, runsOthers: boolean): number[] {
  return [...words.keys()].filter(
    (index) => index <= first || runsOthers || EXEC_OPTION.test(words[index - 1]?.plain ?? ''),
  )
}

const ASSIGNMENT = /^[A-Za-z_]\w*(?:\[[^\]]*\])?\+?=/
const EXEC_OPTION = /^-(?:exec|execdir|ok|okdir|x|X)$|^--exec(?:-batch)?$/

/** Shell keywords directly followed by a command. */
const KEYWORDS = new Set('! { if then elif else do while until'.split(' '))

/** The offset of each word when they are joined by one space. */
function offsetsOf(words: readonly ShellWord[]): number[] {
  let offset = 0
  return words.map(({plain}) => {
    const start = offset
    offset += plain.length + 1
    return start
  })
}

/** Quoted text is unknown too if another shell evaluates it again: `eval '$name'`. */
function unknownOffsets(
  words: readonly ShellWord[],
  offsets: readonly number[],
  isReadAgain: boolean,
): number[] {
  return words.flatMap(({plain, unknownAt}, index) => {
    const at = unknownAt ?? (isReadAgain ? plain.search(/[$`]/) : -1)
    return at === -1 ? [] : [(offsets[index] ?? 0) + at]
  })
}

/** Whether a command runs text that is not in the script, or a program under another name. */
function runsHiddenText(
  globs: readonly Glob[],
  {words, isFed}: ShellCommand,
  first: number,
): boolean {
  const all = words.slice(first).map(({plain}) => plain)
  const [program = '', ...args] = all
  const name = programName(program)
  if (name === 'alias') return args.some((arg) => arg.includes('='))
  if (words.some(({plain}) => isProgram(globs, VALUE.exec(plain)?.[1] ?? ''))) return true
  if (args.some((arg, at) => arg === '{}' && EXEC_OPTION.test(args[at - 1] ?? ''))) return true
  if (name === '.' || name === 'source') return args.length > 0 || isFed
  if (RENAMERS.has(name)) return args.some((arg) => isProgram(globs, arg))
  if (isFed && (name === 'at' || name === 'batch')) return true
  if (isFed && readsMakefileFromInput(name, args)) return true
  if (WRAPPERS.has(name) || INTERPRETERS.has(name)) {
    return isFed && (runsInputAsProgram(name, args) || all.some((_, at) => runsInput(all, at)))
  }
  const isPlain = PLAIN_PROGRAMS.has(name) && !RUN_WORDS.has(args[0] ?? '')
  return !isPlain && args.length <= MAX_WORDS && namesCommand(globs, args)
}

/** The value of an option or a variable, which some programs run: `--pre=x`, `PAGER=x`, `alias.x=!x`. */
const VALUE = /=!?([^=\s]+)$/

/** Subcommands that run another program: `npm exec`, `uv run`. */
const RUN_WORDS = new Set(['dlx', 'exec', 'run', 'x'])

/** Whether the arguments of an unknown program are a command that it may run. */
function namesCommand(globs: readonly Glob[], args: readonly string[]): boolean {
  return args.some((arg, index) => {
    const text = [programName(arg), ...args.slice(index + 1)].join(' ')
    return globs.some((glob) => glob[0] !== '' && matchesGlob(glob, text))
  })
}

/** Whether a path names the program of one of the patterns. */
function isProgram(globs: readonly Glob[], path: string): boolean {
  return globs.some(([head = '']) => head.trim() !== '' && programName(path) === head.split(' ')[0])
}

/** Whether `xargs` or `parallel` reads the name of the program to run from its input. */
function runsInputAsProgram(name: string, args: readonly string[]): boolean {
  const [last = '', before = '-'] = args.toReversed()
  if (name === 'parallel') return args.every((arg) => arg.startsWith('-'))
  if (name !== 'xargs') return false
  const isRun = (word: string) => word === '-c' || WRAPPERS.has(programName(word))
  return isRun(last) || (last === '{}' && (before.startsWith('-') || isRun(before)))
}

/** Whether the word at `start` is an interpreter that runs its input. */
function runsInput(words: readonly string[], start: number): boolean {
  const name = programName(words[start] ?? '')
  if (!INTERPRETERS.has(name)) return false
  const hasCode = SHELLS.has(name) ? SHELL_CODE : CODE
  for (let at = start + 1; at < words.length; at++) {
    const arg = words[at] ?? ''
    if (INPUT_FILE.test(arg)) return true
    if (hasCode.test(arg) || NO_INPUT.test(arg) || !/^[-+]/.test(arg)) return false
    if (SHELLS.has(name) && WITH_VALUE.test(arg)) at++
  }
  return true
}

/** Names for standard input. */
const INPUT_FILE = /^(?:-|-s|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/
/** Options followed by code. */
const SHELL_CODE = /^-[a-zA-Z]*c$/
const CODE = /^-[a-zA-Z]*[ceEpmr]$|^--(?:eval|print)$/
/** Options that prevent running the input. */
const NO_INPUT = /^--(?:version|help|test)$/
/** Shell options that take a value. */
const WITH_VALUE = /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/

function readsMakefileFromInput(name: string, args: readonly string[]): boolean {
  if (name !== 'make' && name !== 'gmake') return false
  return args.some((arg, at) => {
    const [, value = args[at + 1] ?? '-'] = /^(?:-f|--(?:make)?file=?)(.+)?$/.exec(arg) ?? ['', '']
    return INPUT_FILE.test(value)
  })
}

/** Whether a word is a message or a search pattern without shell expansion, so that it cannot run. */
function isLiteralText(words: readonly ShellWord[], first: number, index: number): boolean {
  const {plain: program = ''} = words[first] ?? {}
  const word = words[index]
  if (word === undefined || word.unknownAt !== undefined || index <= first) return false
  const name = programName(program)
  if (name === 'git') {
    const {plain: action = ''} = words[first + 1] ?? {}
    const isMessage = /^-[a-z]*m$|^--message$/.test(words[index - 1]?.plain ?? '')
    return ['commit', 'tag', 'merge'].includes(action) && isMessage
  }
  const running = Object.hasOwn(SEARCHERS, name) ? SEARCHERS[name] : undefined
  return running !== undefined && !words.some(({plain}) => running.test(plain))
}

function programName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
