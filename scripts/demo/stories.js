// The stories of the demo. Most are recordings of real agents with a scripted model; the others join captures to show more
// situations. The output is real; the prompts of joined captures are invented.

/**
 * The properties of every story.
 *
 * @typedef {object} StoryBase
 * @property {string} name
 * @property {string} [lane] Live stories: those of a lane are replayed one after the other, in a loop.
 * @property {number} [minutesAgo] Past stories: when the run ended.
 * @property {number} [cutBytes] The number of bytes to cut off at the end.
 * @property {{id: string, iteration: number}} [workOrder]
 * @property {Record<string, number | string>} [limits] The limits in the record of the run.
 */

/** A recording of this name by `scripts/record-demo.js`. @typedef {StoryBase} RecordedStory */

/**
 * A story made of captures: `agent/version/name`, or `…:2-9` or `…:4` for some of their lines. `{text}` is an invented line
 * that no capture contains.
 *
 * @typedef {object} CaptureParts
 * @property {string} prompt
 * @property {string} project The name of the working directory.
 * @property {(string | {text: string})[]} captures
 * @property {number} [pace] A factor for all pauses; default 1.6.
 * @property {{at: number, ms: number}} [silence] A pause before a line, or before the exit of the process.
 */

/** @typedef {StoryBase & CaptureParts} JoinedStory */
/** @typedef {RecordedStory | JoinedStory} Story */

/** @param {string} names */
const claude = (names) => names.split(' ').map((name) => `claude/2.1.325/${name}`)
/** @param {string} names */
const codex = (names) => names.split(' ').map((name) => `codex/0.166.0/${name}`)
/** @param {string} names */
const gemini = (names) => names.split(' ').map((name) => `gemini/0.61.0/${name}`)
/** @param {string} names */
const opencode = (names) => names.split(' ').map((name) => `opencode/1.18.33/${name}`)

const ledger = 'ledger-2.4'
const gateway = 'gateway-3'

/** @type {Story[]} */
export const stories = [
  // Live from the start: the first of each lane.
  {
    name: 'refund-webhook',
    lane: 'claude',
    workOrder: {id: ledger, iteration: 3},
    limits: {maxCostUsd: 5},
  },
  {name: 'release-push', lane: 'asks', workOrder: {id: ledger, iteration: 2}},
  {name: 'date-helpers', lane: 'codex'},
  {name: 'nightly-build', lane: 'trouble'},
  {name: 'migration-guide', lane: 'others'},

  // Live later; some of them are past runs as well.
  {name: 'payout-currency', lane: 'asks', workOrder: {id: ledger, iteration: 4}},
  {name: 'dead-code', lane: 'trouble', workOrder: {id: gateway, iteration: 3}},
  {name: 'schema-bump', lane: 'codex', minutesAgo: 12, workOrder: {id: gateway, iteration: 2}},
  {
    name: 'auth-audit',
    lane: 'claude',
    minutesAgo: 26,
    workOrder: {id: gateway, iteration: 1},
    limits: {maxCostUsd: 8},
  },
  {name: 'flaky-test', lane: 'others', minutesAgo: 38},

  // Past.
  {name: 'release-notes', minutesAgo: 17, workOrder: {id: ledger, iteration: 1}},
  {name: 'importer-stream', minutesAgo: 47, limits: {maxCostUsd: 0.75}},
  // Truncated, as Gemini truncates long output.
  {name: 'issue-summary', minutesAgo: 58, cutBytes: 420},
  {name: 'importer-tests', minutesAgo: 81},
  {name: 'environment', minutesAgo: 116},

  // Joined captures, live.
  {
    name: 'look-and-fetch',
    prompt: 'Look at pic.png, fetch the page, and hand the rest to a sub-agent',
    project: 'website',
    lane: 'claude',
    pace: 2.5,
    captures: claude(
      'subagent-forward:1-41 image-read:2-4 web-fetch:2-4 large-bash:2-4 mcp:2-10 ratelimit-oauth:3 stop-pause:2-3',
    ),
  },
  {
    name: 'codex-plan',
    prompt: 'Work through the plan: read the code, write the fix, run all steps',
    project: 'shop-api',
    lane: 'codex',
    captures: codex(
      'todo:1-5 reasoning:3 shell_fail:3-5 apply_patch:3-5 mcp_ok:3-5 todo:6 long_session:3-64 todo:7-10',
    ),
  },
  {
    name: 'codex-odd-characters',
    prompt: 'Print emoji, right-to-left text and escapes, and show that nothing breaks: 日本語 ✅',
    project: 'notes',
    lane: 'codex',
    pace: 3,
    captures: codex('unicode:1-7 shell_background_polled:3-4 apply_patch_via_shell:3-4 text:3-4'),
  },
  {
    name: 'waits-for-a-command',
    prompt: 'Run the command, and do not wait longer than 25 seconds',
    project: 'shop-api',
    lane: 'trouble',
    captures: codex('reasoning:1-3 sigint_during_command:3'),
    silence: {at: 5, ms: 90_000},
    limits: {timeoutMs: 25_000},
  },
  {
    name: 'falls-silent',
    prompt: 'Recover by yourself when the server does not answer',
    project: 'notes',
    lane: 'trouble',
    captures: gemini('error_503_then_ok_mid_session'),
    silence: {at: 5, ms: 75_000},
    limits: {silenceMs: 30_000, onStuck: 'warn'},
  },
  {
    name: 'server-errors',
    prompt: 'Say hello, if the server lets you',
    project: 'website',
    lane: 'trouble',
    // Its output contains the time that it waited.
    pace: 0.2,
    captures: ['copilot/1.0.102/error_500'],
  },
  {
    name: 'opencode-patch',
    prompt: 'Patch a.txt, move it, and let a sub-agent count the files',
    project: 'parser',
    lane: 'others',
    pace: 2.5,
    captures: opencode('todos:1-3 thinking:2-4 apply_patch subagent shell_fail:1-3 todos:4-9'),
  },
  {
    name: 'copilot-write',
    prompt: 'Create new.txt and put keep.txt right',
    project: 'notes',
    lane: 'others',
    captures: ['copilot/1.0.102/create_and_edit'],
    pace: 4,
  },
  {
    name: 'qwen-sub-agent',
    prompt: 'Let a sub-agent in the background count the files',
    project: 'shop-api',
    lane: 'others',
    captures: ['qwen/0.24.4/subagent'],
    pace: 3,
  },

  // Joined captures, past.
  {
    name: 'lab-server',
    prompt: 'Call the MCP test server for a sum, a picture and a list',
    project: 'shop-api',
    minutesAgo: 141,
    pace: 14,
    captures: claude('mcp'),
  },
  {
    name: 'usage-limit',
    prompt: 'Run the release checks',
    project: 'shop-api',
    minutesAgo: 152,
    pace: 8,
    captures: codex('reasoning:1-3 shell_fail:3-5 error_429_usage_limit:3-4'),
  },
  {
    name: 'odd-lines',
    prompt: 'Run the three hooks and print to stdout',
    project: 'website',
    minutesAgo: 98,
    pace: 5,
    captures: [
      ...claude('hooks-stream:1-16'),
      {text: 'npm warn deprecated left-pad@1.3.0: use String.prototype.padStart()'},
      ...claude('hooks-stream:17-44'),
      {
        text: '{"type":"weather_report","sky":"clear","note":"a record of a kind that nobody knows"}',
      },
      ...claude('hooks-stream:45-52'),
    ],
  },
  {
    name: 'not-allowed',
    prompt: 'Write x.txt without approval',
    project: 'parser',
    minutesAgo: 170,
    pace: 11,
    captures: claude('permission-denied'),
  },
  {
    name: 'recovered',
    prompt: 'Wait for the scheduled wake-up',
    project: 'website',
    minutesAgo: 131,
    pace: 12,
    captures: ['pi/0.73.1/error_429_then_ok'],
  },
  {
    name: 'kimi-edit',
    prompt: 'Change the second line of keep.txt to upper case',
    project: 'notes',
    minutesAgo: 187,
    pace: 16,
    captures: ['kimi/2.1.0/write_and_edit'],
  },
  {
    name: 'cline-missing-file',
    prompt: 'Print does-not-exist.txt and report the result',
    project: 'parser',
    minutesAgo: 214,
    pace: 9,
    captures: ['cline/3.0.65/shell_fail'],
  },

  // Only for scripts/record-terminal.js: neither live nor past.
  {name: 'behind-glass'},
]
