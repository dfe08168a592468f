import {setFlagsFromString} from 'node:v8'
import {Argument, Command, Option} from 'commander'
import {ENTRY_KINDS, type EntryKind} from '../../core/run/run-summary.ts'
import {formatNumber} from '../../core/text/figures.ts'
import {escapeControls} from '../../core/text/text.ts'
import type {Entry} from '../../history/entries.ts'
import {readHistory} from '../../history/history.ts'
import {fillSearch} from '../../history/search/fill.ts'
import {MOMENT_ROLES, type MomentRole} from '../../history/search/moments.ts'
import {openSearchFile} from '../../history/search/search-file.ts'
import {searchHistory, type SearchQuery, type SearchResult} from '../../history/search/search.ts'
import {parseTerms} from '../../history/search/terms.ts'
import {createCalendar} from '../../history/usage/calendar.ts'
import {toTimes} from '../../history/usage/day-start.ts'
import {formatDay} from '../../history/usage/days.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {requireAgent} from '../agent-names.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {
  describeNoMatch,
  formatSearchJson,
  formatSearchRows,
  formatSearchScreen,
} from '../describe-search.ts'
import {collect, parseCount} from '../option-values.ts'
import {logToStderr, print} from '../output.ts'
import {createProgressLine} from '../progress-line.ts'
import {describeReading} from '../reading-progress.ts'
import {measureIds} from '../short-ids.ts'
import {getScreenStyle} from '../style.ts'
import {checkDate, resolveProject, toDay} from '../usage-options.ts'

interface Flags {
  agent?: string[]
  project?: string
  kind?: EntryKind
  since?: string
  until?: string
  role?: MomentRole
  limit: number
  json?: true
  dataDir?: string
}

/** `vitrine search`: finds words in all runs and sessions. */
export const search: Command = new Command('search')
  .summary('find words in all runs and sessions')
  .description('Find words in prompts, replies, commands and output of all runs and sessions.')
  .addArgument(new Argument('<words...>', 'words that must all occur; "…" is a phrase'))
  .addOption(
    new Option('-a, --agent <name>', 'only this agent; can be repeated').argParser(collect),
  )
  .option('--project <folder>', 'only this project: the name or path of its folder')
  .addOption(new Option('--kind <kind>', 'only runs or only sessions').choices(ENTRY_KINDS))
  .addOption(
    new Option('--since <date>', 'started on this day or later: 2026-11-01, today or 7d').argParser(
      checkDate,
    ),
  )
  .addOption(new Option('--until <date>', 'started on this day or before').argParser(checkDate))
  .addOption(new Option('--role <role>', 'only matches of this kind').choices(MOMENT_ROLES))
  .addOption(
    new Option('--limit <count>', 'how many runs and sessions to show')
      .argParser(parseCount)
      .default(10),
  )
  .option('--json', 'print one JSON object per line')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
A word also matches longer ones that begin with it. Accents and case do not
matter. Secrets cannot be found. The exit code is 1 without a match.

Examples:
  vitrine search createRefund idempotent
  vitrine search '"connection refused"' --agent codex --since 7d
  vitrine search refund --role prompt --project ledger-api
  vitrine search refund --json | jq -r .runId`,
  )
  .action(run)

async function run(words: string[], flags: Flags): Promise<void> {
  const text = joinWords(words)
  if (parseTerms(text).length === 0) throw new CliError(`${text}: expected a word to search for`)
  const query = toQuery(text, flags)
  // Without it, the first search takes twice as much memory.
  setFlagsFromString('--optimize-for-size')
  const {dataDir = defaultDataDir(), json} = flags
  const progress = describeReading()
  const {entries} = await readHistory({dataDir, onProgress: progress.show})
  progress.clear()
  const result = await findMatches(dataDir, entries, query)
  const style = getScreenStyle()
  if (result.entries.length === 0) {
    process.exitCode = 1
    const message = describeNoMatch(text, result)
    if (style === undefined || json === true) logToStderr(message)
    else await print(`${escapeControls(message)}\n`)
  } else if (json === true) await print(formatSearchJson(result))
  else if (style === undefined) await print(formatSearchRows(result))
  else {
    const ids = measureIds(entries.map(({id}) => ({runId: id})))
    await print(formatSearchScreen(result, ids, style))
  }
}

/** The shell removes quotation marks: an argument with spaces is a phrase if there are others. */
function joinWords(words: readonly string[]): string {
  if (words.length === 1) return words[0]?.trim() ?? ''
  return words.map((word) => (/^[^"]*\s[^"]*$/.test(word) ? `"${word}"` : word)).join(' ')
}

function toQuery(text: string, flags: Flags): SearchQuery {
  const {project, kind, role, limit} = flags
  const calendar = createCalendar()
  const today = calendar.dayOf(Date.now())
  const [since, until] = [flags.since, flags.until].map((date) => {
    const day = toDay(date, today)
    return day === undefined ? undefined : formatDay(day)
  })
  return {
    text,
    agents: flags.agent?.map((name) => requireAgent(name).id),
    project: project === undefined ? undefined : resolveProject(project),
    kind,
    role,
    limit,
    ...toTimes({since, until}, calendar),
  }
}

async function findMatches(
  dataDir: string,
  entries: readonly Entry[],
  query: SearchQuery,
): Promise<SearchResult> {
  const file = openSearchFile(dataDir)
  const progress = createProgressLine()
  const onProgress = ({done, of}: {done: number; of: number}) =>
    progress.show(`Making sessions searchable: ${formatNumber(done)} of ${formatNumber(of)}`)
  try {
    await file.use((store) => fillSearch(store, entries, {onProgress}))
    return await file.use((store) => searchHistory(store, entries, query))
  } finally {
    progress.clear()
    file.close()
  }
}
