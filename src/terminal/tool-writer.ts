import type {
  AgentEvent,
  FileChangeEvent,
  ToolEndEvent,
  ToolStartEvent,
} from '../core/events/events.ts'
import {formatCount, formatDuration} from '../core/text/figures.ts'
import type {Role} from './colors.ts'
import {
  countContentLines,
  describeFailure,
  describeInput,
  readChange,
  toOneLine,
  nameTool,
} from './describe.ts'
import type {Fact, LineStyle} from './layout.ts'
import type {LineMaker, MoreLine} from './line-maker.ts'
import {stripColors} from './strip-colors.ts'
import {describeToolFacts, type ToolWork} from './tool-facts.ts'

/** Writes the lines of tools, and indents the lines of a sub-agent under its call. */
export interface ToolWriter {
  startTool(event: ToolStartEvent): void
  endTool(event: ToolEndEvent): void
  /** Counts a change for its tool; false when the tool is not running. */
  countChange(event: FileChangeEvent): boolean
  isOpen(toolId: string | undefined): boolean
  /** Writes a line `[agent] Word: body`; the body is untrusted text of the agent. */
  line(event: AgentEvent, role: Role, word: string, body: string, under?: Under): void
  /** Writes a line that continues the previous one. */
  more(event: AgentEvent, line: MoreLine, parent?: string): void
  /** Writes a continuation line with an arrow, for a result. */
  below(event: AgentEvent, body: string, parent?: string): void
}

interface Under {
  /** The call of the sub-agent that the line belongs to. */
  parent?: string | undefined
  facts?: Fact[]
}

/** The options of a tool writer. */
interface ToolWriterOptions extends LineStyle {
  verbose: number
  make: LineMaker
  /** Returns the working directory, if it is known. */
  cwd(): string | undefined
  put(line: string): void
}

/** A running tool. */
interface OpenTool extends ToolWork {
  /** Whether its line was printed: the call of a sub-agent is printed before its tools. */
  isShown: boolean
}

const SHOWN_OUTPUT_LINES = 20
/** Without a terminal, the duration of a tool is printed from this time on. */
const MIN_SHOWN_DURATION_MS = 1000

/** Creates the writer of one run. */
export function createToolWriter(options: ToolWriterOptions): ToolWriter {
  const {colors, symbols, width, verbose, make, cwd, put} = options
  const arrow = `  ${colors.frame('->')} `
  const openTools = new Map<string, OpenTool>()
  let lastShown: string | undefined

  return {
    startTool,
    endTool,
    countChange({toolId, added = 0, removed = 0}) {
      const tool = openTools.get(toolId ?? '')
      if (tool === undefined) return false
      tool.added += added
      tool.removed += removed
      return true
    },
    isOpen: (toolId) => openTools.has(toolId ?? ''),
    line: writeLine,
    more: writeMore,
    below: writeBelow,
  }

  function startTool(start: ToolStartEvent): void {
    const tool: OpenTool = {start, isShown: false, added: 0, removed: 0, toolCount: 0}
    const parent = openTools.get(start.parentToolId ?? '')
    if (parent !== undefined) parent.toolCount++
    openTools.set(start.toolId, tool)
    if (width === undefined && start.tool !== 'Todo') showTool(tool)
  }

  function showTool(tool: OpenTool, facts: Fact[] = []): void {
    const {start} = tool
    tool.isShown = true
    const role = start.tool === 'Task' ? 'task' : 'tool'
    const body = describeInput(start, cwd())
    writeLine(start, role, nameTool(start), body, {parent: start.parentToolId, facts})
    lastShown = start.toolId
  }

  function endTool(end: ToolEndEvent): void {
    const tool = openTools.get(end.toolId)
    const indent = indentOf(end.toolId)
    openTools.delete(end.toolId)
    if (tool === undefined) return writeEndOfUnseen(end)
    const {start, isShown} = tool
    if (start.tool === 'Todo' && end.ok) return
    if (end.unfinished === true) return writeUnfinished(tool)
    if (!isShown) showTool(tool, width === undefined ? [] : factsOf(tool, end))
    else if (width !== undefined) writeEndUnder(tool, end, indent)
    else if (end.ok && (end.durationMs ?? 0) >= MIN_SHOWN_DURATION_MS) {
      const result = `ok, ${formatDuration(end.durationMs ?? 0)}${nameUnlessLast(start)}`
      writeBelow(end, result, start.parentToolId)
    }
    if (!end.ok) writeFailure(end, start)
    else if (verbose > 0) writeOutput(end, start)
  }

  /** Writes the result of an unknown call, as in a stream that starts in the middle. */
  function writeEndOfUnseen(end: ToolEndEvent): void {
    if (!end.ok) writeFailure(end, undefined)
    else if (verbose > 0) writeOutput(end, undefined)
  }

  function writeUnfinished(tool: OpenTool): void {
    const {start, isShown} = tool
    if (!isShown) return showTool(tool, [{text: 'unfinished', color: colors.fact}])
    const result = `unfinished${nameUnlessLast(start)}`
    writeBelow(start, result, start.parentToolId)
  }

  /** Writes the facts of a tool whose line was already printed, because of the tools under it. */
  function writeEndUnder(tool: OpenTool, end: ToolEndEvent, indent: string): void {
    const body = end.ok ? 'done' : 'ended'
    put(make.more(end.agent, indent, {lead: '', body, facts: factsOf(tool, end)}))
  }

  function factsOf(tool: OpenTool, end: ToolEndEvent): Fact[] {
    return describeToolFacts(tool, end, {colors, symbols, width})
  }

  function writeFailure(end: ToolEndEvent, start: ToolStartEvent | undefined): void {
    const {exitCode, durationMs = 0, denied} = end
    const parent = start?.parentToolId
    const [first = '', second] = describeFailure(end, start?.tool)
    const how = denied === true ? 'denied' : exitCode === undefined ? '' : `exit ${exitCode}`
    let text: string
    if (width !== undefined) {
      // The line of the tool has the exit code.
      const why = first || how || 'no reason given'
      text = denied === true ? `denied: ${why}` : why
    } else {
      const after =
        how !== '' && durationMs >= MIN_SHOWN_DURATION_MS
          ? ` after ${formatDuration(durationMs)}`
          : ''
      const why = first || (how === '' ? 'no reason given' : '')
      const which = start === undefined ? '' : nameUnlessLast(start)
      text = [how + after, why].filter(Boolean).join(': ') + which
    }
    writeLine(end, 'bad', 'ERROR', text, {parent})
    const isSecondShown = second !== undefined && (width !== undefined || verbose > 0)
    if (isSecondShown) writeMore(end, {lead: '       ', body: second}, parent)
    if (verbose === 0) return
    const isMore = countContentLines(end.output) > (isSecondShown ? 2 : 1)
    // The error line may contain the complete output already.
    const isUncut = make.fits(end.agent, indentOf(parent), {word: 'ERROR', body: text})
    if (isMore && !(isUncut && first === toOneLine(end.output))) writeOutput(end, start)
  }

  /** The name of the tool, unless its line is the previous one. */
  function nameUnlessLast(start: ToolStartEvent): string {
    if (lastShown === start.toolId) return ''
    const what = describeInput(start, cwd())
    return ` (${what === '' ? nameTool(start) : `${nameTool(start)}: ${what}`})`
  }

  function writeOutput(end: ToolEndEvent, start: ToolStartEvent | undefined): void {
    const parent = start?.parentToolId
    const changes = readChange(start?.input)
    if (start?.tool === 'Edit' && end.ok && changes.length > 0) {
      for (const [sign, line] of limit(changes)) {
        const role = sign === '+' ? 'added' : 'removed'
        writeMore(end, {lead: `  ${colors[role](sign)} `, body: line}, parent)
      }
      return
    }
    const text = stripColors(end.output).trimEnd()
    if (text === '') return
    const lines = text.split('\n')
    const shown = limit(lines)
    for (const line of shown) writeBelow(end, line.replace(/\r$/, ''), parent)
    if (shown.length === lines.length) return
    const rest = formatCount(lines.length - shown.length, 'more line')
    writeBelow(end, `${symbols.more} ${rest} (-vv for all)`, parent)
  }

  function limit<T>(lines: T[]): T[] {
    return verbose > 1 ? lines : lines.slice(0, SHOWN_OUTPUT_LINES)
  }

  function writeLine(
    event: AgentEvent,
    role: Role,
    word: string,
    body: string,
    {parent, facts = []}: Under = {},
  ): void {
    showParent(parent)
    put(make.step(event.agent, indentOf(parent), {role, word, body, facts}))
  }

  function writeMore(event: AgentEvent, line: MoreLine, parent?: string): void {
    showParent(parent)
    put(make.more(event.agent, indentOf(parent), line))
  }

  function writeBelow(event: AgentEvent, body: string, parent?: string): void {
    writeMore(event, {lead: arrow, body}, parent)
  }

  /** On a terminal the call of a sub-agent is printed at its end, or before the first line under it. */
  function showParent(parent: string | undefined): void {
    const tool = openTools.get(parent ?? '')
    if (tool !== undefined && !tool.isShown) showTool(tool)
  }

  function indentOf(parent: string | undefined): string {
    if (parent === undefined) return ''
    const agents = [...openTools.values()].filter(({start}) => start.tool === 'Task')
    const index = agents.findIndex(({start}) => start.toolId === parent)
    const number = agents.length > 1 && index !== -1 ? String(index + 1) : ''
    return `  ${colors.frame(`${symbols.bar}${number}`)} `
  }
}
