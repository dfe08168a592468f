import type {Rule} from '../core/events/adapter.ts'
import {matchesGlob, parseGlob, type Glob} from './glob.ts'
import {textAt} from '../core/wire/json.ts'
import {guessRun, type RunGuess} from './match-command.ts'
import {isAtPath, isFileTool, mayBeAtPath, pathOf, type PathOptions} from './match-path.ts'
import {readQuestions} from '../core/events/question.ts'
import {readScript} from './shell.ts'

/** Whether a rule allows or denies, which it is read for: what allows is read narrowly, what denies widely. */
export type RuleSide = 'allow' | 'deny'

/** What is done with a request that no rule is about, and what is decided in the end. */
export type PermissionMode = 'ask' | 'allow' | 'deny'

/** What an agent wants to do; a `PermissionEvent` is one. */
export interface ToolRequest {
  name: string
  input: unknown
}

/** The rules of a run. */
export interface PermissionRules {
  allow: readonly Rule[]
  deny: readonly Rule[]
}

/** What is decided about a request. */
export interface Ruling {
  decision: PermissionMode
  /** The rule that says so; for a command of several parts that which covers the first. */
  rule?: Rule | undefined
  /** Whether it is denied because what it runs cannot be seen. */
  isHidden?: boolean | undefined
}

/**
 * Reads a rule: `Bash`, `Bash(git push *)`, `Bash(npm run test:*)`, `Edit(src/**)`, `Read(~/.ssh/**)`,
 * `WebFetch(domain:example.com)`, `mcp__server__tool`, `mcp__server__*`.
 *
 * In a command `*` is any text; ` *` and `:*` at the end are any arguments or none. In a path `*` stays within a
 * name and `**` does not. `\*` is a star. Case matters.
 *
 * @throws Error when it is none, or one that could never do what it seems to say.
 */
export function parseRule(text: string): Rule {
  const [, tool = '', inParentheses, content = ''] = RULE.exec(text.trim()) ?? []
  if (tool === '')
    throw ruleError(text, 'expected a tool such as Bash, or a pattern such as Bash(git push *)')
  const isMcp = tool.startsWith('mcp__')
  if (tool.includes('*') && !isMcp)
    throw ruleError(text, '* in a tool name is only supported for MCP tools')
  if (inParentheses === undefined) return {tool}
  const only = tool === 'Bash' ? content.trim() : content
  if (only === '' || only === ':*') throw ruleError(text, `to match every call, use ${tool}`)
  if (isMcp) throw ruleError(text, 'a rule for an MCP tool has no pattern')
  if (tool === 'WebFetch' && !DOMAIN.test(only)) {
    throw ruleError(text, 'expected WebFetch(domain:example.com)')
  }
  if (tool !== 'Bash' && tool !== 'WebFetch' && !isFileTool(tool)) {
    throw ruleError(text, `patterns are not supported for ${tool}. Use ${tool} alone`)
  }
  return {tool, only}
}

const RULE = /^([A-Za-z][\w.*-]*)(\(([^]*)\))?$/
const DOMAIN = /^domain:(\*\.)?([^\s/:@*?#\\]+)$/

function ruleError(text: string, help: string): Error {
  return new Error(`invalid rule "${text}": ${help}`)
}

/** Writes a rule as `parseRule` reads it. */
export function formatRule({tool, only}: Rule): string {
  return only === undefined ? tool : `${tool}(${only})`
}

/**
 * Decides about a request: what a rule denies is denied, what rules allow is allowed, and the mode says what becomes
 * of the rest. Each part of a command must be allowed, by whichever rule. While there are rules that deny commands, one
 * that runs text which cannot be seen, such as `curl x | sh`, is asked about or denied, but for a rule that allows exactly it.
 * A question to the user is asked or denied, because only a person can answer it.
 */
export function decide(
  rules: PermissionRules,
  mode: PermissionMode,
  request: ToolRequest,
  options: PathOptions = {},
): Ruling {
  const guesses = rules.deny.map((rule) => ({rule, guess: guessDenied(rule, request, options)}))
  const denied = guesses.find(({guess}) => guess === 'yes')
  if (denied !== undefined) return {decision: 'deny', rule: denied.rule}
  if (readQuestions(request).length > 0) return {decision: mode === 'ask' ? 'ask' : 'deny'}
  const hidden = guesses.find(({guess}) => guess === 'hidden')
  if (hidden !== undefined) {
    const exact = findExact(rules.allow, request)
    if (exact !== undefined) return {decision: 'allow', rule: exact}
    return mode === 'ask'
      ? {decision: 'ask'}
      : {decision: 'deny', rule: hidden.rule, isHidden: true}
  }
  const allowed = findAllowing(rules.allow, request, options)
  if (allowed !== undefined) return {decision: 'allow', rule: allowed}
  return {decision: mode}
}

/**
 * Tells whether a rule is about a request. One that allows is so only if it says all of what is wanted, and one that
 * denies if any part may be what it says. Neither sees what a program does once it runs, nor where links lead.
 */
export function matchesRule(
  rule: Rule,
  request: ToolRequest,
  side: RuleSide,
  options: PathOptions = {},
): boolean {
  return side === 'allow'
    ? findAllowing([rule], request, options) !== undefined
    : guessDenied(rule, request, options) !== 'no'
}

function findAllowing(
  rules: readonly Rule[],
  {name, input}: ToolRequest,
  options: PathOptions,
): Rule | undefined {
  const own = rules.filter((rule) => isAbout(rule.tool, name, 'allow'))
  const whole = own.find((rule) => isWhole(rule))
  if (whole !== undefined) return whole
  if (name === 'Bash') {
    return findExact(own, {name, input}) ?? findCovering(own, textAt(input, 'command') ?? '')
  }
  if (name === 'WebFetch') return own.find(({only = ''}) => isAtDomain(only, input, 'allow'))
  const path = pathOf(name, input)
  if (path === undefined || !isFileTool(name)) return undefined
  return own.find(({only = ''}) => isAtPath(only, path, options))
}

function guessDenied(rule: Rule, {name, input}: ToolRequest, options: PathOptions): RunGuess {
  if (!isAbout(rule.tool, name, 'deny')) return 'no'
  if (isWhole(rule)) return 'yes'
  const {tool, only = ''} = rule
  if (tool === 'Bash') {
    const command = textAt(input, 'command')
    if (command === undefined || matchesGlob(parseGlob(only), command.trim())) return 'yes'
    return guessRun(commandGlobs(only), command)
  }
  if (tool === 'WebFetch') return isAtDomain(only, input, 'deny') ? 'yes' : 'no'
  // What looks through a folder and names none looks through that which it is in.
  const path = pathOf(name, input) ?? '.'
  return isAtPath(only, path, options) || mayBeAtPath(only, path, options) ? 'yes' : 'no'
}

/** The rule that allows exactly this command. */
function findExact(rules: readonly Rule[], {name, input}: ToolRequest): Rule | undefined {
  const command = textAt(input, 'command')?.trim()
  if (name !== 'Bash' || command === undefined) return undefined
  return rules.find(
    ({tool, only}) => tool === 'Bash' && only !== undefined && isExactly(parseGlob(only), command),
  )
}

/** The tools that a rule is also about. Whoever may edit a file may as well write it anew. */
const RELATED: Readonly<Record<RuleSide, Readonly<Record<string, readonly string[]>>>> = {
  allow: {Edit: ['MultiEdit', 'NotebookEdit', 'Write']},
  deny: {
    Bash: ['Monitor', 'PowerShell'],
    Edit: ['MultiEdit', 'NotebookEdit', 'Write'],
    Read: ['Glob', 'Grep', 'LS', 'NotebookRead'],
  },
}

function isAbout(tool: string, name: string, side: RuleSide): boolean {
  if (tool === name) return true
  if (tool.startsWith('mcp__')) {
    if (matchesGlob(parseGlob(tool), name)) return true
    // `mcp__server` is all of a server, as for Claude; `mcp__server__tool` is that tool only.
    return name.startsWith(`${tool}__`) && (side === 'deny' || !tool.includes('__', 'mcp__'.length))
  }
  return Object.hasOwn(RELATED[side], tool) && RELATED[side][tool]?.includes(name) === true
}

function isWhole({tool, only}: Rule): boolean {
  return only === undefined || (tool === 'Bash' && only === '*')
}

/** The rule that allows the first part of a command, when there is one for every part. */
function findCovering(rules: readonly Rule[], command: string): Rule | undefined {
  const {commands, isPlain} = readScript(command)
  if (!isPlain) return undefined
  const covering = commands.map(({words}) => {
    const text = words.map(({raw}) => raw).join(' ')
    return rules.find(({only = ''}) => commandGlobs(only).some((glob) => matchesGlob(glob, text)))
  })
  return covering.includes(undefined) ? undefined : covering[0]
}

function isExactly(glob: Glob, command: string): boolean {
  return glob.length === 1 && glob[0] === command
}

/** `git *` is `git` too, and `npm run test:*` is `npm run test`, with arguments or without, and `npm run test:unit`. */
function commandGlobs(only: string): Glob[] {
  const glob = parseGlob(only)
  const last = glob.at(-2)
  if (glob.at(-1) !== '' || last === undefined || !/.[ :]$/s.test(last)) return [glob]
  const bare = [...glob.slice(0, -2), last.slice(0, -1).trimEnd()]
  return [glob, bare, [...bare.slice(0, -1), `${bare.at(-1)} `, '']]
}

/** The host of an address; undefined when it is none that a browser would open. */
function hostOf(url: string): string | undefined {
  try {
    const {protocol, hostname} = new URL(url)
    return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : undefined
  } catch {
    return undefined
  }
}

function isAtDomain(only: string, input: unknown, side: RuleSide): boolean {
  const host = hostOf(textAt(input, 'url') ?? '')
  if (host === undefined) return side === 'deny'
  const [, wildcard, name = ''] = DOMAIN.exec(only) ?? []
  const domain = hostOf(`https://${name}`) ?? name
  if (host === domain) return wildcard === undefined || side === 'deny'
  return (wildcard !== undefined || side === 'deny') && host.endsWith(`.${domain}`)
}
