import {
  cutText,
  firstLine,
  formatCount,
  formatDuration,
  formatMoney,
  maskSecrets,
  shortenPath,
  type AgentEvent,
  type PlanItem,
  type SessionStartEvent,
  type StatusEvent,
  type ToolEndEvent,
  type ToolStartEvent,
  type TurnEndEvent,
} from '../core/index.ts'
import {plain, type Colors, type Role} from './colors.ts'
import {
  countTelling,
  describeCall,
  describeFailure,
  describeInput,
  describePlan,
  readChange,
  toOneLine,
  toolWord,
} from './describe.ts'
import {describeStatus} from './describe-status.ts'
import type {Fact} from './layout.ts'
import {createLineMaker, type SessionFacts} from './line-maker.ts'
import {createSpeeches, type Speech} from './speeches.ts'
import {stripColors} from './strip-colors.ts'
import {unicode, type Symbols} from './symbols.ts'
import {toolFacts, type ToolWork} from './tool-facts.ts'

/** How events are shown. */
export interface FormatterOptions {
  /**
   * The colours.
   *
   * @defaultValue none
   */
  colors?: Colors | undefined
  /**
   * The signs that are not letters.
   *
   * @defaultValue {@link unicode}
   */
  symbols?: Symbols | undefined
  /**
   * How much to tell: 1 adds thoughts, whole texts, the output of tools to 20 lines, hooks and unknown
   * records; 2 all of the output.
   *
   * @defaultValue 0
   */
  verbose?: number | undefined
  /**
   * Whether to show what the agent says.
   *
   * @defaultValue true
   */
  text?: boolean | undefined
  /**
   * The columns of the terminal. Lines are cut to them, and a tool is shown when it is done. Without, as for
   * a file or a pipe, nothing is cut, and a tool is shown when it starts.
   */
  width?: number | undefined
  /**
   * What stands in front of every line, such as `reviewer` for `[reviewer]`: where several of one agent share a screen.
   *
   * @defaultValue the agent of the event
   */
  name?: string | undefined
  /** The folder that the run works in, as long as its stream does not tell: paths in it are shown from there. */
  cwd?: string | undefined
  /** What is known of the run beside its stream, for its first line. */
  session?: SessionFacts | undefined
}

/** Turns the events of one run into text. */
export interface Formatter {
  /** The lines for an event, each with its newline; often none. Never throws. */
  format(event: AgentEvent): string
  /** The lines for what is still held back when the run is over. */
  end(): string
}

/** A tool that is at work. */
interface OpenTool extends ToolWork {
  /** Whether its line is out: a tool that others work under cannot wait for its end. */
  isShown: boolean
}

/** Without `verbose` nobody sees more of a text than this. */
const SEEN_TEXT = 2000
const SHOWN_OUTPUT_LINES = 20
/** So much of a line that could not be read is shown, and so much looked through for secrets. */
const SHOWN_MALFORMED = 100
const LOOKED_AT = 10_000
/** What takes this long is worth telling even without a terminal. */
const LONG_MS = 1000

/**
 * Makes a formatter. What it gives is a function of the events and options alone, in whole lines, so that
 * several of them can write to one terminal.
 *
 * @example
 * ```ts
 * const formatter = createFormatter({colors: colored, width: process.stdout.columns})
 * for (const event of decoder.push(chunk)) process.stdout.write(formatter.format(event))
 * process.stdout.write(formatter.end())
 * ```
 */
export function createFormatter(options: FormatterOptions = {}): Formatter {
  const {colors = plain, symbols = unicode, verbose = 0, text: showsText = true, width} = options
  const arrow = `  ${colors.frame('->')} `
  const openTools = new Map<string, OpenTool>()
  const make = createLineMaker({colors, symbols, width}, options.name)
  const speeches = createSpeeches(verbose > 0 ? Number.POSITIVE_INFINITY : SEEN_TEXT, writeSpeech)
  const openTasks = new Set<string>()
  let {cwd} = options
  let hasBegun = false
  let agent = ''
  let shownPlan = ''
  let lastShown: string | undefined
  let turns = 0
  let isInterrupted = false
  let out = ''

  return {
    format(event) {
      out = ''
      write(event)
      return out
    },
    end() {
      out = ''
      speeches.end()
      return out
    },
  }

  function write(event: AgentEvent): void {
    agent = event.agent
    speeches.hear(event)
    switch (event.type) {
      case 'session-start':
        return writeSession(event)
      case 'text':
        return writeText(event, event.text, event.parentToolId)
      case 'thinking':
        return writeThought(event, event.text, event.parentToolId)
      case 'tool-start':
        return startTool(event)
      case 'text-delta':
      case 'thinking-delta':
      case 'tool-update':
      case 'usage':
        return
      case 'tool-end':
        return endTool(event)
      case 'file-change': {
        const tool = openTools.get(event.toolId ?? '')
        if (tool === undefined)
          return writeLine(event, 'tool', 'Changed', shortenPath(event.path, cwd))
        tool.added += event.added ?? 0
        tool.removed += event.removed ?? 0
        return
      }
      case 'plan':
        return writePlan(event, event.items)
      case 'task-start':
        openTasks.add(event.taskId)
        return writeLine(event, 'task', 'Background', event.description)
      case 'task-end': {
        openTasks.delete(event.taskId)
        const word = event.ok === false ? 'Background failed' : 'Background ended'
        return writeLine(event, event.ok === false ? 'bad' : 'task', word, event.description)
      }
      case 'permission-request':
        return writeLine(event, 'waiting', 'Asks', describeCall(event.name, event.input, cwd))
      case 'permission-denied':
        // The end of the tool will tell, if it is still to come.
        if (openTools.has(event.toolId ?? '')) return
        return writeLine(event, 'bad', 'Denied', describeCall(event.name, event.input, cwd))
      case 'status':
        return writeStatus(event)
      case 'turn-end':
        return writeTurnEnd(event)
      case 'unknown':
        if (verbose === 0) return
        return writeLine(
          event,
          'fact',
          'Unknown',
          `${event.reason ?? ''} (line ${event.line}, kept)`,
        )
      case 'malformed': {
        const size = formatCount(event.size, 'byte')
        const what =
          event.reason === 'line-too-long' ? `too long, ${size}` : `not JSON, ${size}, kept`
        writeLine(event, 'bad', 'Malformed', `line ${event.line}: ${what}`)
        if (verbose > 0) writeBeginning(event, event.raw)
        return
      }
      default:
        event satisfies never
    }
  }

  function writeSession(event: SessionStartEvent): void {
    cwd = event.cwd ?? cwd
    // Some agents tell their session only in the end.
    if (hasBegun) return
    const {agentVersion, model} = event
    const who = agentVersion === undefined ? agent : `${agent} ${agentVersion}`
    const where = event.cwd?.split(/[\\/]/).findLast((part) => part !== '')
    writeHeader([who, model?.replace(/^claude-/, ''), where])
  }

  function writeHeader(parts: (string | undefined)[]): void {
    hasBegun = true
    put(make.header(parts, options.session ?? {}))
  }

  function writeSpeech({event, isThought, text, parent}: Speech): void {
    if (isThought) writeThought(event, text, parent)
    else writeText(event, text, parent)
  }

  function writeText(event: AgentEvent, text: string, parent: string | undefined): void {
    const [first, ...rest] = verbose > 0 ? text.trim().split('\n') : [firstLine(text)]
    if (!showsText || first === undefined || first === '') return
    const last = rest.length === 0 ? '"' : ''
    writeMore(event, '', `"${first}${last}`, parent)
    for (const [index, line] of rest.entries()) {
      writeMore(event, '  ', `${line}${index === rest.length - 1 ? '"' : ''}`, parent)
    }
  }

  function writeThought(event: AgentEvent, text: string, parent: string | undefined): void {
    if (verbose === 0) return
    const [first = '', ...rest] = text.trim().split('\n')
    if (first === '') return
    writeLine(event, 'tool', 'Thinking', first, {parent})
    for (const line of rest) writeMore(event, '  ', line, parent)
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
    const body = describeInput(start, cwd)
    writeLine(start, role, toolWord(start), body, {parent: start.parentToolId, facts})
    lastShown = start.toolId
  }

  function endTool(end: ToolEndEvent): void {
    const tool = openTools.get(end.toolId)
    const indent = indentOf(end.toolId)
    openTools.delete(end.toolId)
    if (tool === undefined) return end.ok ? undefined : writeFailure(end, undefined)
    const {start, isShown} = tool
    if (start.tool === 'Todo' && end.ok) return
    if (end.unfinished === true) return writeUnfinished(tool)
    if (!isShown) showTool(tool, width === undefined ? [] : factsOf(tool, end))
    else if (width !== undefined) writeEndUnder(tool, end, indent)
    else if (end.ok && (end.durationMs ?? 0) >= LONG_MS) {
      const told = `ok, ${formatDuration(end.durationMs ?? 0)}${nameUnlessLast(start)}`
      writeMore(end, arrow, told, start.parentToolId)
    }
    if (!end.ok) writeFailure(end, start)
    else if (verbose > 0) writeOutput(end, start)
  }

  function writeUnfinished(tool: OpenTool): void {
    const {start, isShown} = tool
    if (!isShown) return showTool(tool, [{text: 'unfinished', color: colors.fact}])
    const told = `unfinished${nameUnlessLast(start)}`
    writeMore(start, arrow, told, start.parentToolId)
  }

  /** The facts of a tool whose line is out already, because others worked under it. */
  function writeEndUnder(tool: OpenTool, end: ToolEndEvent, indent: string): void {
    put(make.more(end.agent, indent, '', end.ok ? 'done' : 'ended', factsOf(tool, end)))
  }

  function factsOf(tool: OpenTool, end: ToolEndEvent): Fact[] {
    return toolFacts(tool, end, {colors, symbols, width})
  }

  function writeFailure(end: ToolEndEvent, start: ToolStartEvent | undefined): void {
    const {exitCode, durationMs = 0, denied} = end
    const parent = start?.parentToolId
    const [first = '', second] = describeFailure(end, start?.tool)
    const how = denied === true ? 'denied' : exitCode === undefined ? '' : `exit ${exitCode}`
    let told: string
    if (width !== undefined) {
      // The facts of the tool's line tell the exit code.
      const why = first || how || 'no reason given'
      told = denied === true ? `denied: ${why}` : why
    } else {
      const after =
        how !== '' && durationMs >= LONG_MS ? ` after ${formatDuration(durationMs)}` : ''
      const why = first || (how === '' ? 'no reason given' : '')
      const which = start === undefined ? '' : nameUnlessLast(start)
      told = [how + after, why].filter(Boolean).join(': ') + which
    }
    writeLine(end, 'bad', 'ERROR', told, {parent})
    const isSecondTold = second !== undefined && (width !== undefined || verbose > 0)
    if (isSecondTold) writeMore(end, '       ', second, parent)
    if (verbose === 0 || start === undefined) return
    const isMore = countTelling(end.output) > (isSecondTold ? 2 : 1)
    // A line may be made of all of them.
    const isWhole = make.fits(end.agent, indentOf(parent), {word: 'ERROR', body: told})
    if (isMore && !(isWhole && first === toOneLine(end.output))) writeOutput(end, start)
  }

  /** Which tool it is about, when that is not the one on the line above. */
  function nameUnlessLast(start: ToolStartEvent): string {
    if (lastShown === start.toolId) return ''
    const what = describeInput(start, cwd)
    return ` (${what === '' ? toolWord(start) : `${toolWord(start)}: ${what}`})`
  }

  function writeOutput(end: ToolEndEvent, start: ToolStartEvent): void {
    const parent = start.parentToolId
    const changes = readChange(start.input)
    if (start.tool === 'Edit' && end.ok && changes.length > 0) {
      for (const [sign, line] of limit(changes)) {
        const role = sign === '+' ? 'added' : 'removed'
        writeMore(end, `  ${colors[role](sign)} `, line, parent)
      }
      return
    }
    const text = stripColors(end.output).trimEnd()
    if (text === '') return
    const lines = text.split('\n')
    const shown = limit(lines)
    for (const line of shown) writeMore(end, arrow, line.replace(/\r$/, ''), parent)
    if (shown.length === lines.length) return
    const rest = formatCount(lines.length - shown.length, 'more line')
    writeMore(end, arrow, `${symbols.more} ${rest} (-vv for all)`, parent)
  }

  function limit<T>(lines: T[]): T[] {
    return verbose > 1 ? lines : lines.slice(0, SHOWN_OUTPUT_LINES)
  }

  /** Enough to see what it is. Nobody knows what else is in it, and a log may be read by others. */
  function writeBeginning(event: AgentEvent, raw: string): void {
    const begin = maskSecrets(raw.slice(0, LOOKED_AT)).trim()
    if (begin !== '') writeMore(event, arrow, cutText(begin, SHOWN_MALFORMED))
  }

  function writePlan(event: AgentEvent, items: PlanItem[]): void {
    const line = describePlan(items, symbols.arrow)
    if (line === shownPlan) return
    shownPlan = line
    writeLine(event, 'tool', 'Plan', line)
  }

  function writeStatus(event: StatusEvent): void {
    if (event.status === 'interrupted') isInterrupted = true
    const step = describeStatus(event, verbose)
    if (step !== undefined) writeLine(event, step.role, step.word, step.body)
  }

  function writeTurnEnd(event: TurnEndEvent): void {
    const {ok, costUsd, durationMs, errors = []} = event
    turns++
    const cost = costUsd === undefined ? '' : ` (cost: ${colors.number(`$${costUsd.toFixed(4)}`)})`
    const wasInterrupted = isInterrupted
    isInterrupted = false
    if (!ok && wasInterrupted) return putFramed(event, `${colors.bad('Stopped')}${cost}`)
    if (!ok) {
      writeLine(event, 'bad', 'ERROR', firstLine(errors[0] ?? event.text) || 'no reason given')
      return putFramed(event, `${colors.bad('Failed')}${cost}`)
    }
    if (openTasks.size === 0) return putFramed(event, `${colors.good('Complete')}${cost}`)
    const facts = [
      ...(costUsd === undefined ? [] : [formatMoney(costUsd)]),
      ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
      `${formatCount(openTasks.size, 'task')} in the background`,
    ]
    putFramed(event, `Turn ${turns} ended: ${facts.join(', ')}`)
  }

  /** A line `[agent] Word: body`; the body is the agent's and not to be trusted. */
  function writeLine(
    event: AgentEvent,
    role: Role,
    word: string,
    body: string,
    {parent, facts = []}: {parent?: string | undefined; facts?: Fact[]} = {},
  ): void {
    showParent(parent)
    put(make.step(event.agent, indentOf(parent), {role, word, body, facts}))
  }

  /** A line that goes on from the one before: `lead` is ours, the body the agent's. */
  function writeMore(event: AgentEvent, lead: string, body: string, parent?: string): void {
    showParent(parent)
    put(make.more(event.agent, indentOf(parent), lead, body))
  }

  /** On a terminal the call of a sub-agent waits for its end, unless there is something to put under it. */
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

  function putFramed(event: AgentEvent, text: string): void {
    put(make.own(event.agent, text))
  }

  function put(line: string): void {
    // Not all agents begin by saying who they are, and a recording must be found again.
    if (!hasBegun && options.session !== undefined) writeHeader([agent])
    hasBegun = true
    out += `${line}\n`
  }
}
