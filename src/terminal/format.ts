import type {
  AgentEvent,
  PlanItem,
  SessionStartEvent,
  StatusEvent,
  TextEvent,
  TurnEndEvent,
} from '../core/events/events.ts'
import {authorOf, createDeltaJoiner, type JoinedText} from '../core/events/join-deltas.ts'
import {formatCount, formatDuration, formatMoney} from '../core/text/figures.ts'
import {shortenPath} from '../core/text/shorten-path.ts'
import {cutText, firstLine} from '../core/text/text.ts'
import {isRecord} from '../core/wire/json.ts'
import {maskSecrets} from '../secrets/mask-secrets.ts'
import {plain, type Colors} from './colors.ts'
import {describeCall, describePlan} from './describe.ts'
import {describeStatusLine} from './describe-status.ts'
import {NARROW_WIDTH} from './layout.ts'
import {createLineMaker, type SessionFacts} from './line-maker.ts'
import {unicode, type Symbols} from './symbols.ts'
import {createToolWriter} from './tool-writer.ts'

/** How events are shown. */
export interface FormatterOptions {
  /**
   * The colours.
   *
   * @defaultValue none
   */
  colors?: Colors | undefined
  /**
   * The signs.
   *
   * @defaultValue {@link unicode}
   */
  symbols?: Symbols | undefined
  /**
   * How much to show: 1 adds thinking, complete texts, 20 lines of the output of tools, hooks and unknown records; 2
   * all output.
   *
   * @defaultValue 0
   */
  verbose?: number | undefined
  /**
   * Whether to show the texts of the agent.
   *
   * @defaultValue true
   */
  text?: boolean | undefined
  /**
   * The columns of the terminal: lines are cut, and a tool is shown when it ends. Absent for a file or a pipe: lines are
   * not cut, and a tool is shown when it starts.
   */
  width?: number | undefined
  /**
   * The name before every line, such as `reviewer` for `[reviewer]`, when several runs of one agent share a screen.
   *
   * @defaultValue the agent of the event
   */
  name?: string | undefined
  /** The working directory until the stream reports it. Paths inside it are shown relative to it. */
  cwd?: string | undefined
  /** Further facts for the first line of the run. */
  session?: SessionFacts | undefined
}

/** Turns the events of one run into text. */
export interface Formatter {
  /** Returns the first line of a recorded run whose first event is late; nothing when it was already printed. */
  begin(agent: string): string
  /** Returns the lines for an event, each with its newline; often none. Never throws, also for a value that is no event. */
  format(event: AgentEvent): string
  /** Returns the lines for pending text at the end of the run. */
  end(): string
}

/** Without `verbose` at most the first line of a text is shown. */
const MAX_SHOWN_TEXT = 2000
/** Events that complete a text which was emitted as deltas. */
const TEXT_ENDS: ReadonlySet<AgentEvent['type']> = new Set([
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
/** Number of characters of a malformed line that are shown, and that are searched for secrets. */
const MAX_MALFORMED_LENGTH = 100
const MASKED_LENGTH = 10_000
/** Smaller differences of cost are rounding errors. */
const MIN_COST = 0.00005

/**
 * Creates a formatter. Its output is a function of the events and options alone. It consists of complete lines, so that
 * several formatters can write to one terminal.
 *
 * @example
 * ```ts
 * const formatter = createFormatter({colors: colored, width: process.stdout.columns})
 * for (const event of decoder.push(chunk)) process.stdout.write(formatter.format(event))
 * process.stdout.write(formatter.end())
 * ```
 */
export function createFormatter(options: FormatterOptions = {}): Formatter {
  const {colors = plain, symbols = unicode, verbose = 0, text: showsText = true} = options
  // A terminal that does not know its width reports 0.
  const width = options.width || undefined
  const style = {colors, symbols, width}
  const make = createLineMaker(style, options.name)
  const writer = createToolWriter({...style, verbose, make, cwd: () => cwd, put})
  const joiner = createDeltaJoiner(verbose > 0 ? undefined : MAX_SHOWN_TEXT)
  const openTasks = new Set<string>()
  let {cwd} = options
  let hasBegun = false
  /** Whether the first line was printed before the session reported its model, and no line followed. */
  let hasEarlyHeader = false
  let agent = ''
  let shownPlan = ''
  let resultCount = 0
  /** Cost of this run up to here, where the agent reports its parts. */
  let spentUsd: number | undefined
  let isInterrupted = false
  let out = ''

  return {
    begin(name) {
      out = ''
      agent = name
      if (!hasBegun && options.session !== undefined) writeHeader([describeAgent()])
      if (out !== '') hasEarlyHeader = true
      return out
    },
    format(event) {
      out = ''
      if (isRecord(event)) write(event)
      return out
    },
    end() {
      out = ''
      for (const text of joiner.endAll()) writeJoined(text)
      return out
    },
  }

  function write(event: AgentEvent): void {
    agent = event.agent
    joinDeltas(event)
    switch (event.type) {
      case 'session-start':
        return writeSession(event)
      case 'text':
        return writeText(event, event.text)
      case 'thinking':
        return writeThinking(event, event.text)
      case 'tool-start':
        return writer.startTool(event)
      case 'text-delta':
      case 'thinking-delta':
      case 'tool-update':
        return
      case 'usage':
        if (event.costUsd !== undefined) spentUsd = (spentUsd ?? 0) + event.costUsd
        return
      case 'tool-end':
        return writer.endTool(event)
      case 'file-change':
        if (writer.countChange(event)) return
        return writer.line(event, 'tool', 'Changed', shortenPath(event.path, cwd))
      case 'plan':
        return writePlan(event, event.items)
      case 'task-start':
        openTasks.add(event.taskId)
        return writer.line(event, 'task', 'Background', event.description)
      case 'task-end': {
        openTasks.delete(event.taskId)
        const word = event.ok === false ? 'Background failed' : 'Background ended'
        return writer.line(event, event.ok === false ? 'bad' : 'task', word, event.description)
      }
      case 'permission-request':
        return writer.line(event, 'waiting', 'Asks', describeCall(event.name, event.input, cwd))
      case 'permission-denied':
        // The end of the tool reports it, if it follows.
        if (writer.isOpen(event.toolId)) return
        return writer.line(event, 'bad', 'Denied', describeCall(event.name, event.input, cwd))
      case 'status':
        return writeStatus(event)
      case 'turn-end':
        return writeTurnEnd(event)
      case 'unknown':
        if (verbose === 0) return
        return writer.line(
          event,
          'fact',
          'Unknown',
          `${event.reason ?? ''} (line ${event.line}, kept)`,
        )
      case 'malformed': {
        const size = formatCount(event.size, 'byte')
        const what =
          event.reason === 'line-too-long' ? `too long, ${size}` : `not JSON, ${size}, kept`
        writer.line(event, 'bad', 'Malformed', `line ${event.line}: ${what}`)
        if (verbose > 0) writeBeginning(event, event.raw)
        return
      }
      default:
        event satisfies never
    }
  }

  function writeSession(event: SessionStartEvent): void {
    cwd = event.cwd ?? cwd
    // Some agents report their session only at the end.
    if (hasBegun && !hasEarlyHeader) return
    const {model} = event
    const who = describeAgent(event.agentVersion)
    const where = event.cwd?.split(/[\\/]/).findLast((part) => part !== '')
    writeHeader([who, model?.replace(/^claude-/, ''), where], hasEarlyHeader ? {} : options.session)
  }

  function describeAgent(version = options.session?.agentVersion): string {
    return version === undefined ? agent : `${agent} ${version}`
  }

  function writeHeader(parts: (string | undefined)[], facts = options.session): void {
    hasBegun = true
    put(make.header(parts, facts ?? {}))
  }

  /** Adds a delta, or writes the texts that the event completes. */
  function joinDeltas(event: AgentEvent): void {
    if (event.type === 'text-delta' || event.type === 'thinking-delta') {
      return writeJoined(joiner.add(event))
    }
    if (!TEXT_ENDS.has(event.type)) return
    writeJoined(joiner.end(authorOf(event)))
    if (event.type === 'tool-end') writeJoined(joiner.end(event.toolId))
    if (event.type === 'turn-end') for (const text of joiner.endAll()) writeJoined(text)
  }

  function writeJoined(joined: JoinedText | undefined): void {
    if (joined === undefined) return
    const {event, isThinking, text} = joined
    if (isThinking) writeThinking(event, text)
    else writeText(event, text)
  }

  function writeText(event: TextEvent, text: string): void {
    const lines = verbose > 0 ? text.trim().split('\n') : [summarizeText(text)]
    if (!showsText || lines[0] === '') return
    for (const [index, body] of lines.entries()) {
      const tail = index === lines.length - 1 ? '"' : undefined
      writer.more(event, {lead: index === 0 ? '"' : '  ', body, tail}, event.parentToolId)
    }
  }

  /** The first line of a text, with a sign when there is more. */
  function summarizeText(text: string): string {
    const first = firstLine(text)
    return first.length < text.trim().length ? `${first} ${symbols.more}` : first
  }

  function writeThinking(event: TextEvent, text: string): void {
    if (verbose === 0) return
    const [first = '', ...rest] = text.trim().split('\n')
    if (first === '') return
    writer.line(event, 'tool', 'Thinking', first, {parent: event.parentToolId})
    for (const body of rest) writer.more(event, {lead: '  ', body}, event.parentToolId)
  }

  /** Writes the beginning of a malformed line, with secrets masked: logs are shared. */
  function writeBeginning(event: AgentEvent, raw: string): void {
    const begin = maskSecrets(raw.slice(0, MASKED_LENGTH)).trim()
    if (begin !== '') writer.below(event, cutText(begin, MAX_MALFORMED_LENGTH))
  }

  function writePlan(event: AgentEvent, items: PlanItem[]): void {
    const line = describePlan(items, symbols.arrow)
    if (line === shownPlan) return
    shownPlan = line
    writer.line(event, 'tool', 'Plan', line)
  }

  function writeStatus(event: StatusEvent): void {
    if (event.status === 'interrupted') isInterrupted = true
    const step = describeStatusLine(event, verbose)
    if (step !== undefined) writer.line(event, step.role, step.word, step.body)
  }

  function writeTurnEnd(event: TurnEndEvent): void {
    const {ok, durationMs, errors = [], stopped} = event
    const costUsd = spentUsd ?? event.costUsd
    resultCount++
    const cost = describeCost(event)
    const wasInterrupted = isInterrupted
    isInterrupted = false
    if (!ok && wasInterrupted) return putFramed(event, `${colors.bad('Stopped')}${cost}`)
    if (!ok) {
      writer.line(event, 'bad', 'ERROR', firstLine(errors[0] ?? event.text) || 'no reason given')
      return putFramed(event, `${colors.bad('Failed')}${cost}`)
    }
    if (stopped !== undefined) {
      writer.line(event, 'waiting', 'Stopped', firstLine(stopped))
      return putFramed(event, `${colors.bad('Stopped')}${cost}`)
    }
    if (openTasks.size === 0) return putFramed(event, `${colors.good('Complete')}${cost}`)
    const facts = [
      ...(costUsd === undefined ? [] : [formatMoney(costUsd)]),
      ...(durationMs === undefined ? [] : [formatDuration(durationMs)]),
      `${formatCount(openTasks.size, 'task')} in the background`,
    ]
    const lead = `Result ${resultCount}: `
    put(make.more(event.agent, '', {lead, body: facts.join(', ')}))
  }

  /** The cost of this run. The agent may report the total of a resumed session. */
  function describeCost(event: TurnEndEvent): string {
    if (event.costUsd === undefined) return ''
    const costUsd = spentUsd ?? event.costUsd
    const isPart = event.costUsd - costUsd > MIN_COST
    const scope = isPart && (width === undefined || width >= NARROW_WIDTH) ? ' in this run' : ''
    return ` (cost: ${colors.number(`$${costUsd.toFixed(4)}`)}${scope})`
  }

  function putFramed(event: AgentEvent, text: string): void {
    put(make.own(event.agent, text))
  }

  function put(line: string): void {
    // Some streams do not start with a session, but the first line names the recording.
    if (!hasBegun && options.session !== undefined) writeHeader([describeAgent()])
    hasBegun = true
    hasEarlyHeader = false
    out += `${line}\n`
  }
}
