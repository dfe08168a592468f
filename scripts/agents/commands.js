// The commands that start the real agents with a model server on loopback and no other connections.

import {spawn} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {outputFlags} from '../../dist/agents/parse.js'
import {addFlags} from '../../dist/runner/command.js'

/**
 * @typedef {object} Start
 * @property {string} url The model server.
 * @property {string} home An empty folder.
 * @property {string} temporary A folder for temporary files of the agent and its tools.
 * @property {string | undefined} [prompt] Empty: the prompt is on stdin; undefined: Claude reads JSON messages from stdin.
 * @property {string[] | undefined} [args] Additional arguments.
 * @property {Record<string, string> | undefined} [env]
 */

/**
 * Writes the settings of an agent into its home directory. Returns its arguments and environment, without the flags that
 * make it print JSON.
 *
 * @param {string} agent
 * @param {Start} start
 */
export function prepareCommand(agent, start) {
  const toCommand = COMMANDS[agent]
  if (toCommand === undefined)
    throw new Error(`No command for ${agent} in scripts/agents/commands.js`)
  const {args, env, settings = {}} = toCommand(start)
  for (const [path, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(start.home, path)), {recursive: true})
    writeFileSync(join(start.home, path), content)
  }
  return {args, env: {...createEnv(start), ...env, ...start.env}}
}

/**
 * Starts an agent that prints JSON, with its own process group and environment and a fake key.
 *
 * @param {string} agent
 * @param {Start & {cwd: string, program: string[]}} start `program`: the command without the arguments of the agent.
 */
export function startAgent(agent, start) {
  const {args, env} = prepareCommand(agent, start)
  const [file = '', ...before] = start.program
  const flags = outputFlags(agent, args)
  const readsMessages = start.prompt === undefined
  return spawn(file, [...before, ...addFlags(args, flags)], {
    cwd: start.cwd,
    env,
    stdio: [readsMessages ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** @param {Start} start */
function createEnv({home, temporary}) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    // Git must not wait for a password.
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** @typedef {{args: string[], env: Record<string, string>, settings?: Record<string, string>}} Command */

/** @type {Record<string, (start: Start) => Command>} */
const COMMANDS = {
  claude: ({url, prompt, args = []}) => ({
    args: [
      '-p',
      ...(prompt === undefined ? splitWords('--input-format stream-json') : toPromptArgs(prompt)),
      ...args,
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      // Otherwise Claude refuses to skip permissions as root.
      IS_SANDBOX: '1',
    },
  }),
  codex: ({url, home, prompt = '', args = []}) => ({
    args: [
      ...splitWords('exec --skip-git-repo-check -s danger-full-access -m gpt-5.5'),
      ...splitWords('-c analytics.enabled=false -c check_for_update_on_startup=false'),
      ...splitWords('-c tools.update_plan.enabled=true -c model_reasoning_summary="auto"'),
      ...splitWords('--disable unbounded_connection_retries -c model_provider=lab -c'),
      `model_providers.lab=${toCodexProvider(url)}`,
      ...args,
      prompt || '-',
    ],
    env: {CODEX_HOME: join(home, '.codex'), LAB_KEY: 'fake'},
    settings: {'.codex/config.toml': ''},
  }),
  gemini: ({url, prompt = '', args = []}) => ({
    args: [
      ...splitWords('--approval-mode yolo --skip-trust -m gemini-2.5-pro'),
      ...args,
      ...toPromptArgs(prompt, '-p'),
    ],
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: 'fake',
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_CLI_TRUST_WORKSPACE: 'true',
    },
    settings: {'.gemini/settings.json': JSON.stringify(GEMINI_SETTINGS)},
  }),
  opencode: ({url, home, prompt = '', args = []}) => ({
    args: ['run', '--thinking', '-m', 'local/qwen3-coder', ...args, ...toPromptArgs(prompt)],
    env: {
      OPENCODE_CONFIG: join(home, 'opencode.json'),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    },
    settings: {'opencode.json': JSON.stringify(toOpencodeConfig(url))},
  }),
  qwen: ({url, prompt = '', args = []}) => ({
    args: [
      ...splitWords('--approval-mode yolo --auth-type openai -m qwen3-coder-plus'),
      ...args,
      ...toPromptArgs(prompt),
    ],
    env: {
      OPENAI_BASE_URL: `${url}/v1`,
      OPENAI_API_KEY: 'fake',
      OPENAI_MODEL: 'qwen3-coder-plus',
      QWEN_CODE_SUPPRESS_YOLO_WARNING: '1',
    },
    settings: {'.qwen/settings.json': JSON.stringify(QWEN_SETTINGS)},
  }),
  pi: ({url, prompt = '', args = []}) => ({
    args: [
      ...splitWords('--offline --no-session --model local/qwen3-coder'),
      ...args,
      ...toPromptArgs(prompt),
    ],
    env: {PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1'},
    settings: {'.pi/agent/models.json': JSON.stringify(toPiModels(url))},
  }),
  copilot: ({url, prompt = '', args = []}) => ({
    args: [
      ...splitWords('--allow-all-tools --allow-all-paths --no-color'),
      ...splitWords('--no-auto-update --disable-builtin-mcps'),
      ...args,
      ...toPromptArgs(prompt, '-p'),
    ],
    env: {
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: 'fake',
      COPILOT_MODEL: 'gpt-5.5',
      COPILOT_AUTO_UPDATE: 'false',
    },
  }),
  cline: ({url, prompt = '', args = []}) => ({
    args: [...args, ...toPromptArgs(prompt)],
    env: {},
    settings: {'.cline/data/settings/providers.json': JSON.stringify(toClineProviders(url))},
  }),
  kimi: ({url, prompt = '', args = []}) => ({
    args: [...args, '-p', prompt],
    env: {KIMI_CODE_NO_AUTO_UPDATE: '1'},
    settings: {'.kimi-code/config.toml': toKimiConfig(url)},
  }),
}

/**
 * The arguments for a prompt; none for a prompt on stdin.
 *
 * @param {string} prompt
 * @param {string[]} option
 */
function toPromptArgs(prompt, ...option) {
  return prompt === '' ? [] : [...option, prompt]
}

/** @param {string} text */
function splitWords(text) {
  return text.split(' ')
}

/** @param {string} url */
function toCodexProvider(url) {
  return `{name="lab",base_url="${url}/v1",env_key="LAB_KEY",wire_api="responses",request_max_retries=2,stream_max_retries=2}`
}

const GEMINI_SETTINGS = {
  security: {auth: {selectedType: 'gemini-api-key'}},
  general: {disableAutoUpdate: true, disableUpdateNag: true, enableAutoUpdate: false},
  privacy: {usageStatisticsEnabled: false},
  telemetry: {enabled: false},
  useWriteTodos: true,
}

const QWEN_SETTINGS = {
  security: {auth: {selectedType: 'openai'}},
  general: {enableAutoUpdate: false, disableAutoUpdate: true},
  privacy: {usageStatisticsEnabled: false},
  telemetry: {enabled: false},
  memory: {enableManagedAutoMemory: false},
  tools: {todoWrite: {enabled: true}},
}

/** Prices of the model in the settings of agents that compute costs, in dollars per million tokens. */
export const PRICES = {input: 0.4, output: 1.6, cacheRead: 0.08}

/** @param {string} url */
function toClineProviders(url) {
  const provider = 'openai-compatible'
  const settings = {provider, apiKey: 'fake', model: 'qwen3-coder', baseUrl: `${url}/v1`}
  const entry = {settings, updatedAt: '2026-11-18T00:00:00.000Z', tokenSource: 'manual'}
  return {version: 1, lastUsedProvider: provider, modes: {}, providers: {[provider]: entry}}
}

/** @param {string} url */
function toKimiConfig(url) {
  return `default_model = "kimi"
telemetry = false

[providers.local]
type = "openai"
base_url = "${url}/v1"
api_key = "fake"

[models.kimi]
provider = "local"
model = "kimi-k2.7"
max_context_size = 262144
`
}

/** @param {string} url */
function toPiModels(url) {
  const model = {id: 'qwen3-coder', name: 'Qwen3 Coder', reasoning: true, input: ['text']}
  const cost = {...PRICES, cacheWrite: 0}
  const models = [{...model, contextWindow: 262_144, maxTokens: 32_768, cost}]
  const provider = {baseUrl: `${url}/v1`, api: 'openai-completions', apiKey: 'fake', models}
  return {providers: {local: provider}}
}

/** @param {string} url */
function toOpencodeConfig(url) {
  const cost = {input: PRICES.input, output: PRICES.output, cache_read: PRICES.cacheRead}
  const model = {name: 'Qwen3 Coder', reasoning: true, tool_call: true, cost}
  return {
    $schema: 'https://opencode.ai/config.json',
    autoupdate: false,
    share: 'disabled',
    provider: {
      local: {
        npm: '@ai-sdk/openai-compatible',
        name: 'Local',
        options: {baseURL: `${url}/v1`, apiKey: 'fake'},
        models: {
          'qwen3-coder': {...model, limit: {context: 262_144, output: 32_768}},
        },
      },
    },
  }
}
