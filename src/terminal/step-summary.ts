import type {Tokens} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import {formatDuration, formatTokens} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import {
  formatCost,
  formatVerdict,
  formatLineCounts,
  describeStory,
  VERDICT_SIGNS,
} from './summary.ts'
import {unicode} from './symbols.ts'
import type {ToolTally} from './tool-tally.ts'

/** Formats the summary page of a run in Markdown: verdict, figures and a table of tools. */
export function formatStepSummary(result: RunResult, tools: readonly ToolTally[] = []): string {
  const {verdict, durationMs, turns, toolCount, failedToolCount, tokens} = result
  const head = [
    `${unicode[VERDICT_SIGNS[verdict].symbol]} ${escapeMarkdown(formatVerdict(result))}`,
    formatCost(result, unicode),
    formatDuration(durationMs),
  ]
  const story = verdict === 'succeeded' ? '' : describeStory(result)
  return [
    `### ${head.join(' · ')}`,
    ...(story === '' ? [] : [escapeMarkdown(story), '']),
    '| turns | tools | failed | files | tokens in / out / cached |',
    '|---|---|---|---|---|',
    toRow([turns, toolCount, failedToolCount, describeFiles(result), describeTokens(tokens)]),
    ...formatTools(tools),
    '',
  ].join('\n')
}

function describeFiles(result: RunResult): string {
  const counts = formatLineCounts(result, unicode.minus)
  return counts.length === 0 ? `${result.fileCount}` : `${result.fileCount} (${counts.join(' ')})`
}

function describeTokens(tokens: Tokens | null): string {
  if (tokens === null) return 'not reported'
  const {input, output, cacheRead, cacheWrite} = tokens
  return [input, output, cacheRead + cacheWrite].map(formatTokens).join(' / ')
}

const MAX_TOOLS = 30

function formatTools(tools: readonly ToolTally[]): string[] {
  if (tools.length === 0) return []
  return [
    '',
    '| tool | calls | failed | time |',
    '|---|---|---|---|',
    ...tools
      .slice(0, MAX_TOOLS)
      .map(({name, calls, failed, totalMs}) =>
        toRow([escapeMarkdown(name), calls, failed, formatDuration(totalMs)]),
      ),
  ]
}

function toRow(cells: readonly (string | number)[]): string {
  return `| ${cells.join(' | ')} |`
}

/** Escapes text of an agent, so that it is neither a table nor a link, an image or HTML. */
function escapeMarkdown(text: string): string {
  return escapeControls(text)
    .replaceAll(/[\\`*_[\]<>#|~&@!]/g, '\\$&')
    .replaceAll('://', ':\\/\\/')
    .replaceAll(/www\./gi, (match) => `${match.slice(0, -1)}\\.`)
}
