// How the real agents are called so that they talk to a server on loopback and to nobody else.

import {spawn} from 'node:child_process'
import {mkdirSync, writeFileSync} from 'node:fs'
import {dirname, join} from 'node:path'
import {outputFlags} from '../../dist/agents/parse.js'
import {addFlags} from '../../dist/runner/command.js'

/**
 * @typedef {object} Start
 * @property {string} url Of the model server.
 * @property {string} home An empty folder.
 * @property {string} temporary A folder for what it and its tools leave behind.
 * @property {string | undefined} [prompt] Empty for a prompt on stdin; without it Claude reads messages in JSON from there.
 * @property {string[] | undefined} [args] Besides those that it always needs.
 * @property {Record<string, string> | undefined} [env]
 */

/**
 * Writes the settings of an agent into its home and says with which arguments and which environment to call it there. The
 * flags that make it print JSON are not among them.
 *
 * @param {string} agent
 * @param {Start} start
 */
export function prepareCommand(agent, start) {
  const make = COMMANDS[agent]
  if (make === undefined) throw new Error(`${agent}: nobody knows how to start it`)
  const {args, env, settings = {}} = make(start)
  for (const [path, content] of Object.entries(settings)) {
    mkdirSync(dirname(join(start.home, path)), {recursive: true})
    writeFileSync(join(start.home, path), content)
  }
  return {args, env: {...usual(start), ...env, ...start.env}}
}

/**
 * Starts an agent that prints JSON in a process group of its own, with an environment of its own and a key that opens nothing.
 *
 * @param {string} agent
 * @param {Start & {cwd: string, program: string[]}} start `program` is what to run, without the agent's own arguments.
 */
export function startAgent(agent, start) {
  const {args, env} = prepareCommand(agent, start)
  const [file = '', ...before] = start.program
  const flags = outputFlags(agent, args)
  const speaks = start.prompt === undefined
  return spawn(file, [...before, ...addFlags(args, flags)], {
    cwd: start.cwd,
    env,
    stdio: [speaks ? 'pipe' : 'ignore', 'pipe', 'pipe'],
    detached: true,
  })
}

/** @param {Start} start */
function usual({home, temporary}) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: home,
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    SHELL: '/bin/bash',
    TMPDIR: temporary,
    CLAUDE_CODE_TMPDIR: temporary,
    // Some have no prompts for passwords, and no commits without a name.
    GIT_TERMINAL_PROMPT: '0',
  }
}

/** @typedef {{args: string[], env: Record<string, string>, settings?: Record<string, string>}} Command */

/** @type {Record<string, (start: Start) => Command>} */
const COMMANDS = {
  claude: ({url, prompt, args = []}) => ({
    args: [
      '-p',
      ...(prompt === undefined ? words('--input-format stream-json') : optional(prompt)),
      ...args,
    ],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'sk-fake',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_TELEMETRY: '1',
      DISABLE_AUTOUPDATER: '1',
      DISABLE_ERROR_REPORTING: '1',
      // Else root may not skip permissions.
      IS_SANDBOX: '1',
    },
  }),
  codex: ({url, home, prompt = '', args = []}) => ({
    args: [
      ...words('exec --skip-git-repo-check -s danger-full-access -m gpt-5.5'),
      ...words('-c analytics.enabled=false -c check_for_update_on_startup=false'),
      ...words('-c tools.update_plan.enabled=true -c model_reasoning_summary="auto"'),
      ...words('--disable unbounded_connection_retries -c model_provider=lab -c'),
      `model_providers.lab=${codexProvider(url)}`,
      ...args,
      prompt || '-',
    ],
    env: {CODEX_HOME: join(home, '.codex'), LAB_KEY: 'fake'},
    settings: {'.codex/config.toml': ''},
  }),
  gemini: ({url, prompt = '', args = []}) => ({
    args: [
      ...words('--approval-mode yolo --skip-trust -m gemini-2.5-pro'),
      ...args,
      ...optional(prompt, '-p'),
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
    args: ['run', '--thinking', '-m', 'local/qwen3-coder', ...args, ...optional(prompt)],
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
      ...words('--approval-mode yolo --auth-type openai -m qwen3-coder-plus'),
      ...args,
      ...optional(prompt),
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
      ...words('--offline --no-session --model local/qwen3-coder'),
      ...args,
      ...optional(prompt),
    ],
    env: {PI_OFFLINE: '1', PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1'},
    settings: {'.pi/agent/models.json': JSON.stringify(toPiModels(url))},
  }),
  copilot: ({url, prompt = '', args = []}) => ({
    args: [
      ...words('--allow-all-tools --allow-all-paths --no-color'),
      ...words('--no-auto-update --disable-builtin-mcps'),
      ...args,
      ...optional(prompt, '-p'),
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
    args: [...args, ...optional(prompt)],
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
 * A prompt as arguments; none for one that comes on stdin.
 *
 * @param {string} prompt
 * @param {string[]} option
 */
function optional(prompt, ...option) {
  return prompt === '' ? [] : [...option, prompt]
}

/** @param {string} text */
function words(text) {
  return text.split(' ')
}

/** @param {string} url */
function codexProvider(url) {
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

/** What the model of those costs that reckon by themselves, in dollars for a million tokens. */
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
