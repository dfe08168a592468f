// What the tools of each agent are called, and what it tells of itself: for cases that are the same for all of them.

/** @import {Step, ToolCall, Turn} from './model-server.js' */

/**
 * @typedef {object} Tongue
 * @property {string[]} freely The arguments with which it asks nobody.
 * @property {(command: string) => ToolCall} shell
 * @property {((command: string) => ToolCall)} [background] Starts a command and goes on.
 * @property {((prompt: string) => Step[])} [subAgent] The turns in which it sends one out and gets its answer.
 * @property {((answer: string) => Turn)} [report] How a sub-agent answers, where words are not enough.
 * @property {boolean} [hidesAnswers] Whether what a sub-agent answers is not printed.
 * @property {boolean} asks Whether it asks for permissions on stdout.
 * @property {boolean} thinks Whether it tells what it thinks.
 * @property {boolean} failsTools Whether the end of a command that failed says so.
 * @property {'told' | 'reckoned' | null} cost Whether it knows what it cost, from the list of its vendor or from ours.
 * @property {'all' | 'script' | 'main' | null} counts Which tokens it reports: of all requests, without titles and the like, without sub-agents too, or none.
 * @property {{status: number, kind?: string}} overloaded An error after which it tries again.
 * @property {(text: string, path: string) => Turn} huge What makes it print a text as one line.
 * @property {boolean} [writesHuge] Whether that writes the text into the file.
 * @property {string[]} options Options that take values, so that the prompt is not the only argument without a dash.
 * @property {boolean} readsStdin Whether it reads its prompt from stdin when no argument has it.
 * @property {string | null} model The model that its stream names; null where it names none.
 */

/** @type {(name: string, key: string) => Tongue['huge']} */
const writing = (name, key) => (content, path) => ({tools: [{name, input: {[key]: path, content}}]})

/**
 * One call, which ends with the answer.
 *
 * @type {(name: string, more: Record<string, unknown>) => (prompt: string) => Step[]}
 */
const calling = (name, more) => (prompt) => [
  {tools: [{name, input: {description: 'Look into it', prompt, ...more}}]},
]

/** @type {Record<string, Tongue>} */
export const tongues = {
  claude: {
    freely: ['--dangerously-skip-permissions'],
    shell: (command) => ({name: 'Bash', input: {command, description: 'Try it'}}),
    background: (command) => ({
      name: 'Bash',
      input: {command, description: 'Try it', run_in_background: true},
    }),
    subAgent: calling('Task', {subagent_type: 'general-purpose', run_in_background: false}),
    options: [
      '--max-turns',
      '1',
      '--settings',
      '{"cleanupPeriodDays": 30}',
      '--allowedTools',
      'Bash(git *),Edit',
    ],
    readsStdin: true,
    model: 'claude-opus-5-5',
    asks: true,
    thinks: true,
    failsTools: true,
    cost: 'told',
    counts: 'all',
    overloaded: {status: 529, kind: 'overloaded_error'},
    huge: writing('Write', 'file_path'),
    writesHuge: true,
  },
  codex: {
    freely: [],
    shell: (cmd) => ({name: 'exec_command', input: {cmd, yield_time_ms: 30_000}}),
    background: (cmd) => ({name: 'exec_command', input: {cmd, yield_time_ms: 250}}),
    subAgent: (message) => [
      {tools: [{name: 'spawn_agent', namespace: 'multi_agent_v1', input: {message}}]},
      ({last}) => {
        const targets = [/agent_id\W+([\w-]+)/.exec(last)?.[1]]
        const input = {targets, timeout_ms: 60_000}
        return {tools: [{name: 'wait_agent', namespace: 'multi_agent_v1', input}]}
      },
    ],
    options: ['--add-dir', '.', '-c', 'model_verbosity="low"', '--color', 'never'],
    readsStdin: true,
    model: null,
    asks: false,
    thinks: true,
    failsTools: true,
    cost: null,
    counts: 'main',
    overloaded: {status: 503},
    huge: (text) => ({text}),
  },
  gemini: {
    freely: [],
    shell: (command) => ({name: 'run_shell_command', input: {command}}),
    background: (command) => ({name: 'run_shell_command', input: {command, is_background: true}}),
    subAgent: (prompt) => [
      {tools: [{name: 'invoke_agent', input: {agent_name: 'generalist', prompt}}]},
    ],
    report: (response) => ({tools: [{name: 'complete_task', input: {result: {response}}}]}),
    hidesAnswers: true,
    options: ['--include-directories', '.', '--allowed-tools', 'list_directory'],
    readsStdin: true,
    model: 'gemini-2.5-pro',
    asks: false,
    thinks: false,
    failsTools: false,
    cost: null,
    counts: 'script',
    overloaded: {status: 503},
    huge: (text) => ({
      tools: [
        {
          name: 'run_shell_command',
          input: {command: `head -c ${text.length} /dev/zero | tr '\\0' x`},
        },
      ],
    }),
  },
  opencode: {
    freely: ['--auto'],
    shell: (command) => ({name: 'bash', input: {command, description: 'Try it'}}),
    subAgent: calling('task', {subagent_type: 'general'}),
    options: ['--agent', 'build', '--log-level', 'ERROR', '--title', 'Not this'],
    readsStdin: true,
    model: null,
    asks: false,
    thinks: true,
    failsTools: true,
    cost: 'reckoned',
    counts: 'main',
    overloaded: {status: 503},
    huge: writing('write', 'filePath'),
    writesHuge: true,
  },
  qwen: {
    freely: [],
    shell: (command) => ({
      name: 'run_shell_command',
      input: {command, description: 'Try it', is_background: false},
    }),
    background: (command) => ({
      name: 'run_shell_command',
      input: {command, description: 'Try it', is_background: true},
    }),
    subAgent: calling('agent', {subagent_type: 'general-purpose', run_in_background: false}),
    options: ['--max-session-turns', '5', '--append-system-prompt', 'Be brief'],
    readsStdin: true,
    model: 'qwen3-coder-plus',
    asks: false,
    thinks: true,
    failsTools: true,
    cost: null,
    counts: 'all',
    overloaded: {status: 503},
    huge: writing('write_file', 'file_path'),
    writesHuge: true,
  },
  pi: {
    freely: [],
    shell: (command) => ({name: 'bash', input: {command}}),
    options: ['--thinking', 'low', '--append-system-prompt', 'Be brief'],
    readsStdin: true,
    model: 'qwen3-coder',
    asks: false,
    thinks: true,
    failsTools: true,
    cost: 'reckoned',
    counts: 'script',
    overloaded: {status: 503},
    huge: writing('write', 'path'),
    writesHuge: true,
  },
  copilot: {
    freely: [],
    shell: (command) => ({name: 'bash', input: {command, description: 'Try it', mode: 'sync'}}),
    background: (command) => ({
      name: 'bash',
      input: {command, description: 'Try it', mode: 'async'},
    }),
    subAgent: calling('task', {agent_type: 'general-purpose', name: 'cellar', mode: 'sync'}),
    options: ['--log-level', 'none', '--deny-tool', 'shell(git push)', '--name', 'not-this'],
    readsStdin: true,
    model: 'gpt-5.5',
    asks: false,
    thinks: true,
    failsTools: true,
    cost: null,
    counts: null,
    overloaded: {status: 503},
    huge: (text, path) => ({tools: [{name: 'apply_patch', input: {input: toPatch(text, path)}}]}),
    writesHuge: true,
  },
  cline: {
    freely: [],
    shell: (command) => ({name: 'run_commands', input: {commands: [command]}}),
    subAgent: (task) => [
      {tools: [{name: 'spawn_agent', input: {systemPrompt: 'You look into cellars.', task}}]},
    ],
    options: ['--thinking', 'low', '--timeout', '60', '--retries', '2'],
    readsStdin: false,
    model: 'qwen3-coder',
    asks: false,
    thinks: true,
    failsTools: true,
    // It has no price for a model of an OpenAI-compatible server.
    cost: null,
    counts: 'script',
    overloaded: {status: 503},
    // It refuses to write that much, and prints the call all the same.
    huge: (text, path) => ({tools: [{name: 'editor', input: {path, new_text: text}}]}),
  },
  kimi: {
    freely: [],
    shell: (command) => ({name: 'Bash', input: {command, description: 'Try it'}}),
    background: (command) => ({
      name: 'Bash',
      input: {command, description: 'Try it', run_in_background: true},
    }),
    subAgent: calling('Agent', {subagent_type: 'coder', run_in_background: false}),
    options: ['--add-dir', '.', '--agent', 'agent'],
    readsStdin: false,
    model: null,
    asks: false,
    thinks: false,
    failsTools: true,
    cost: null,
    counts: null,
    overloaded: {status: 503},
    huge: writing('Write', 'path'),
    writesHuge: true,
  },
}

/**
 * A patch that creates a file.
 *
 * @param {string} text
 * @param {string} path
 */
function toPatch(text, path) {
  const lines = text.trimEnd().split('\n')
  const added = lines.map((line) => `+${line}\n`).join('')
  return `*** Begin Patch\n*** Add File: ${path}\n${added}*** End Patch`
}
