import {setTimeout} from 'node:timers/promises'
import {Argument, Command} from 'commander'
import {readHistory} from '../../history/history.ts'
import {createPriceFinder} from '../../history/prices/find-price.ts'
import {USAGE_GROUPS, type UsageGroup} from '../../history/usage/report.ts'
import {readReportedLimits} from '../../history/usage/reported-limits.ts'
import {readConfig} from '../../recording/config.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import type {ScreenStyle} from '../../terminal/layout.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {describeUsage} from '../describe-usage.ts'
import {logToStderr, print} from '../output.ts'
import {describeReading} from '../reading-progress.ts'
import {createScreen} from '../screen.ts'
import {getScreenStyle} from '../style.ts'
import {createUsageOptions, resolveUsage, type UsageFlags} from '../usage-options.ts'
import {waitForInterrupt} from '../wait-for-interrupt.ts'

interface Flags extends UsageFlags {
  breakdown?: true
  all?: true
  json?: true
  watch?: true
  dataDir?: string
}

/** `vitrine usage`: adds up tokens and cost of all agents. */
export const usage: Command = createCommand()

function createCommand(): Command {
  const command = new Command('usage')
    .summary('show tokens and cost by day, model or project')
    .description('Show the tokens and cost of all agents on this machine.')
    .addArgument(
      new Argument('[group]', 'the meaning of a row').choices(USAGE_GROUPS).default('day'),
    )
  for (const option of createUsageOptions()) command.addOption(option)
  return command
    .option('--breakdown', 'show the agents and models in each row')
    .option('--all', 'show every row')
    .option('--watch', 'with block: show it until interrupted, updated every 10 seconds')
    .option('--json', 'print one JSON object')
    .addOption(createDataDirOption())
    .addHelpText(
      'after',
      `
Each request to a model counts once, in the day of its time. IN excludes the
cache, OUT includes reasoning, CACHE is read plus write. A cost with ≈ is
tokens times list price; config.json in the data directory can set other
\`prices\`.

Examples:
  vitrine usage
  vitrine usage month --last 3
  vitrine usage model --since 2026-11-01 --project ledger-api
  vitrine usage block --watch
  vitrine usage --json | jq '.total.costUsd'`,
    )
    .action(run)
}

async function run(group: UsageGroup, flags: Flags): Promise<void> {
  const style = getScreenStyle()
  if (flags.watch !== true) return printUsage(group, flags, style)
  if (group !== 'block') throw new CliError('--watch is only for: vitrine usage block')
  if (style === undefined || flags.json === true) {
    throw new CliError('--watch needs a terminal. Without --watch the block is printed once')
  }
  return watchBlocks(flags)
}

async function load(dataDir: string = defaultDataDir()) {
  const {config, problems} = readConfig(dataDir)
  const progress = describeReading()
  const history = await readHistory({dataDir, onProgress: progress.show})
  progress.clear()
  return {
    entries: history.entries,
    prices: createPriceFinder(config.prices),
    monthUsd: config.budget.monthUsd,
    reportedLimits: readReportedLimits(dataDir),
    problems: [...problems, ...history.problems.map(({path, reason}) => `${path}: ${reason}`)],
  }
}

async function printUsage(
  group: UsageGroup,
  flags: Flags,
  style: ScreenStyle | undefined,
): Promise<void> {
  const now = Date.now()
  // Options are checked before thousands of transcripts are read.
  const resolved = resolveUsage(flags, group, now)
  const loaded = await load(flags.dataDir)
  const {text, notices} = describeUsage({...flags, ...loaded, group, usage: resolved, now}, style)
  for (const notice of [...loaded.problems, ...notices]) logToStderr(notice)
  await print(text)
}

const UPDATE_INTERVAL_MS = 10_000

/** Shows the blocks until the user interrupts it. */
async function watchBlocks(flags: Flags): Promise<void> {
  const screen = createScreen()
  const controller = new AbortController()
  const {signal} = controller
  const interrupted = waitForInterrupt().then(() => controller.abort())
  while (!signal.aborted) {
    const now = Date.now()
    const loaded = await load(flags.dataDir)
    const resolved = resolveUsage(flags, 'block', now)
    const style = getScreenStyle()
    const {text} = describeUsage({...flags, ...loaded, group: 'block', usage: resolved, now}, style)
    screen.draw(text.trimEnd().split('\n'))
    await setTimeout(UPDATE_INTERVAL_MS, undefined, {signal}).catch(() => {})
  }
  await interrupted
  await print('\n')
}
