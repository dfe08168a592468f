import type {Adapter} from '../core/events/adapter.ts'
import {createEventParser} from '../core/events/event-parser.ts'
import type {AgentEvent, Tokens} from '../core/events/events.ts'
import type {UserAnswers} from '../core/events/question.ts'
import {countTokens, reduceLedger, initialLedger, withPendingUsage} from '../core/run/ledger.ts'
import {pickEnding} from '../core/run/run-summary.ts'
import {createLineDecoder, type LineFlaw} from '../core/wire/lines.ts'
import {createLineMasker} from '../secrets/line-masker.ts'
import {maskSecretsIn} from '../secrets/mask-secrets.ts'
import type {RunRecord} from '../recording/run-record.ts'
import type {ByteSource} from '../recording/read/byte-source.ts'
import type {
  AnswerItem,
  FullRecord,
  RunItem,
  SpentSoFar,
  StartItem,
  SubAgentSpent,
} from './run-item.ts'
import {walkRecording, type RecordingVisitor} from '../recording/read/recording-walk.ts'
import {describeOrigin} from './message-reader.ts'
import {maskText, showEvents, showRecord, toPrinted} from './show-events.ts'
import {SLIM} from './slim-event.ts'

/** Reads the recording of one run and makes items of it: the same whoever reads it, and when. */
export interface ItemReader {
  /** Whether the last item has been made. */
  readonly isOver: boolean
  /** How many bytes of stdout have been read. */
  readonly bytesRead: number
  /**
   * Reads what is new, for a few milliseconds at most.
   *
   * @returns The items of it, and whether there may be more.
   */
  advance(): {items: RunItem[]; isMore: boolean}
  /** Gives the items that wait for lines that may never come: a secret could begin in them, which is masked. */
  settle(): RunItem[]
  /** Reads the record of the run again with the next advance. */
  refreshRecord(): void
  /** Closes the files; the next advance opens them again. */
  closeFiles(): void
}

/** What a reader needs besides the recording. */
export interface ItemReaderOptions {
  agent: Adapter | null
  /**
   * Items up to this number are not made: somebody has them already.
   *
   * @defaultValue 0
   */
  since?: number | undefined
  /** Whether what is asked for is told: only to those who may answer. */
  mayAnswer: boolean
  /** Lines that are wanted in full in place of items, and who gets them. */
  wanted?: {has(line: number): boolean; take(record: FullRecord): void} | undefined
  /** Opens the files of the recording. */
  open?: ((path: string) => ByteSource) | undefined
}

const MOST_ITEMS = 1000
const LONGEST_PROMPT = 10_000
const NEWLINE = 0x0a
/** A chart has no room for more, and to add up what is not settled takes its time. */
const MOST_TOLD_SPENT = 400

/** Opens a recording for reading item by item. */
export function openItemReader(
  dir: string,
  begun: RunRecord,
  {agent, since = 0, mayAnswer, wanted, open}: ItemReaderOptions,
): ItemReader {
  let clock = begun.startedAt
  let n = 0
  let items: RunItem[] = []
  let line = 0
  let bytesRead = 0
  let lineStart = 0
  /** Where lines end that are about to be decoded. */
  let ends: number[] = []
  let ledger = initialLedger
  let lastSpent = ''
  let spentAt = 0
  /** What was told of each sub-agent. */
  const subAgentTokens = new Map<string, number>()
  const parser = agent === null ? null : createEventParser(agent, {now: () => clock})
  const lines = createLineDecoder(readLine, begun.limits)
  const masker = createLineMasker({hasRaw: wanted !== undefined})
  const visitor: RecordingVisitor = {
    setClock: (at) => (clock = at),
    onActivity() {},
    onOutput(bytes) {
      for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) {
        ends.push(bytesRead + at + 1)
      }
      bytesRead += bytes.length
      lines.push(bytes)
      ends = []
      nextEnd = 0
    },
    onChunkEnd() {},
    onAnswer(answer) {
      const item = toAnswer(answer)
      if (item === undefined) return
      // It is counted for all, so that the numbers of the others are the same.
      const numbered = {...item, ...stamp()}
      if (mayAnswer) add(maskSecretsIn(numbered))
    },
    onFile: (change) => add(maskSecretsIn({type: 'file', ...stamp(), ...change})),
    onEnd(result) {
      ends = [bytesRead]
      lines.end()
      masker.flush()
      const events = showEvents(count(parser?.end() ?? []), SLIM, mayAnswer)
      add({type: 'end', ...stamp(), events, ...maskSecretsIn(pickEnding(result))})
    },
  }
  let nextEnd = 0
  const walk = walkRecording(dir, begun, visitor, open)
  const isFull = () => items.length >= MOST_ITEMS

  return {
    get isOver() {
      return walk.isOver
    },
    get bytesRead() {
      return bytesRead
    },
    advance() {
      if (n === 0) begin()
      const isMore = walk.advance(isFull)
      const read = items
      items = []
      return {items: read, isMore}
    },
    settle() {
      masker.flush(true)
      const read = items
      items = []
      return read
    },
    refreshRecord: walk.refreshRecord,
    closeFiles: walk.closeFiles,
  }

  function begin(): void {
    add(describeStart(begun, agent, ++n))
  }

  function stamp(): {n: number; at: number} {
    return {n: ++n, at: clock}
  }

  function add(item: RunItem): void {
    if (wanted === undefined && item.n > since) masker.after(() => items.push(item))
  }

  function readLine(raw: string, flaw?: LineFlaw): void {
    line++
    const end = ends[nextEnd++] ?? bytesRead
    const offset = lineStart
    lineStart = end
    const events = parser === null ? [toPrinted(raw, line, clock)] : count(parser.parse(raw, flaw))
    n++
    if (wanted !== undefined) {
      const at = line
      return masker.push(raw, events, (shown) => {
        if (wanted.has(at)) wanted.take(showRecord(at, shown.raw, shown.events, mayAnswer))
      })
    }
    const spent = tellSpent(events)
    const kind = maskText(parser?.kind ?? 'text')
    const base = {type: 'line', n, at: clock, line, offset, size: end - offset, kind} as const
    return masker.push(raw, events, (shown) => {
      if (base.n <= since) return
      const item: RunItem = {...base, events: showEvents(shown.events, SLIM, mayAnswer)}
      if (spent !== undefined) item.spent = spent
      items.push(item)
    })
  }

  function count(events: AgentEvent[]): AgentEvent[] {
    for (const event of events) ledger = reduceLedger(ledger, event)
    return events
  }

  /** What was used up to here: now and then, and whenever the agent tells it. */
  function tellSpent(events: AgentEvent[]): SpentSoFar | undefined {
    const isTold = events.some(({type}) => type === 'usage' || type === 'turn-end')
    const apart = (clock - begun.startedAt) / MOST_TOLD_SPENT
    if (!isTold && (events.length === 0 || clock < spentAt + apart)) return undefined
    spentAt = clock
    const pendingUsage = parser?.pendingUsage
    const {tokens, costUsd, isEstimate} = withPendingUsage(ledger, pendingUsage)
    const {input, output, cacheRead, cacheWrite} = tokens ?? NO_TOKENS
    const context = pendingUsage?.context
    const key = `${costUsd} ${input} ${output} ${cacheRead} ${cacheWrite} ${context}`
    const subAgents = tellSubAgents()
    if (key === lastSpent && subAgents === undefined) return undefined
    lastSpent = key
    return {
      context,
      costUsd: costUsd ?? null,
      isEstimate: isEstimate && costUsd !== undefined,
      input,
      output,
      cacheRead,
      cacheWrite,
      subAgents,
    }
  }

  function tellSubAgents(): SubAgentSpent[] | undefined {
    const spent: SubAgentSpent[] = []
    for (const [id, {tokens, costUsd = null}] of parser?.subAgentUsage ?? []) {
      const sum = countTokens(tokens)
      if (sum === subAgentTokens.get(id)) continue
      subAgentTokens.set(id, sum)
      spent.push({toolId: maskText(id), tokens: sum, costUsd})
    }
    return spent.length === 0 ? undefined : spent
  }
}

const NO_TOKENS: Tokens = {input: 0, output: 0, cacheRead: 0, cacheWrite: 0}

/** The first item of a run. */
export function describeStart(record: RunRecord, agent: Adapter | null, n: number): StartItem {
  const {prompt, limits, startedAt: at} = record
  const asked = prompt?.slice(0, LONGEST_PROMPT)
  const origin = describeOrigin(record, agent)
  return maskSecretsIn({type: 'start', n, at, ...origin, prompt: asked, limits})
}

function toAnswer(answer: Record<string, unknown>): Omit<AnswerItem, 'n' | 'at'> | undefined {
  const {requestId, allow, who, rule, answers, waitedMs} = answer
  if (typeof requestId !== 'string') return undefined
  return {
    type: 'answer',
    requestId,
    allow: typeof allow === 'boolean' ? allow : undefined,
    who: typeof who === 'string' ? who : undefined,
    rule: typeof rule === 'string' ? rule : undefined,
    answers: isAnswers(answers) ? answers : undefined,
    waitedMs: typeof waitedMs === 'number' ? waitedMs : undefined,
  }
}

function isAnswers(value: unknown): value is UserAnswers {
  const isTexts = (list: unknown) =>
    Array.isArray(list) && list.every((text) => typeof text === 'string')
  return Array.isArray(value) && value.every(isTexts)
}
