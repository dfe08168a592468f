import type {Rule} from '../core/events/adapter.ts'
import {matchesGlob, parseGlob, type Glob} from './glob.ts'
import {textAt} from '../core/wire/json.ts'
import {guessMatch, type CommandGuess} from './match-command.ts'
import {
  matchesPathRule,
  isFileTool,
  mayMatchPathRule,
  pathOf,
  type PathOptions,
} from './match-path.ts'
import {readQuestions} from '../core/events/question.ts'
import {readScript} from './shell.ts'

/** Whether a rule allows or denies: allow rules are matched narrowly, deny rules widely. */
export type RuleSide = 'allow' | 'deny'

/** The default for requests that no rule matches, and the outcome of a decision. */
export type PermissionMode = 'ask' | 'allow' | 'deny'

/** A tool call that needs permission; a `PermissionEvent` is one. */
export interface ToolRequest {
  name: string
  input: unknown
}

/** The rules of a run. */
export interface PermissionRules {
  allow: readonly Rule[]
  deny: readonly Rule[]
}

/** The decision about a request. */
export interface Ruling {
  decision: PermissionMode
  /** The rule that decided; for a command of several parts, the rule that covers the first part. */
  rule?: Rule | undefined
  /** Whether it is denied because it runs text that is not in the command. */
  isHidden?: boolean | undefined
}

/**
 * Parses a rule: `Bash`, `Bash(git push *)`, `Bash(npm run test:*)`, `Edit(src/**)`, `Read(~/.ssh/**)`,
 * `WebFetch(domain:example.com)`, `mcp__server__tool`, `mcp__server__*`.
 *
 * In a command `*` is any text; ` *` and `:*` at the end are any arguments or none. In a path `*` stays within a
 * name and `**` does not. `\*` is a star. Case matters.
 *
 * @throws Error when the text is not a rule, or the rule could never match what it appears to.
 */
export function parseRule(text: string): Rule {
  const [, tool = '', inParentheses, content = ''] = RULE.exec(text.trim()) ?? []
  if (tool === '')
    throw ruleError(text, 'use the name of a tool, such as Bash, or Bash(git push *)')
  const isMcp = tool.startsWith('mcp__')
  if (tool.includes('*') && !isMcp) throw ruleError(text, '* is allowed in names of MCP tools only')
  if (inParentheses === undefined) return {tool}
  const only = tool === 'Bash' ? content.trim() : content
  if (only === '' || only === ':*') throw ruleError(text, `to match every use, write ${tool}`)
  if (isMcp) throw ruleError(text, 'a rule for an MCP tool is its name, without parentheses')
  if (tool === 'WebFetch' && !DOMAIN.test(only)) {
    throw ruleError(text, 'use WebFetch(domain:example.com)')
  }
  if (tool !== 'Bash' && tool !== 'WebFetch' && !isFileTool(tool)) {
    throw ruleError(text, `${tool} takes no pattern; write ${tool}`)
  }
  return {tool, only}
}

const RULE = /^([A-Za-z][\w.*-]*)(\(([^]*)\))?$/
const DOMAIN = /^domain:(\*\.)?([^\s/:@*?#\\]+)$/

function ruleError(text: string, help: string): Error {
  return new Error(`Invalid permission rule “${text}”: ${help}`)
}

/** Formats a rule so that `parseRule` can parse it. */
export function formatRule({tool, only}: Rule): string {
  return only === undefined ? tool : `${tool}(${only})`
}

/**
 * Decides about a request: deny rules first, then allow rules, then the mode. Each part of a command must be allowed by
 * some rule. While there are deny rules for commands, a command that runs text it does not contain, such as
 * `curl x | sh`, is asked about or denied unless a rule allows exactly that command. A question to the user is asked or
 * denied, because only a user can answer it.
 */
export function decide(
  rules: PermissionRules,
  mode: PermissionMode,
  request: ToolRequest,
  options: PathOptions = {},
): Ruling {
  const guesses = rules.deny.map((rule) => ({rule, guess: guessDeny(rule, request, options)}))
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
 * Whether a rule matches a request. An allow rule must cover the complete request; a deny rule matches if any part may
 * match. Neither sees the effects of a running program, nor the targets of links.
 */
export function matchesRule(
  rule: Rule,
  request: ToolRequest,
  side: RuleSide,
  options: PathOptions = {},
): boolean {
  return side === 'allow'
    ? findAllowing([rule], request, options) !== undefined
    : guessDeny(rule, request, options) !== 'no'
}

function findAllowing(
  rules: readonly Rule[],
  {name, input}: ToolRequest,
  options: PathOptions,
): Rule | undefined {
  const own = rules.filter((rule) => matchesTool(rule.tool, name, 'allow'))
  const general = own.find((rule) => coversEveryUse(rule))
  if (general !== undefined) return general
  if (name === 'Bash') {
    return findExact(own, {name, input}) ?? findCovering(own, textAt(input, 'command') ?? '')
  }
  if (name === 'WebFetch') return own.find(({only = ''}) => matchesDomain(only, input, 'allow'))
  const path = pathOf(name, input)
  if (path === undefined || !isFileTool(name)) return undefined
  return own.find(({only = ''}) => matchesPathRule(only, path, options))
}

function guessDeny(rule: Rule, {name, input}: ToolRequest, options: PathOptions): CommandGuess {
  if (!matchesTool(rule.tool, name, 'deny')) return 'no'
  if (coversEveryUse(rule)) return 'yes'
  const {tool, only = ''} = rule
  if (tool === 'Bash') {
    const command = textAt(input, 'command')
    if (command === undefined || matchesGlob(parseGlob(only), command.trim())) return 'yes'
    return guessMatch(commandGlobs(only), command)
  }
  if (tool === 'WebFetch') return matchesDomain(only, input, 'deny') ? 'yes' : 'no'
  // A search without a folder searches the working directory.
  const path = pathOf(name, input) ?? '.'
  return matchesPathRule(only, path, options) || mayMatchPathRule(only, path, options)
    ? 'yes'
    : 'no'
}

/** The rule that allows exactly this command. */
function findExact(rules: readonly Rule[], {name, input}: ToolRequest): Rule | undefined {
  const command = textAt(input, 'command')?.trim()
  if (name !== 'Bash' || command === undefined) return undefined
  return rules.find(({tool, only}) => {
    const [text, ...wildcards] = tool === 'Bash' && only !== undefined ? parseGlob(only) : []
    return text === command && wildcards.length === 0
  })
}

/** Tools that a rule covers as well: permission to edit a file includes writing it. */
const RELATED_TOOLS: Readonly<Record<RuleSide, Readonly<Record<string, readonly string[]>>>> = {
  allow: {Edit: ['MultiEdit', 'NotebookEdit', 'Write']},
  deny: {
    Bash: ['Monitor', 'PowerShell'],
    Edit: ['MultiEdit', 'NotebookEdit', 'Write'],
    Read: ['Glob', 'Grep', 'LS', 'NotebookRead'],
  },
}

function matchesTool(tool: string, name: string, side: RuleSide): boolean {
  if (tool === name) return true
  if (tool.startsWith('mcp__')) {
    if (matchesGlob(parseGlob(tool), name)) return true
    // As in Claude Code, `mcp__server` covers every tool of a server and `mcp__server__tool` only that tool.
    return name.startsWith(`${tool}__`) && (side === 'deny' || !tool.includes('__', 'mcp__'.length))
  }
  return (
    Object.hasOwn(RELATED_TOOLS[side], tool) && RELATED_TOOLS[side][tool]?.includes(name) === true
  )
}

function coversEveryUse({tool, only}: Rule): boolean {
  return only === undefined || (tool === 'Bash' && only === '*')
}

/** The rule that allows the first part of a command, if rules allow every part. */
function findCovering(rules: readonly Rule[], command: string): Rule | undefined {
  const {commands, isPlain} = readScript(command)
  if (!isPlain) return undefined
  const covering = commands.map(({words}) => {
    const text = words.map(({raw}) => raw).join(' ')
    return rules.find(({only = ''}) => commandGlobs(only).some((glob) => matchesGlob(glob, text)))
  })
  return covering.includes(undefined) ? undefined : covering[0]
}

/** `git *` matches `git` too; `npm run test:*` matches `npm run test`, with or without arguments, and `npm run test:unit`. */
function commandGlobs(only: string): Glob[] {
  const glob = parseGlob(only)
  const last = glob.at(-2)
  if (glob.at(-1) !== '' || last === undefined || !/.[ :]$/s.test(last)) return [glob]
  const bare = [...glob.slice(0, -2), last.slice(0, -1).trimEnd()]
  return [glob, bare, [...bare.slice(0, -1), `${bare.at(-1)} `, '']]
}

/** The host of an HTTP URL; undefined for other URLs. */
function hostOf(url: string): string | undefined {
  try {
    const {protocol, hostname} = new URL(url)
    return protocol === 'http:' || protocol === 'https:' ? hostname.replace(/\.$/, '') : undefined
  } catch {
    return undefined
  }
}

function matchesDomain(only: string, input: unknown, side: RuleSide): boolean {
  const host = hostOf(textAt(input, 'url') ?? '')
  if (host === undefined) return side === 'deny'
  const [, wildcard, name = ''] = DOMAIN.exec(only) ?? []
  const domain = hostOf(`https://${name}`) ?? name
  if (host === domain) return wildcard === undefined || side === 'deny'
  return (wildcard !== undefined || side === 'deny') && host.endsWith(`.${domain}`)
}
