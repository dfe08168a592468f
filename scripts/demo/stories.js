// What the demo shows: which captures make a story, and what it is called. The output is real; titles are ours.

/**
 * A run of the demo. Captures are `agent/version/name`, or `…:2-9` or `…:4` for some of their lines; `{text}` is a line of ours,
 * for what no capture holds.
 *
 * @typedef {object} Story
 * @property {string} name
 * @property {string} prompt
 * @property {string} project The folder it works in.
 * @property {(string | {text: string})[]} captures
 * @property {string[]} [denied] How it goes on when the first request for permission is refused.
 * @property {string} [lane] Live: the stories of a lane are told one after the other, for ever.
 * @property {number} [minutesAgo] Over: when it ended.
 * @property {{id: string, iteration: number}} [workOrder]
 * @property {number} [pace] How slowly it is told; 1.6 is usual.
 * @property {number} [cutBytes] So much is missing at its end.
 * @property {{at: number, ms: number}} [silence] Before which line, or the end, nothing comes for how long.
 * @property {Record<string, number | string>} [limits] As `vitrine run` has them.
 */

/** @param {string} names */
const claude = (names) => names.split(' ').map((name) => `claude/2.1.325/${name}`)
/** @param {string} names */
const codex = (names) => names.split(' ').map((name) => `codex/0.166.0/${name}`)
/** @param {string} names */
const gemini = (names) => names.split(' ').map((name) => `gemini/0.61.0/${name}`)
/** @param {string} names */
const opencode = (names) => names.split(' ').map((name) => `opencode/1.18.33/${name}`)

const refused = claude('control-deny:17 permission-denied:8-9')
const release = 'release-checks'
const rename = 'rename-foo'

/** @type {Story[]} */
export const stories = [
  {
    name: 'search-and-script',
    prompt: 'Find every use of foo, let two sub-agents check it, then write a.sh and run it',
    project: 'parser',
    lane: 'claude',
    workOrder: {id: rename, iteration: 3},
    captures: [
      ...claude('thinking:1-10 todo-write:2-3 grep-glob:2-14 sub-fg-two:2-21 write-edit-bash:2-9'),
      ...claude('bash-fail:2-4 tool-progress:2-26 parallel-tools:2-8 todo-write:4-7'),
    ],
  },
  {
    name: 'ask-for-a-file',
    prompt: 'Read a.txt, then create the marker file q',
    project: 'website',
    lane: 'asks',
    pace: 2.5,
    captures: claude('session-state:1-3 thinking:2-10 session-state:4-11'),
    denied: refused,
  },
  {
    name: 'codex-plan',
    prompt: 'Work through the plan: read the code, write the fix, run all steps',
    project: 'shop-api',
    lane: 'codex',
    workOrder: {id: release, iteration: 4},
    captures: codex(
      'todo:1-5 reasoning:3 shell_fail:3-5 apply_patch:3-5 mcp_ok:3-5 todo:6 long_session:3-64 todo:7-10',
    ),
  },
  {
    name: 'overloaded',
    prompt: 'Summarize hello.txt for the changelog',
    project: 'website',
    lane: 'trouble',
    captures: claude('read-ok:1-5 api-529-exhausted:2-5'),
  },
  {
    name: 'gemini-edit',
    prompt: 'Fix keep.txt, list the folder, and ask the lab server whether it is up',
    project: 'notes',
    lane: 'others',
    pace: 2.5,
    captures: gemini(
      'todos:1-4 tools_parallel:3-10 write_and_replace:3-6 mcp_ok:3-6 shell_fail:3-5 todos:5-8',
    ),
  },
  {
    name: 'look-and-fetch',
    prompt: 'Look at pic.png, fetch the page, and hand the rest to a sub-agent',
    project: 'website',
    lane: 'claude',
    workOrder: {id: release, iteration: 5},
    pace: 2.5,
    captures: claude(
      'subagent-forward:1-41 image-read:2-4 web-fetch:2-4 large-bash:2-4 mcp:2-10 ratelimit-oauth:3 stop-pause:2-3',
    ),
  },
  {
    name: 'ask-for-a-server',
    prompt: 'Ping the lab server over MCP, then run the hook',
    project: 'shop-api',
    lane: 'asks',
    pace: 4,
    captures: claude('control-misc:2 control-misc:12-14 control-misc:16-17 control-misc:19-21'),
    denied: refused,
  },
  {
    name: 'retries-and-gets-there',
    prompt: 'Create a.sh and run it, however often the server says no',
    project: 'parser',
    lane: 'trouble',
    captures: claude('write-edit-bash:1-4 api-529-retry:2-3 write-edit-bash:5-9 api-429:2-4'),
  },
  {
    name: 'opencode-patch',
    prompt: 'Patch a.txt, move it, and let a sub-agent count the files',
    project: 'parser',
    lane: 'others',
    workOrder: {id: rename, iteration: 4},
    pace: 2.5,
    captures: opencode('todos:1-3 thinking:2-4 apply_patch subagent shell_fail:1-3 todos:4-9'),
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
    name: 'background-and-compact',
    prompt: 'Start the job in the background, compact the session, then go on',
    project: 'shop-api',
    lane: 'claude',
    pace: 2.5,
    captures: claude('bash-background:1-13 slash-compact:6-21'),
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
    name: 'copilot-write',
    prompt: 'Create new.txt and put keep.txt right',
    project: 'notes',
    lane: 'others',
    captures: ['copilot/1.0.102/create_and_edit'],
    pace: 4,
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
    name: 'qwen-sub-agent',
    prompt: 'Let a sub-agent in the background count the files',
    project: 'shop-api',
    lane: 'others',
    captures: ['qwen/0.24.4/subagent'],
    pace: 3,
  },
  {
    name: 'server-errors',
    prompt: 'Say hello, if the server lets you',
    project: 'website',
    lane: 'trouble',
    // It tells how long it waited.
    pace: 0.2,
    captures: ['copilot/1.0.102/error_500'],
  },

  // What is over.
  {
    name: 'lab-server',
    prompt: 'Ask the lab server for the sum, the picture and the list',
    project: 'shop-api',
    minutesAgo: 6,
    workOrder: {id: release, iteration: 3},
    pace: 14,
    captures: claude('mcp'),
  },
  {
    name: 'usage-limit',
    prompt: 'Run the release checks',
    project: 'shop-api',
    minutesAgo: 31,
    workOrder: {id: release, iteration: 1},
    pace: 8,
    captures: codex('reasoning:1-3 shell_fail:3-5 error_429_usage_limit:3-4'),
  },
  {
    name: 'interrupted',
    prompt: 'Write the release notes',
    project: 'shop-api',
    minutesAgo: 22,
    workOrder: {id: release, iteration: 2},
    pace: 30,
    captures: claude('sigint'),
  },
  {
    name: 'over-budget',
    prompt: 'Refactor everything, for a quarter of a dollar',
    project: 'parser',
    minutesAgo: 44,
    pace: 12,
    captures: claude('grep-glob:1-14 max-budget:2-4'),
    limits: {maxCostUsd: 0.25},
  },
  {
    name: 'torn',
    prompt: 'Write new.txt and edit keep.txt',
    project: 'notes',
    minutesAgo: 58,
    pace: 20,
    cutBytes: 400,
    captures: gemini('write_and_replace'),
  },
  {
    name: 'odd-lines',
    prompt: 'Run the three hooks, and whatever else prints to stdout',
    project: 'website',
    minutesAgo: 73,
    workOrder: {id: rename, iteration: 1},
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
    prompt: 'Write x.txt without asking anybody',
    project: 'parser',
    minutesAgo: 88,
    workOrder: {id: rename, iteration: 2},
    pace: 11,
    captures: claude('permission-denied'),
  },
  {
    name: 'patched',
    prompt: 'Tick off the list and fix what is on it',
    project: 'notes',
    minutesAgo: 105,
    pace: 20,
    captures: opencode('todos'),
  },
  {
    name: 'recovered',
    prompt: 'Say when you are back',
    project: 'website',
    minutesAgo: 131,
    pace: 12,
    captures: ['pi/0.73.1/error_429_then_ok'],
  },
  {
    name: 'rejected',
    prompt: 'Run the checks before the deploy',
    project: 'shop-api',
    minutesAgo: 160,
    pace: 14,
    captures: gemini('error_after_tool'),
  },
  {
    name: 'kimi-edit',
    prompt: 'Make the second line of keep.txt loud',
    project: 'notes',
    minutesAgo: 187,
    pace: 16,
    captures: ['kimi/2.1.0/write_and_edit'],
  },
  {
    name: 'cline-missing-file',
    prompt: 'Print does-not-exist.txt and tell what happens',
    project: 'parser',
    minutesAgo: 214,
    pace: 9,
    captures: ['cline/3.0.65/shell_fail'],
  },
  {
    name: 'qwen-edit',
    prompt: 'Write new.txt, then edit keep.txt',
    project: 'notes',
    minutesAgo: 260,
    pace: 18,
    captures: ['qwen/0.24.4/write_and_edit'],
  },

  // For scripts/record-terminal.js alone: neither live nor over.
  {
    name: 'behind-glass',
    prompt: 'Find foo, then write a.sh and run it',
    project: 'ledger-api',
    captures: [
      ...claude('session-state:1-3 thinking:2-10 todo-write:2-3 grep-glob:2-3 bash-fail:2-4'),
      ...claude('write-edit-bash:2-9 session-state:4-8 todo-write:4-7'),
    ],
    denied: refused,
  },
]
