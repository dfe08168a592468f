import {formatNumber, formatOffset, formatWhen} from '../core/text/figures.ts'
import {escapeControls} from '../core/text/text.ts'
import type {FoundEntry, FoundMoment, SearchResult} from '../history/search/search.ts'
import {projectName} from '../history/usage/filter.ts'
import type {ScreenStyle} from '../terminal/layout.ts'
import {formatSearchResults, type ShownResult} from '../terminal/search-results.ts'
import {formatJsonLine} from './output.ts'

const NO_AGENT = '-'

/** Formats results as one line of JSON for each run or session. */
export function formatSearchJson({entries}: SearchResult): string {
  return entries
    .map(({entry, matches, moments}) => {
      const {id: runId, kind, agent, title, cwd: project, startedAt} = entry
      return formatJsonLine({runId, kind, agent, title, project, startedAt, matches, moments})
    })
    .join('')
}

/** Formats results for a program: a line for each match, separated by tabs. */
export function formatSearchRows({entries}: SearchResult): string {
  const rows = entries.flatMap(({entry: {id, agent, kind, startedAt}, moments}) =>
    moments.map(({offsetMs, role, text}) => [
      id,
      agent ?? NO_AGENT,
      kind,
      new Date(startedAt).toISOString(),
      formatOffset(offsetMs),
      role,
      text,
    ]),
  )
  return [HEAD, ...rows]
    .map((cells) => `${cells.map((cell) => escapeControls(cell)).join('\t')}\n`)
    .join('')
}

const HEAD = ['ID', 'AGENT', 'KIND', 'STARTED', 'OFFSET', 'ROLE', 'TEXT']

/** Formats results for a screen. */
export function formatSearchScreen(
  result: SearchResult,
  idWidth: number,
  style: ScreenStyle,
): string {
  const {total, entryCount, entries} = result
  const shown = entries.map((found) => toShown(found, idWidth))
  const matches = total === 1 ? '1 match' : `${formatNumber(total)} matches`
  const counts = `${matches} in ${describeEntries(result)}`
  const cut =
    entries.length < entryCount ? `, the newest ${formatNumber(entries.length)} shown` : ''
  const [first] = shown
  const at = first?.moments.at(-1)
  const command =
    first === undefined || at === undefined
      ? ''
      : ` Open one: vitrine view ${first.id} --at ${formatOffset(at.offsetMs)}`
  const lines = [...formatSearchResults(shown, style), '', `${counts}${cut}.${command}`]
  return lines.map((line) => `${line}\n`).join('')
}

function toShown({entry, matches, moments}: FoundEntry, idWidth: number): ShownResult {
  const {id, agent, title, cwd, startedAt} = entry
  const when = formatWhen(startedAt)
  return {
    id: id.slice(0, idWidth),
    agent: agent ?? NO_AGENT,
    title,
    project: projectName(cwd),
    when: when.includes(' ') ? when : `today ${when}`,
    moments: moments.map((moment) => ({...moment, word: wordOf(moment)})),
    more: matches - moments.length,
  }
}

const MAX_WORD_LENGTH = 6

/** The word for a match. The output of a tool has the name of the tool, if that is short. */
function wordOf({role, label}: FoundMoment): string {
  if (role === 'thinking') return 'think'
  if (role === 'command') return 'bash'
  if (role === 'other') return 'tool'
  const [name = ''] = label.toLowerCase().split(' ')
  return role === 'output' && name.length <= MAX_WORD_LENGTH ? name : role
}

function describeEntries({entryCount, entries}: SearchResult): string {
  if (entryCount !== 1) return `${formatNumber(entryCount)} runs and sessions`
  return entries[0]?.entry.kind === 'run' ? '1 run' : '1 session'
}

/** Describes a search without a match. */
export function describeNoMatch(text: string, {searched, suggestion}: SearchResult): string {
  const words = text.includes('"') ? text : `"${text}"`
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`
  const where = searched === 1 ? '1 run or session' : `${formatNumber(searched)} runs and sessions`
  return `No match for ${words} in ${where}.${hint}`
}
