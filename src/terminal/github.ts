import type {AgentEvent} from '../core/events/events.ts'
import type {RunResult} from '../core/run/run-result.ts'
import {escapeControls} from '../core/text/text.ts'
import {createFormatter, type FormatterOptions} from './format.ts'
import {formatStepSummary} from './step-summary.ts'
import {describeEnd, formatSummaryLine, describeStory} from './summary.ts'
import {createToolTally} from './tool-tally.ts'

/** Turns the events of one run into the log of a GitHub Actions job. */
export interface ActionsFormatter {
  /** The first line of a run whose first event is late; nothing when the line is out. */
  begin(agent: string): string
  /** The lines for an event, each with its newline; often none. Never throws. */
  format(event: AgentEvent): string
  /** A line from elsewhere, such as a sign of life, with nothing in it that the runner would obey. */
  formatLine(line: string): string
  /** The last lines: what is still held back, and how the run ended as an annotation. */
  end(result: RunResult): string
  /** The page of the job, in Markdown, for the file that `GITHUB_STEP_SUMMARY` names. */
  summarize(result: RunResult): string
}

/** How events are shown in a job's log: without a terminal, colours or a width. */
export type ActionsOptions = Pick<FormatterOptions, 'verbose' | 'text' | 'session'>

/**
 * Creates a formatter for a job's log: the steps up to each result of the agent are a collapsible group.
 *
 * Lines appear as they come, and a group can not be unfolded afterwards. So that nobody has to look for why a run
 * failed, its group is closed first, and the lines that tell are put below it, where they are always seen. Nothing
 * is printed twice: a search, or a link to a line, leads to one place.
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
      if (!NEWS.has(event.type)) isAtWork = true
      return put(formatter.format(event))
    },
    begin: (agent) => put(formatter.begin(agent)),
    formatLine: (line) => `${disarm(escapeControls(line))}\n`,
    end(result) {
      const rest = put(formatter.end())
      return rest + closeGroup() + annotate(result)
    },
    summarize: (result) => formatStepSummary(result, tally.list()),
  }

  function endTurn(event: AgentEvent & {type: 'turn-end'}): string {
    const said = put(formatter.end())
    const ending = disarmLines(formatter.format(event))
    const goesOn = event.ok && openTasks.size > 0
    resultCount++
    isAtWork = false
    return goesOn && isOpen ? said + ending + closeGroup() : said + closeGroup() + ending
  }

  function put(text: string): string {
    if (text === '') return ''
    const lines = disarmLines(text)
    if (isOpen || !isAtWork) return lines
    // The first line of a run is about all of it.
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

/** Events that tell something without the agent having done anything. */
const NEWS = new Set<AgentEvent['type']>([
  'session-start',
  'status',
  'usage',
  'task-end',
  'unknown',
  'malformed',
])

/** How a run ended, where the page of the workflow shows it. */
function annotate(result: RunResult): string {
  if (result.verdict === 'succeeded') {
    return formatCommand('notice', {title: 'Vitrine'}, formatSummaryLine(result))
  }
  const story = describeStory(result)
  const told = story === '' ? '' : `${disarm(`[vitrine] ${story}`)}\n`
  return told + formatCommand('error', {title: 'Vitrine'}, describeEnd(result))
}

/** A command to the runner, with its newline. */
function formatCommand(name: string, properties: Record<string, string>, data: string): string {
  const listed = Object.entries(properties).map(([key, value]) => `${key}=${escapeProperty(value)}`)
  return `::${name} ${listed.join(',')}::${escapeData(data)}\n`
}

function escapeData(text: string): string {
  return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
}

function disarmLines(text: string): string {
  return text.split('\n').map(disarm).join('\n')
}

/**
 * A line that the runner takes for no command. It obeys `::` at the start of a line, and trims the line before it
 * looks, so that a space before it does not help but one inside does. Its comparison may skip characters that are not
 * seen. What it obeys anywhere is escaped with all text of an agent.
 */
function disarm(line: string): string {
  return line.replace(/^([\s\p{Cf}\p{Mn}]*:[\p{Cf}\p{Mn}]*):/u, '$1 :')
}
