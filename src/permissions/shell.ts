/** A word of a command. */
export interface ShellWord {
  /** As it is written, with its quotes. */
  raw: string
  /** As the program receives it, as far as that is known. */
  plain: string
  /** Offset in `plain` of text that only the shell knows, such as `$name`. */
  unknownAt?: number
  /** Offset in `plain` of a shell pattern, such as `*`. */
  patternAt?: number
  /** The quoted texts in it, and the complete word without quotes: another shell may run them. */
  inner?: string[]
}

/** A simple command. */
export interface ShellCommand {
  words: ShellWord[]
  /** Whether its input may come from an earlier command or a file. */
  isFed: boolean
}

/** The commands of a script, parsed without a shell. */
export interface ShellScript {
  /** Each simple command, at any depth. */
  commands: ShellCommand[]
  /** Redirected texts, which another shell may run. */
  inner: Set<string>
  /** Whether the script has only commands: no substitution, redirection, group or unclosed quote. */
  isPlain: boolean
}

/** Characters that no script needs and that a shell and a terminal may interpret differently. */
// oxlint-disable-next-line no-control-regex -- the pattern matches control characters
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f]/

/** Redirections that neither read nor write a file. `&>` is excluded: in some shells it means `&` and `>`. */
const HARMLESS_REDIRECTION = /\d?>>? ?\/dev\/null(?![^ \t\n;&|])|\d?>&\d(?![^ \t\n;&|])/y

/** Characters without a meaning in a comment. */
const IN_COMMENT = /['"\\]/

/** The file descriptor before a redirection, which is not a word. */
const DESCRIPTOR = /^(?:\d+|\{\w+\})$/

/**
 * Parses a script as Bash and similar shells do. Never fails: where the text is ambiguous it prefers to split, and
 * `isPlain` is false.
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
          // The text of `<<` is parsed with the rest.
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
        // A line continuation: the shell removes both characters.
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
        // A comment may contain an unmatched quote, which would hide the text after it.
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
