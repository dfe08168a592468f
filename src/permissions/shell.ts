/** A word of a command. */
export interface ShellWord {
  /** As it is written, with its quotes. */
  raw: string
  /** As the program gets it, as far as that can be known. */
  plain: string
  /** Where in `plain` something stands that only the shell can know, such as `$name`. */
  unknownAt?: number
  /** Where in `plain` a pattern of the shell begins, such as `*`. */
  patternAt?: number
  /** What is quoted in it, and the whole without its quotes: another shell may run that. */
  inner?: string[]
}

/** A simple command. */
export interface ShellCommand {
  words: ShellWord[]
  /** Whether its input may be what an earlier command or a file says. */
  isFed: boolean
}

/** What a shell would run, read without a shell. */
export interface ShellScript {
  /** Each simple command, wherever it stands. */
  commands: ShellCommand[]
  /** What is redirected, which another shell may run. */
  inner: Set<string>
  /** The commands are all there is: nothing is substituted, redirected, grouped or left open. */
  isPlain: boolean
}

/** Text that no line of a script needs; a shell and a terminal may see it differently. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/

/** Redirections that neither read nor write a file. `&>` is none of them: for some shells it is `&` and `>`. */
const HARMLESS_REDIRECTION = /\d?>>? ?\/dev\/null(?![^ \t\n;&|])|\d?>&\d(?![^ \t\n;&|])/y

/** What means nothing in a comment. */
const IN_COMMENT = /['"\\]/

/** What may stand before a redirection and is no word then. */
const DESCRIPTOR = /^(?:\d+|\{\w+\})$/

/**
 * Reads a script of a shell as Bash and its relatives do. It does not fail: where it cannot know it splits rather
 * than not, and `isPlain` is false.
 */
export function readScript(text: string): ShellScript {
  const script: ShellScript = {commands: [], inner: new Set(), isPlain: !CONTROLS.test(text)}
  let words: ShellWord[] = []
  let word: ShellWord | undefined
  let isTarget = false
  let isComment = false
  let isFed = false

  const add = (raw: string, plain = raw) => {
    word ??= {raw: '', plain: ''}
    word.raw += raw
    word.plain += plain
  }
  const addUnknown = (offset = 0) => {
    script.isPlain = false
    add('')
    if (word !== undefined) word.unknownAt ??= word.plain.length + offset
  }
  const addInner = (part: string) => {
    if (word !== undefined && word.inner?.includes(part) !== true) (word.inner ??= []).push(part)
  }
  const markPattern = () => {
    if (word !== undefined) word.patternAt ??= word.plain.length - 1
  }
  const endWord = () => {
    if (word === undefined) return
    if (isTarget) for (const part of [word.plain, ...(word.inner ?? [])]) script.inner.add(part)
    else {
      if (word.raw !== word.plain) addInner(word.plain)
      words.push(word)
    }
    isTarget = false
    word = undefined
  }
  const endCommand = () => {
    endWord()
    isTarget = false
    if (words.length > 0) script.commands.push({words, isFed})
    words = []
  }

  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    const skipped = word === undefined ? harmlessLength(text, at) : 0
    if (skipped > 0) {
      at += skipped - 1
      continue
    }
    if (isComment && IN_COMMENT.test(character)) {
      add(character)
      continue
    }
    switch (character) {
      case ' ':
      case '\t':
        endWord()
        break
      case '\n':
        isComment = false
        endCommand()
        break
      case ';':
      case '&':
        endCommand()
        break
      case '|':
        endCommand()
        if (text.charAt(at + 1) === '|') at++
        else isFed = true
        break
      case '(':
      case ')':
        script.isPlain = false
        endCommand()
        break
      case '`':
        addUnknown()
        endCommand()
        break
      case '<':
      case '>':
        script.isPlain = false
        if (word !== undefined && DESCRIPTOR.test(word.raw)) word = undefined
        endWord()
        {
          const start = at
          while ('<>&|'.includes(text.charAt(at + 1) || ' ')) at++
          // The text of `<<` is read with the rest.
          if (character === '<' && text.slice(start, at + 1) !== '<<') isFed = true
        }
        isTarget = true
        break
      case '$':
        addUnknown()
        add('$')
        break
      case '\\': {
        const next = text.charAt(++at)
        if (next === '') script.isPlain = false
        // A line that goes on: the shell takes both away.
        if (next !== '\n') add(`\\${next}`, next)
        break
      }
      case "'": {
        const end = text.indexOf("'", at + 1)
        if (end === -1) script.isPlain = false
        const content = text.slice(at + 1, end === -1 ? text.length : end)
        add(`'${content}'`, content)
        addInner(content)
        at += content.length + 1
        break
      }
      case '"': {
        const quote = readDoubleQuote(text, at + 1)
        if (!quote.isClosed) script.isPlain = false
        if (quote.unknownAt !== undefined) addUnknown(quote.unknownAt)
        add(text.slice(at, quote.end + 1), quote.content)
        addInner(quote.content)
        at = quote.end
        break
      }
      default:
        // A comment may hold a quote that is none, and hide what follows in it.
        if (character === '#' && word === undefined) {
          isComment = true
          script.isPlain = false
        }
        add(character)
        if ('*?[{'.includes(character)) markPattern()
    }
  }
  endCommand()
  return script
}

function harmlessLength(text: string, at: number): number {
  HARMLESS_REDIRECTION.lastIndex = at
  return HARMLESS_REDIRECTION.exec(text)?.[0].length ?? 0
}

interface DoubleQuote {
  content: string
  /** Where the closing quote is, or the end of the text. */
  end: number
  isClosed: boolean
  unknownAt?: number
}

function readDoubleQuote(text: string, from: number): DoubleQuote {
  const quote: DoubleQuote = {content: '', end: text.length, isClosed: false}
  for (let at = from; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '"') return {...quote, end: at, isClosed: true}
    if (character === '$' || character === '`') quote.unknownAt ??= quote.content.length
    if (character === '\\' && '$`"\\\n'.includes(text.charAt(at + 1) || ' ')) {
      at++
      if (text.charAt(at) !== '\n') quote.content += text.charAt(at)
    } else quote.content += character
  }
  return quote
}
