import {escapeGlob} from './glob.ts'
import {textAt} from '../core/wire/json.ts'
import {isFileTool, pathOf, resolvePath, type PathOptions} from './match-path.ts'
import {formatRule} from './rules.ts'
import {readScript} from './shell.ts'

/**
 * Suggests a rule that covers a request and, where that is safe, similar ones: `git commit -m x` gives
 * `Bash(git commit *)`, a file gives its folder. A command that can do anything with other arguments is covered exactly.
 * Undefined when no rule is narrow enough.
 */
export function suggestRule(
  name: string,
  input: unknown,
  options: PathOptions = {},
): string | undefined {
  if (name === 'Bash') return suggestCommand(textAt(input, 'command')?.trim() ?? '')
  if (name === 'WebSearch' || MCP_TOOL.test(name)) return name
  if (name === 'WebFetch') return suggestDomain(textAt(input, 'url') ?? '')
  const only = isFileTool(name) ? suggestPath(pathOf(name, input) ?? '', options) : undefined
  return only && formatRule({tool: name === 'Read' ? name : 'Edit', only})
}

function suggestCommand(command: string): string | undefined {
  if (command === '') return undefined
  return formatRule({tool: 'Bash', only: commonPart(command) ?? escapeGlob(command)})
}

/**
 * Commands that with any arguments run no other program and write no file named in them. There are few:
 * `git push` has `--receive-pack`, `git log` has `--output`, every `npm` has `--script-shell`, every `cargo` `--config`.
 */
const SAFE_GIT_COMMANDS = new Set(
  'add branch checkout commit describe ls-files mv restore rev-parse rm status switch tag'.split(
    ' ',
  ),
)

function commonPart(command: string): string | undefined {
  const {commands, isPlain} = readScript(command)
  const [first, second] = commands
  if (!isPlain || first === undefined || second !== undefined) return undefined
  const [program = '', action = ''] = first.words.map(({raw}) => raw)
  return program === 'git' && SAFE_GIT_COMMANDS.has(action) ? `git ${action} *` : undefined
}

/** Tool names that are valid as a rule and match no other tool. */
const MCP_TOOL = /^mcp__[\w.-]+?__[\w.-]+$/

function suggestDomain(url: string): string | undefined {
  const host = /^https?:\/\/([\w.-]+)(?:[/?#:]|$)/.exec(url)?.[1]
  return host === undefined ? undefined : `WebFetch(domain:${host.toLowerCase()})`
}

/** The folder of a file in the project; a file elsewhere, or a hidden file, which often is configuration, only itself. */
function suggestPath(path: string, options: PathOptions): string | undefined {
  const root = resolvePath('.', options)
  const names = resolvePath(path, options)
  if (path === '' || names === undefined || names.length === 0) return undefined
  const isInside = root?.every((name, index) => names[index] === name)
  const own = names.slice(root?.length)
  if (!isInside || /^(?:~?$|[A-Za-z]:)/.test(own[0] ?? '')) return escapeGlob(`/${names.join('/')}`)
  const folder = own.slice(0, -1)
  const isAlone = folder.length === 0 || own.some((name) => name.startsWith('.'))
  return isAlone ? escapeGlob(own.join('/')) : `${escapeGlob(folder.join('/'))}/**`
}
