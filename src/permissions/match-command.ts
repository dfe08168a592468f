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

/** Whether a script runs a command: it may, it runs text that cannot be seen, or neither. */
export type RunGuess = 'yes' | 'hidden' | 'no'

/** Where a script stands. */
interface Place {
  /** It is quoted, so it may be no script at all. */
  isInner: boolean
  /** It is what a shell or the like was told to run. */
  isRun: boolean
  isFed: boolean
}

/**
 * Guesses whether a script runs a command of these patterns: in any of its parts, behind `sudo` and the like, in
 * quotes, and where something stands that only the shell can know. It would rather be wrong than miss one.
 */
export function guessRun(
  globs: readonly Glob[],
  text: string,
  place: Place = {isInner: false, isRun: true, isFed: false},
): RunGuess {
  const {commands, inner} = readScript(text)
  let isHidden = false
  for (const {words, isFed} of commands) {
    const command = {words, isFed: isFed || place.isFed}
    const first = countBefore(words)
    const name = nameIn(words[first]?.plain ?? '')
    const runsOthers = WRAPPERS.has(name)
    if (mayBe(globs, words, first, runsOthers, place.isInner)) return 'yes'
    if (place.isRun) isHidden ||= isHiding(globs, command, first)
    const isRun = place.isRun && (runsOthers || INTERPRETERS.has(name))
    for (const [index, word] of words.entries()) {
      if (word.inner === undefined || isProse(words, first, index)) continue
      for (const quoted of word.inner) {
        const guess = guessRun(globs, quoted, {isInner: true, isRun, isFed: command.isFed})
        if (guess === 'yes') return guess
        isHidden ||= guess === 'hidden'
      }
    }
  }
  for (const target of inner) {
    if (guessRun(globs, target, {...place, isInner: true, isRun: false}) === 'yes') return 'yes'
  }
  return isHidden ? 'hidden' : 'no'
}

/** Nobody writes a command of so many words to have it read. */
const MAX_WORDS = 2000

function mayBe(
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
    const name = nameIn(plain)
    const offset = offsets[index] ?? 0
    const starts = [offset, offset + plain.length - name.length]
    // Editors and pagers run what follows a `!`.
    if (plain.startsWith('!')) starts.push(offset + 1)
    const later = words[index + 1]?.plain.startsWith('-') ? offsets.slice(index + 2) : []
    // A name with a pattern in it can be that of many programs; an argument that is one is rarely a name.
    const isPattern =
      !isInner &&
      patternAt !== undefined &&
      (index <= first || patternAt > plain.length - name.length) &&
      !TESTS.has(plain)
    const allUnknowns = isPattern ? insert(offset + patternAt, unknowns) : unknowns
    return globs.some(
      (glob) =>
        starts.some((start) => mayMatch(glob, text, start, allUnknowns)) ||
        mayMatchLater(glob, name, text, later, unknowns),
    )
  })
}

function insert(offset: number, offsets: readonly number[]): number[] {
  return [...offsets, offset].toSorted((one, other) => one - other)
}

/** Names that only look like patterns. */
const TESTS = new Set(['[', '[[', '{'])

/** `git -C folder push` is `git push` too: options of the program may stand before what it is to do. */
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

/** How many assignments and words of the shell stand before the command. */
function countBefore(words: readonly ShellWord[]): number {
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

/** Words of the shell that a command follows at once. */
const KEYWORDS = new Set('! { if then elif else do while until'.split(' '))

/** Where each word begins when one space is between them. */
function offsetsOf(words: readonly ShellWord[]): number[] {
  let offset = 0
  return words.map(({plain}) => {
    const start = offset
    offset += plain.length + 1
    return start
  })
}

/** What is in quotes is not known either, if another shell reads it once more: `eval '$name'`. */
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
function isHiding(globs: readonly Glob[], {words, isFed}: ShellCommand, first: number): boolean {
  const all = words.slice(first).map(({plain}) => plain)
  const [program = '', ...args] = all
  const name = nameIn(program)
  if (name === 'alias') return args.some((arg) => arg.includes('='))
  if (words.some(({plain}) => isProgram(globs, VALUE.exec(plain)?.[1] ?? ''))) return true
  if (args.some((arg, at) => arg === '{}' && EXEC_OPTION.test(args[at - 1] ?? ''))) return true
  if (name === '.' || name === 'source') return args.length > 0 || isFed
  if (RENAMERS.has(name)) return args.some((arg) => isProgram(globs, arg))
  if (isFed && (name === 'at' || name === 'batch')) return true
  if (isFed && isMakeOfInput(name, args)) return true
  if (WRAPPERS.has(name) || INTERPRETERS.has(name)) {
    return isFed && (isOpenEnded(name, args) || all.some((_, at) => runsInput(all, at)))
  }
  const isPlain = PLAIN_PROGRAMS.has(name) && !RUN_WORDS.has(args[0] ?? '')
  return !isPlain && args.length <= MAX_WORDS && namesCommand(globs, args)
}

/** The value of an option or a variable, which some programs run: `--pre=x`, `PAGER=x`, `alias.x=!x`. */
const VALUE = /=!?([^=\s]+)$/

/** What lets a program with commands of its own run another program: `npm exec`, `uv run`. */
const RUN_WORDS = new Set(['dlx', 'exec', 'run', 'x'])

/** Whether the arguments of a program that is not known are a command that it may run. */
function namesCommand(globs: readonly Glob[], args: readonly string[]): boolean {
  return args.some((arg, index) => {
    const text = [nameIn(arg), ...args.slice(index + 1)].join(' ')
    return globs.some((glob) => glob[0] !== '' && matchesGlob(glob, text))
  })
}

/** Whether a path is that of the program of one of the patterns. */
function isProgram(globs: readonly Glob[], path: string): boolean {
  return globs.some(([head = '']) => head.trim() !== '' && nameIn(path) === head.split(' ')[0])
}

/** Whether the input of `xargs` or `parallel` is the name of the program that they run. */
function isOpenEnded(name: string, args: readonly string[]): boolean {
  const [last = '', before = '-'] = args.toReversed()
  if (name === 'parallel') return args.every((arg) => arg.startsWith('-'))
  if (name !== 'xargs') return false
  const isRun = (word: string) => word === '-c' || WRAPPERS.has(nameIn(word))
  return isRun(last) || (last === '{}' && (before.startsWith('-') || isRun(before)))
}

/** Whether the word there is an interpreter that runs what it reads from its input. */
function runsInput(words: readonly string[], start: number): boolean {
  const name = nameIn(words[start] ?? '')
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

/** Names for the input of a program. */
const INPUT_FILE = /^(?:-|-s|\/dev\/stdin|\/dev\/fd\/\d+|\/proc\/self\/fd\/\d+)$/
/** Options before code. */
const SHELL_CODE = /^-[a-zA-Z]*c$/
const CODE = /^-[a-zA-Z]*[ceEpmr]$|^--(?:eval|print)$/
/** Options with which no input is run. */
const NO_INPUT = /^--(?:version|help|test)$/
/** Options of shells that have a value. */
const WITH_VALUE = /^[-+][a-zA-Z]*[oO]$|^--(?:rcfile|init-file)$/

function isMakeOfInput(name: string, args: readonly string[]): boolean {
  if (name !== 'make' && name !== 'gmake') return false
  return args.some((arg, at) => {
    const [, value = args[at + 1] ?? '-'] = /^(?:-f|--(?:make)?file=?)(.+)?$/.exec(arg) ?? ['', '']
    return INPUT_FILE.test(value)
  })
}

/** Whether a word is text for people or a pattern to look for, and nothing in it is replaced by the shell. */
function isProse(words: readonly ShellWord[], first: number, index: number): boolean {
  const {plain: program = ''} = words[first] ?? {}
  const word = words[index]
  if (word === undefined || word.unknownAt !== undefined || index <= first) return false
  const name = nameIn(program)
  if (name === 'git') {
    const {plain: action = ''} = words[first + 1] ?? {}
    const isMessage = /^-[a-z]*m$|^--message$/.test(words[index - 1]?.plain ?? '')
    return ['commit', 'tag', 'merge'].includes(action) && isMessage
  }
  const running = Object.hasOwn(SEARCHERS, name) ? SEARCHERS[name] : undefined
  return running !== undefined && !words.some(({plain}) => running.test(plain))
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
