import {hasOption} from '../../core/index.ts'

/** Options that have a value, as of 2.1.325: those that its help names, and those that it does not. */
const VALUED = `
  --advisor --agent --agent-color --agent-id --agent-name --agent-type --agents --append-subagent-system-prompt
  --append-subagent-system-prompt-file --append-system-prompt --append-system-prompt-file --autocompact --debug-file
  --effort --environment --fallback-model --fast-mode --input-format --json-schema --managed-settings --max-budget-usd
  --max-thinking-tokens --max-turns --messaging-socket-path --model --name --output-format --parent-session-id
  --permission-mode --permission-prompt-tool --permission-prompts --plan-mode-instructions --plugin-dir
  --plugin-dir-no-mcp --plugin-url --prefill --proactivity --remote-control-session-name-prefix --resume-drops-turn
  --resume-session-at --rewind-files --sdk-url --session-id --setting-sources --settings --system-prompt
  --system-prompt-file --system-prompt-snapshot --task-budget --team-name --teammate-mode --thinking
  --thinking-display --workload -n`

/** Options whose value may be left out. */
const OPTIONAL = `
  --cloud --debug --from-pr --prompt-suggestions --rc --remote --remote-control --resume --teleport --worktree -d -r -w`

/** Options that take every word up to the next option. */
const VARIADIC = `
  --add-dir --allowed-tools --allowedTools --betas --channels --dangerously-load-development-channels
  --disallowed-tools --disallowedTools --file --mcp-config --tools`

type Kind = 'valued' | 'optional' | 'variadic'

const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...namesIn(VALUED, 'valued'),
  ...namesIn(OPTIONAL, 'optional'),
  ...namesIn(VARIADIC, 'variadic'),
])

function namesIn(list: string, kind: Kind): [string, Kind][] {
  return list
    .trim()
    .split(/\s+/)
    .map((name) => [name, kind])
}

/** What else the program can do; none of it prints events. */
const OTHER_COMMANDS = new Set(
  'agents auth config doctor install mcp migrate-installer plugin plugins setup-token update upgrade'.split(
    ' ',
  ),
)

/** Tells whether the arguments ask for a run, and not for help or another of the program's commands. */
export function isRun(args: readonly string[]): boolean {
  const [first = -1] = findWords(args)
  return (
    !OTHER_COMMANDS.has(args[first] ?? '') && !hasOption(args, '--help', '--version', '-h', '-v')
  )
}

/** Where among the arguments the words are that belong to no option. The first of them is the prompt, or a command. */
export function findWords(args: readonly string[]): number[] {
  const words: number[] = []
  let isInList = false
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') return [...words, ...[...args.keys()].slice(at + 1)]
    if (!isOption(arg)) {
      if (!isInList) words.push(at)
      continue
    }
    const kind = kindOf(arg)
    isInList = kind === 'variadic'
    // A value that must be there is one even if it looks like an option.
    if (kind === 'valued' || kind === 'variadic') at++
    else if (kind === 'optional' && !isOption(args[at + 1] ?? '-x')) at++
  }
  return words
}

function isOption(arg: string): boolean {
  return arg.length > 1 && arg.startsWith('-')
}

/** What follows an option; nothing when its value is part of it, as in `--model=x`, `-nx`. */
function kindOf(arg: string): Kind | undefined {
  if (arg.startsWith('--') || arg.length === 2) return KINDS.get(arg)
  // Letters can be joined: `-pc`.
  return KINDS.has(arg.slice(0, 2)) ? undefined : kindOf(`-${arg.slice(2)}`)
}
