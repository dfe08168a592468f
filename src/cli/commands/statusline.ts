import {Command, Option} from 'commander'
import type {JsonObject} from '../../core/wire/json.ts'
import {saveReportedLimit} from '../../history/usage/reported-limits.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {colored, plain, wantsColor, type Environment} from '../../terminal/colors.ts'
import {ascii, unicode, wantsUnicode} from '../../terminal/symbols.ts'
import {
  formatStatusline,
  type BlockFacts,
  type StatusFacts,
} from '../../terminal/usage-statusline.ts'
import {print} from '../output.ts'
import {parseStatus, readStatus} from '../statusline-input.ts'
import {countRecordedUsage, readRecordedUsage} from '../statusline-usage.ts'

/** `vitrine statusline`: called by Claude Code for each update of its screen. It never fails. */
export const statusline: Command = new Command('statusline')
  .summary("print a line for Claude Code's status line")
  .description('Read the status of a Claude Code session from stdin and print it as one line.')
  .allowUnknownOption()
  .allowExcessArguments()
  .option(
    '--data-dir [dir]',
    'data directory (default: $XDG_DATA_HOME/vitrine, or ~/.local/share/vitrine)',
  )
  .addHelpText(
    'after',
    `
The line has the model, the cost of the session, the cost of today for all
agents, the current five-hour block and the used part of the context. Parts
that do not fit in COLUMNS, at most 80, are dropped from the right.

Add it to ~/.claude/settings.json:
  {"statusLine": {"type": "command", "command": "vitrine statusline"}}

Examples:
  echo '{"model":{"id":"claude-opus-5-5"}}' | vitrine statusline`,
  )
  .addOption(new Option('--count', 'count the usage of today for later calls').hideHelp())
  .action(async (options: {dataDir?: string | true; count?: true}) => {
    const dataDir = typeof options.dataDir === 'string' ? options.dataDir : defaultDataDir()
    if (options.count === true) return countRecordedUsage(dataDir)
    const status = await readInput().then(
      (input) => (input === undefined ? undefined : readStatus(input)),
      () => undefined,
    )
    await print(`${createLine(status, dataDir)}\n`)
    if (status?.block !== undefined) saveLimit(status.block, dataDir)
  })

const NO_STATUS = 'vitrine'
const MAX_WIDTH = 80
const MAX_STATUS_LENGTH = 1024 * 1024
/** Claude Code sends the status when it starts the command. */
const STATUS_TIMEOUT_MS = 200

function createLine(status: StatusFacts | undefined, dataDir: string): string {
  // Without a model and a cost it is not the status of a session.
  if (status?.model === undefined && status?.sessionUsd === undefined) return NO_STATUS
  try {
    const recorded = readRecordedUsage(dataDir)
    const facts = {
      ...status,
      today: recorded.today,
      block: status.block ?? recorded.block,
    }
    return formatStatusline(facts, getStyle(process.env)) || NO_STATUS
  } catch {
    return NO_STATUS
  }
}

/** `vitrine usage block` shows the limit, which only Claude Code knows. */
function saveLimit({endsAt, usedShare}: BlockFacts, dataDir: string): void {
  const now = Date.now()
  if (usedShare === undefined || endsAt <= now) return
  try {
    saveReportedLimit(dataDir, {at: now, usedShare, resetsAt: endsAt})
  } catch {
    // A data directory that cannot be written must not disturb Claude Code.
  }
}

/** Reads stdin until it is a complete object: some callers do not close it. */
function readInput(): Promise<JsonObject | undefined> {
  const {stdin} = process
  if (stdin.isTTY) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    let text = ''
    const timer = setTimeout(end, STATUS_TIMEOUT_MS)
    stdin.setEncoding('utf8')
    stdin.on('data', (chunk: string) => {
      text += chunk
      const status = parseStatus(text)
      if (status !== undefined || text.length > MAX_STATUS_LENGTH) end(status)
    })
    stdin.on('end', () => end())
    stdin.on('error', () => end())

    function end(status?: JsonObject): void {
      clearTimeout(timer)
      stdin.destroy()
      resolve(status)
    }
  })
}

/** Claude Code shows colours, although stdout is not a terminal. */
function getStyle(env: Environment) {
  return {
    colors: wantsColor(env, true) ? colored : plain,
    symbols: wantsUnicode(env) ? unicode : ascii,
    width: Math.min(Number(env['COLUMNS']) || MAX_WIDTH, MAX_WIDTH),
    now: Date.now(),
  }
}
