import {matchesGlob, type Glob} from './glob.ts'
import {readScript, type ShellWord} from './shell.ts'

/**
 * Tells whether a script may run a command of these patterns: in any of its parts, behind `sudo` and the like, in
 * quotes, and where something stands that only the shell can know. It would rather be wrong than miss one.
 */
export function mayRun(globs: readonly Glob[], script: string, isInner = false): boolean {
  const {commands, inner} = readScript(script)
  return (
    commands.some((words) => mayBe(globs, words, isInner)) ||
    [...inner].some((text) => mayRun(globs, text, true))
  )
}

/** Nobody writes a command of so many words to have it read. */
const MAX_WORDS = 2000

function mayBe(globs: readonly Glob[], words: readonly ShellWord[], isInner: boolean): boolean {
  const text = words.map(({plain}) => plain).join(' ')
  if (words.length > MAX_WORDS) return globs.some(([head = '']) => text.includes(head.trim()))
  const offsets = offsetsOf(words)
  const first = countBefore(words)
  const runsOthers = WRAPPERS.has(nameIn(words[first]?.plain ?? ''))
  // In quotes a `$` is mostly a pattern or a program of another language.
  const unknowns = isInner ? [] : unknownOffsets(words, offsets, runsOthers)
  return commandStarts(words, first, runsOthers).some((index) => {
    const {plain = '', patternAt} = words[index] ?? {}
    const name = nameIn(plain)
    const offset = offsets[index] ?? 0
    const starts = [offset, offset + plain.length - name.length]
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

/** Programs that run what their arguments say, wherever among these it stands. */
const WRAPPERS = new Set(
  [
    'ash bash builtin busybox bwrap caffeinate chroot chrt command coproc dash doas env eval exec fakeroot',
    'firejail fish flock function gosu ionice ksh nice nohup npx nsenter parallel pkexec rlwrap runuser script',
    'setarch setpriv setsid sh ssh stdbuf strace su su-exec sudo systemd-run taskset time timeout toybox trap',
    'unbuffer unshare watch xargs xvfb-run zsh',
  ].flatMap((line) => line.split(' ')),
)

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

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
