import {createArgumentReader, type ArgumentReader} from '../../core/events/arguments.ts'
import {hasOption} from '../../core/events/flags.ts'

/** Options with a value, as of 2.1.325, undocumented ones included. */
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

const reader = createArgumentReader({
  valued: VALUED,
  optional: OPTIONAL,
  variadic: VARIADIC,
  otherCommands:
    'agents auth config doctor install mcp migrate-installer plugin plugins setup-token update upgrade',
})

/** The positions of the words that belong to no option. The first one is the prompt or a command. */
export const findWords: ArgumentReader['findWords'] = reader.findWords

/** Whether the arguments start a run, and not another command or help. */
export function isRun(args: readonly string[]): boolean {
  return reader.isRun(args) && !hasOption(args, '-h', '-v')
}

/** The prompt in the arguments. */
export function findPrompt(args: readonly string[]): string | undefined {
  return isRun(args) ? reader.findPrompt(args) : undefined
}
