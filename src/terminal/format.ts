import stringWidth from 'string-width'
import {
  countLines,
  cutText,
  firstLine,
  formatClock,
  formatCount,
  formatDuration,
  formatMoney,
  makeHarmless,
  type AgentEvent,
  type PlanItem,
  type SessionStartEvent,
  type StatusEvent,
  type TextEvent,
  type ToolEndEvent,
  type ToolStartEvent,
  type TurnEndEvent,
} from '../core/index.ts'
import {plain, type Colors, type Role} from './colors.ts'
import {describeCall, describeFailure, readChange, toolWord} from './describe.ts'
import {layOut, type Fact} from './layout.ts'
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
  /** What is known of the run beside its stream, for its first line. */
  session?: SessionFacts | undefined
}

/** What the first line of a run tells besides who works on what. */
export interface SessionFacts {
  /** By what name the recording can be found, such as `7f3a`. */
  recording?: string | undefined
  /** What the run may cost, such as `$5.00`. */
  budget?: string | undefined
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
  const {recording, budget} = options.session ?? {}
  const arrow = `  ${colors.frame('->')} `
  const openTools = new Map<string, OpenTool>()
  /** What is being said, piece by piece, by who says it. */
  const speeches = new Map<string, {event: TextEvent; isThought: boolean; text: string}>()
  const openTasks = new Set<string>()
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
      endSpeeches()
      return out
    },
  }

  function write(event: AgentEvent): void {
    agent = event.agent
    const speaker = 'parentToolId' in event ? (event.parentToolId ?? '') : ''
    if (TALKS.has(event.type)) endSpeech(speaker)
    if (event.type === 'tool-end') endSpeech(event.toolId)
    if (event.type === 'turn-end') endSpeeches()
    switch (event.type) {
      case 'session-start':
        return writeSession(event)
      case 'text-delta':
      case 'thinking-delta':
        return hear(event)
      case 'text':
        return writeText(event, event.text, event.parentToolId)
      case 'thinking':
        return writeThought(event, event.text, event.parentToolId)
      case 'tool-start':
        return startTool(event)
      case 'tool-update':
      case 'usage':
        return
      case 'tool-end':
        return endTool(event)
      case 'file-change': {
        const tool = openTools.get(event.toolId ?? '')
        if (tool === undefined) return writeLine(event, 'tool', 'Changed', event.path)
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
        return writeLine(event, 'waiting', 'Asks', describeCall(event.name, event.input))
      case 'permission-denied':
        // The end of the tool will tell, if it is still to come.
        if (openTools.has(event.toolId ?? '')) return
        return writeLine(event, 'bad', 'Denied', describeCall(event.name, event.input))
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
        return writeLine(event, 'bad', 'Malformed', `line ${event.line}: ${what}`)
      }
      default:
        event satisfies never
    }
  }

  function writeSession(event: SessionStartEvent): void {
    // Some agents tell their session only in the end.
    if (hasBegun) return
    const {agentVersion, model, cwd} = event
    const who = agentVersion === undefined ? agent : `${agent} ${agentVersion}`
    const where = cwd?.split(/[\\/]/).findLast((part) => part !== '')
    writeHeader([who, model?.replace(/^claude-/, ''), where])
  }

  function writeHeader(parts: (string | undefined)[]): void {
    hasBegun = true
    const head = `${colors.frame('[vitrine]')} `
    const join = (...more: (string | undefined)[]) =>
      harmless([...parts, ...more].filter((part) => part !== undefined).join(` ${symbols.dot} `))
    const body = join(
      recording === undefined ? undefined : `recording ${recording}`,
      budget === undefined ? undefined : `budget ${budget}`,
    )
    const isWide = width === undefined || stringWidth(head + body) <= width
    put(layOut({head, body: isWide ? body : join(recording)}, fit()))
  }

  function hear(event: TextEvent): void {
    const speaker = event.parentToolId ?? ''
    const isThought = event.type === 'thinking-delta'
    const speech = speeches.get(speaker)
    const isSame = speech?.isThought === isThought && speech.event.messageId === event.messageId
    if (speech !== undefined && isSame) {
      if (verbose > 0 || speech.text.length < SEEN_TEXT) speech.text += event.text
      return
    }
    endSpeech(speaker)
    speeches.set(speaker, {event, isThought, text: event.text})
  }

  function endSpeeches(): void {
    for (const speaker of speeches.keys()) endSpeech(speaker)
  }

  function endSpeech(speaker: string): void {
    const speech = speeches.get(speaker)
    if (speech === undefined) return
    speeches.delete(speaker)
    const {event, isThought, text} = speech
    const parent = speaker === '' ? undefined : speaker
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
    writeLine(start, role, toolWord(start), start.summary, {parent: start.parentToolId, facts})
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
    const head = `${frameOf(end)} ${indent}`
    put(layOut({head, body: end.ok ? 'done' : 'ended', facts: factsOf(tool, end)}, fit()))
  }

  function factsOf(tool: OpenTool, end: ToolEndEvent): Fact[] {
    return toolFacts(tool, end, {colors, symbols, width})
  }

  function writeFailure(end: ToolEndEvent, start: ToolStartEvent | undefined): void {
    const {exitCode, durationMs = 0, denied} = end
    const parent = start?.parentToolId
    const [first = '', second] = describeFailure(end, start?.tool)
    const how = denied === true ? 'denied' : exitCode === undefined ? '' : `exit ${exitCode}`
    if (width !== undefined) {
      // The facts of the tool's line tell the exit code.
      const why = first || how || 'no reason given'
      writeLine(end, 'bad', 'ERROR', denied === true ? `denied: ${why}` : why, {parent})
      if (second !== undefined) writeMore(end, '       ', second, parent)
    } else {
      const after =
        how !== '' && durationMs >= LONG_MS ? ` after ${formatDuration(durationMs)}` : ''
      const why = first || (how === '' ? 'no reason given' : '')
      const which = start === undefined ? '' : nameUnlessLast(start)
      writeLine(end, 'bad', 'ERROR', [how + after, why].filter(Boolean).join(': ') + which, {
        parent,
      })
    }
    const isShown = countLines(end.output.trim()) <= (second === undefined ? 1 : 2)
    if (verbose > 0 && start !== undefined && !isShown) writeOutput(end, start)
  }

  /** Which tool it is about, when that is not the one on the line above. */
  function nameUnlessLast(start: ToolStartEvent): string {
    if (lastShown === start.toolId) return ''
    return ` (${start.summary === '' ? toolWord(start) : `${toolWord(start)}: ${start.summary}`})`
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
    const text = end.output.trimEnd()
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

  function writePlan(event: AgentEvent, items: PlanItem[]): void {
    const done = items.filter(({status}) => status === 'completed').length
    const next =
      items.find(({status}) => status === 'in-progress') ??
      items.find(({status}) => status === 'pending')
    const step = next === undefined ? '' : ` ${symbols.arrow} ${firstLine(next.text)}`
    const line = `${done}/${items.length}${step}`
    if (line === shownPlan) return
    shownPlan = line
    writeLine(event, 'tool', 'Plan', line)
  }

  function writeStatus(event: StatusEvent): void {
    const {status, detail, until, attempt, of} = event
    const line = firstLine(detail)
    switch (status) {
      case 'api-retry': {
        const count = attempt === undefined ? '' : ` ${attempt}${of === undefined ? '' : `/${of}`}`
        return writeLine(event, 'waiting', `API retry${count}`, line)
      }
      case 'rate-limit':
        // How much is used is news for those who ask; that all is used is for everybody.
        if (detail.includes('% used')) {
          const resets = until === undefined ? '' : `, resets ${formatClock(until)}`
          return verbose > 0 ? writeLine(event, 'waiting', 'Limit', line + resets) : undefined
        }
        return writeLine(
          event,
          'waiting',
          until === undefined ? 'Rate-limited' : `Rate-limited until ${formatClock(until)}`,
          line,
        )
      case 'compacting':
        return writeLine(event, 'waiting', 'Compacting', line === 'compacting' ? '' : line)
      case 'model-fallback':
        return writeLine(event, 'waiting', 'Model', line)
      case 'warning':
        return writeLine(event, 'waiting', 'Warning', line)
      case 'interrupted':
        isInterrupted = true
        return writeLine(event, 'bad', 'Interrupted', '')
      case 'hook':
        return verbose > 0 ? writeLine(event, 'fact', 'Hook', line) : undefined
      case 'notice':
        return verbose > 0 ? writeLine(event, 'fact', 'Note', line) : undefined
      case 'working':
        return
      default:
        status satisfies never
    }
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
    const colon = body === '' ? '' : ': '
    const named = role === 'bad' ? `${word}${colon.trim()}` : word
    const rest = role === 'bad' ? colon.slice(1) : colon
    showParent(parent)
    const shown = cutText(harmless(named), LONGEST_WORD)
    const head = `${frameOf(event)} ${indentOf(parent)}${colors[role](shown)}${rest}`
    put(layOut({head, body: harmless(body), facts}, fit()))
  }

  /** A line that goes on from the one before: `lead` is ours, the body the agent's. */
  function writeMore(event: AgentEvent, lead: string, body: string, parent?: string): void {
    showParent(parent)
    const head = `${frameOf(event)} ${indentOf(parent)}${lead}`
    put(layOut({head, body: harmless(body)}, fit()))
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

  function frameOf(event: AgentEvent): string {
    return colors.frame(`[${event.agent}]`)
  }

  function putFramed(event: AgentEvent, text: string): void {
    put(`${frameOf(event)} ${text}`)
  }

  function harmless(text: string): string {
    if (text.length <= LONGEST_LINE) return makeHarmless(text)
    return makeHarmless(text.slice(0, LONGEST_LINE)) + symbols.more
  }

  function fit() {
    return {width, more: symbols.more}
  }

  function put(line: string): void {
    // Not all agents begin by saying who they are, and a recording must be found again.
    if (!hasBegun && options.session !== undefined) writeHeader([agent])
    hasBegun = true
    out += `${line}\n`
  }
}

/** Events that come after what was said, and show that it is whole. */
const TALKS = new Set<AgentEvent['type']>([
  'session-start',
  'text',
  'thinking',
  'tool-start',
  'tool-end',
  'plan',
  'permission-request',
  'status',
  'turn-end',
])

/** The word before the colon; tools of servers can have long names. */
const LONGEST_WORD = 40
/** Nobody reads a line of more than this, and making it harmless takes its time. */
const LONGEST_LINE = 2000
