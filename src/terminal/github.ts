import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import {escapeControls} from '../core/text/text.ts'
import {createFormatter, type FormatterOptions} from './format.ts'
import {formatStepSummary} from './step-summary.ts'
import {describeEnd, formatSummaryLine, describeStory} from './summary.ts'
import {createToolTally} from './tool-tally.ts'

/** Turns the events of one run into the log of a GitHub Actions job. */
export interface ActionsFormatter {
  /** Returns the first line of a run whose first event is late; nothing when it was already printed. */
  begin(agent: string): string
  /** Returns the lines for an event, each with its newline; often none. Never throws. */
  format(event: AgentEvent): string
  /** Formats another line, such as a heartbeat, with commands to the runner escaped. */
  formatLine(line: string): string
  /** Returns the last lines: pending text, and the verdict as an annotation. */
  end(result: RunResult): string
  /** Returns the summary page of the job in Markdown, for the file in `GITHUB_STEP_SUMMARY`. */
  summarize(result: RunResult): string
}

/** How events are shown in a job's log: without a terminal, colours or a width. */
export type ActionsOptions = Pick<FormatterOptions, 'verbose' | 'text' | 'session'>

/**
 * Creates a formatter for a job's log: the steps up to each result of the agent are a collapsible group.
 *
 * A group cannot be expanded by the log itself. So the group of a failed turn is closed first, and the lines with the
 * reason are printed below it, where they are always visible. No line is printed twice.
 */
export function createActionsFormatter(options: ActionsOptions = {}): ActionsFormatter {
  const formatter = createFormatter(options)
  const tally = createToolTally()
  const openTasks = new Set<string>()
  let resultCount = 0
  let isOpen = false
  /** Whether the agent did anything since its last result: status events alone open no group. */
  let isAtWork = false

  return {
    format(event) {
      tally.count(event)
      if (event.type === 'task-start') openTasks.add(event.taskId)
      if (event.type === 'task-end') openTasks.delete(event.taskId)
      if (event.type === 'turn-end') return endTurn(event)
      if (!PASSIVE_EVENTS.has(event.type)) isAtWork = true
      return put(formatter.format(event))
    },
    begin: (agent) => put(formatter.begin(agent)),
    formatLine: (line) => `${escapeCommand(escapeControls(line))}\n`,
    end(result) {
      const rest = put(formatter.end())
      return rest + closeGroup() + annotate(result)
    },
    summarize: (result) => formatStepSummary(result, tally.list()),
  }

  function endTurn(event: AgentEvent & {type: 'turn-end'}): string {
    const pending = put(formatter.end())
    const ending = escapeCommandLines(formatter.format(event))
    const goesOn = event.ok && openTasks.size > 0
    resultCount++
    isAtWork = false
    return goesOn && isOpen ? pending + ending + closeGroup() : pending + closeGroup() + ending
  }

  function put(text: string): string {
    if (text === '') return ''
    const lines = escapeCommandLines(text)
    if (isOpen || !isAtWork) return lines
    // The first line of a run is not part of a group.
    const [head = ''] = /^\[vitrine\] .*\n/.exec(lines) ?? []
    const rest = lines.slice(head.length)
    if (rest === '') return head
    isOpen = true
    return `${head}::group::Result ${resultCount + 1}\n${rest}`
  }

  function closeGroup(): string {
    if (!isOpen) return ''
    isOpen = false
    return '::endgroup::\n'
  }
}

/** Events that are no work of the agent. */
const PASSIVE_EVENTS = new Set<AgentEvent['type']>([
  'session-start',
  'status',
  'usage',
  'task-end',
  'unknown',
  'malformed',
])

/** Formats the verdict as an annotation, which the page of the workflow shows. */
function annotate(result: RunResult): string {
  if (result.verdict === 'succeeded') {
    return formatCommand('notice', formatSummaryLine(result))
  }
  const story = describeStory(result)
  const details = story === '' ? '' : `${escapeCommand(`[vitrine] ${story}`)}\n`
  return details + formatCommand('error', describeEnd(result))
}

/** Formats a command to the runner, with its newline. */
function formatCommand(name: 'notice' | 'error', text: string): string {
  const data = text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  return `::${name} title=Vitrine::${data}\n`
}

function escapeCommandLines(text: string): string {
  return text.split('\n').map(escapeCommand).join('\n')
}

/**
 * Escapes a command to the runner. It executes `::` at the start of a trimmed line, so that a space before it does not
 * help, but one inside does. It may ignore invisible characters. Commands that it executes anywhere in a line are
 * escaped by {@link escapeControls}.
 */
function escapeCommand(line: string): string {
  return line.replace(/^([\s\p{Cf}\p{Mn}]*:[\p{Cf}\p{Mn}]*):/u, '$1 :')
}
