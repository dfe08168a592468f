// The tools, options and reported figures of each agent, by which one case serves all agents.

/** @import {Step, ToolCall, Turn} from './model-server.js' */

/**
 * @typedef {object} AgentProfile
 * @property {string[]} unattendedArgs Arguments that turn permission requests off.
 * @property {(command: string) => ToolCall} shell
 * @property {((command: string) => ToolCall)} [background] Starts a command in the background.
 * @property {((prompt: string) => Step[])} [subAgent] The turns that start a sub-agent and receive its answer.
 * @property {((answer: string) => Turn)} [toSubAgentAnswer] The last turn of a sub-agent, if text is not enough.
 * @property {boolean} [hidesSubAgentAnswers] Whether the answer of a sub-agent is not printed.
 * @property {boolean} requestsPermission Whether it requests permissions on stdout.
 * @property {boolean} printsThinking
 * @property {boolean} reportsToolFailures Whether it reports that a command failed.
 * @property {'reported' | 'estimated' | null} cost Whether it reports its cost, computes it from the prices in its settings, or neither.
 * @property {'all' | 'script' | 'main' | null} counts The requests whose tokens it reports: all; without titles and the like; also without sub-agents; none.
 * @property {{status: number, kind?: string}} overloaded An error after which it retries.
 * @property {(text: string, path: string) => Turn} toHugeTurn A turn that makes it print a text as one line.
 * @property {boolean} [writesHugeFile] Whether that turn writes the text to the file.
 * @property {string[]} options Options with values, so that the prompt is not the only argument without a dash.
 * @property {boolean} readsStdin Whether it reads its prompt from stdin if no argument contains it.
 * @property {string | null} model The model in its stream; null if its stream has none.
 */

/** @type {(name: string, key: string) => AgentProfile['toHugeTurn']} */
const toWriteCall = (name, key) => (content, path) => ({
  tools: [{name, input: {[key]: path, content}}],
})

/**
 * One call, whose result is the answer.
 *
 * @type {(name: string, more: Record<string, unknown>) => (prompt: string) => Step[]}
 */
const toSubAgentCall = (name, more) => (prompt) => [
  {tools: [{name, input: {description: 'Look into it', prompt, ...more}}]},
]

/** @type {Record<string, AgentProfile>} */
export const profiles = {
  claude: {
    unattendedArgs: ['--dangerously-skip-permissions'],
    shell: (command) => ({name: 'Bash', input: {command, description: 'Try it'}}),
    background: (command) => ({
      name: 'Bash',
      input: {command, description: 'Try it', run_in_background: true},
    }),
    subAgent: toSubAgentCall('Task', {subagent_type: 'general-purpose', run_in_background: false}),
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
    requestsPermission: true,
    printsThinking: true,
    reportsToolFailures: true,
    cost: 'reported',
    counts: 'all',
    overloaded: {status: 529, kind: 'overloaded_error'},
    toHugeTurn: toWriteCall('Write', 'file_path'),
    writesHugeFile: true,
  },
  codex: {
    unattendedArgs: [],
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
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    cost: null,
    counts: 'main',
    overloaded: {status: 503},
    toHugeTurn: (text) => ({text}),
  },
  gemini: {
    unattendedArgs: [],
    shell: (command) => ({name: 'run_shell_command', input: {command}}),
    background: (command) => ({name: 'run_shell_command', input: {command, is_background: true}}),
    subAgent: (prompt) => [
      {tools: [{name: 'invoke_agent', input: {agent_name: 'generalist', prompt}}]},
    ],
    toSubAgentAnswer: (response) => ({
      tools: [{name: 'complete_task', input: {result: {response}}}],
    }),
    hidesSubAgentAnswers: true,
    options: ['--include-directories', '.', '--allowed-tools', 'list_directory'],
    readsStdin: true,
    model: 'gemini-2.5-pro',
    requestsPermission: false,
    printsThinking: false,
    reportsToolFailures: false,
    cost: null,
    counts: 'script',
    overloaded: {status: 503},
    toHugeTurn: (text) => ({
      tools: [
        {
          name: 'run_shell_command',
          input: {command: `head -c ${text.length} /dev/zero | tr '\\0' x`},
        },
      ],
    }),
  },
  opencode: {
    unattendedArgs: ['--auto'],
    shell: (command) => ({name: 'bash', input: {command, description: 'Try it'}}),
    subAgent: toSubAgentCall('task', {subagent_type: 'general'}),
    options: ['--agent', 'build', '--log-level', 'ERROR', '--title', 'Not this'],
    readsStdin: true,
    model: null,
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    cost: 'estimated',
    counts: 'main',
    overloaded: {status: 503},
    toHugeTurn: toWriteCall('write', 'filePath'),
    writesHugeFile: true,
  },
  qwen: {
    unattendedArgs: [],
    shell: (command) => ({
      name: 'run_shell_command',
      input: {command, description: 'Try it', is_background: false},
    }),
    background: (command) => ({
      name: 'run_shell_command',
      input: {command, description: 'Try it', is_background: true},
    }),
    subAgent: toSubAgentCall('agent', {subagent_type: 'general-purpose', run_in_background: false}),
    options: ['--max-session-turns', '5', '--append-system-prompt', 'Be brief'],
    readsStdin: true,
    model: 'qwen3-coder-plus',
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    cost: null,
    counts: 'all',
    overloaded: {status: 503},
    toHugeTurn: toWriteCall('write_file', 'file_path'),
    writesHugeFile: true,
  },
  pi: {
    unattendedArgs: [],
    shell: (command) => ({name: 'bash', input: {command}}),
    options: ['--thinking', 'low', '--append-system-prompt', 'Be brief'],
    readsStdin: true,
    model: 'qwen3-coder',
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    cost: 'estimated',
    counts: 'script',
    overloaded: {status: 503},
    toHugeTurn: toWriteCall('write', 'path'),
    writesHugeFile: true,
  },
  copilot: {
    unattendedArgs: [],
    shell: (command) => ({name: 'bash', input: {command, description: 'Try it', mode: 'sync'}}),
    background: (command) => ({
      name: 'bash',
      input: {command, description: 'Try it', mode: 'async'},
    }),
    subAgent: toSubAgentCall('task', {agent_type: 'general-purpose', name: 'cellar', mode: 'sync'}),
    options: ['--log-level', 'none', '--deny-tool', 'shell(git push)', '--name', 'not-this'],
    readsStdin: true,
    model: 'gpt-5.5',
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    cost: null,
    counts: null,
    overloaded: {status: 503},
    toHugeTurn: (text, path) => ({
      tools: [{name: 'apply_patch', input: {input: toPatch(text, path)}}],
    }),
    writesHugeFile: true,
  },
  cline: {
    unattendedArgs: [],
    shell: (command) => ({name: 'run_commands', input: {commands: [command]}}),
    subAgent: (task) => [
      {tools: [{name: 'spawn_agent', input: {systemPrompt: 'You look into cellars.', task}}]},
    ],
    options: ['--thinking', 'low', '--timeout', '60', '--retries', '2'],
    readsStdin: false,
    model: 'qwen3-coder',
    requestsPermission: false,
    printsThinking: true,
    reportsToolFailures: true,
    // It has no price for a model of an OpenAI-compatible server.
    cost: null,
    counts: 'script',
    overloaded: {status: 503},
    // It refuses to write such a large file, but prints the call.
    toHugeTurn: (text, path) => ({tools: [{name: 'editor', input: {path, new_text: text}}]}),
  },
  kimi: {
    unattendedArgs: [],
    shell: (command) => ({name: 'Bash', input: {command, description: 'Try it'}}),
    background: (command) => ({
      name: 'Bash',
      input: {command, description: 'Try it', run_in_background: true},
    }),
    subAgent: toSubAgentCall('Agent', {subagent_type: 'coder', run_in_background: false}),
    options: ['--add-dir', '.', '--agent', 'agent'],
    readsStdin: false,
    model: null,
    requestsPermission: false,
    printsThinking: false,
    reportsToolFailures: true,
    cost: null,
    counts: null,
    overloaded: {status: 503},
    toHugeTurn: toWriteCall('Write', 'path'),
    writesHugeFile: true,
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
