import {escapeGlob} from './glob.ts'
import {textAt} from './json.ts'
import {isFileTool, pathOf, resolvePath, type PathOptions} from './paths.ts'
import {formatRule} from './permissions.ts'
import {readScript} from './shell.ts'

/**
 * The rule that covers a request and, where that is safe to say, what is alike: `git push -u origin x` gives
 * `Bash(git push *)`, a file gives its folder. What has several parts, or may do anything, is covered exactly as it
 * is. Undefined when no rule is narrow enough to be offered.
 */
export function suggestRule(
  name: string,
  input: unknown,
  options: PathOptions = {},
): string | undefined {
  if (name === 'Bash') return suggestCommand(textAt(input, 'command')?.trim() ?? '')
  if (name === 'WebSearch' || name.startsWith('mcp__')) return name
  if (name === 'WebFetch') return suggestDomain(textAt(input, 'url') ?? '')
  const only = isFileTool(name) ? suggestPath(pathOf(name, input) ?? '', options) : undefined
  return only && formatRule({tool: name === 'Read' ? name : 'Edit', only})
}

function suggestCommand(command: string): string | undefined {
  if (command === '') return undefined
  return formatRule({tool: 'Bash', only: commonPart(command) ?? escapeGlob(command)})
}

/** Programs whose first word says what they do, so that the rest of it is detail. */
const WITH_COMMANDS = new Set(
  'brew bun bundle cargo composer deno dotnet git go hg jj npm pip pip3 pnpm poetry svn swift uv yarn'.split(
    ' ',
  ),
)
const SCRIPT_RUNNERS = new Set(['bun', 'npm', 'pnpm', 'yarn'])

/** Commands of theirs that run whatever follows, or can be told to. */
const RUN_ANYTHING = new Set(
  'alias api bisect config dlx eval exec filter-branch help rebase repl run-script shell submodule task tool x'.split(
    ' ',
  ),
)

const WORD = /^[a-z][a-z0-9-]*$/
const SCRIPT = /^\w[\w-]*(?::[\w:-]+)?$/

function commonPart(command: string): string | undefined {
  const {commands, isPlain} = readScript(command)
  const [words, second] = commands
  if (!isPlain || words === undefined || second !== undefined) return undefined
  const [program = '', action = '', script = ''] = words.map(({raw}) => raw)
  if (!WITH_COMMANDS.has(program) || !WORD.test(action) || RUN_ANYTHING.has(action))
    return undefined
  if (action !== 'run') return `${program} ${action} *`
  // Which script is run says what is done, and scripts that begin alike are alike: `migrate:dev`.
  if (!SCRIPT_RUNNERS.has(program) || !SCRIPT.test(script)) return undefined
  const [family = ''] = script.split(':')
  return family === script ? `${program} run ${script} *` : `${program} run ${family}:*`
}

function suggestDomain(url: string): string | undefined {
  const host = /^https?:\/\/([\w.-]+)(?:[/?#:]|$)/.exec(url)?.[1]
  return host === undefined ? undefined : `WebFetch(domain:${host.toLowerCase()})`
}

/** The folder of a file of the project; other files alone, and hidden ones, which often are settings. */
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
