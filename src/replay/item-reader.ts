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
import {maskText, showEvents, showRecord, toTextEvent} from './show-events.ts'
import {SLIM} from './slim-event.ts'

/** Reads the recording of a run as items, which depend on the recording alone and not on the reader. */
export interface ItemReader {
  /** Whether the last item has been returned. */
  readonly isOver: boolean
  /** How many bytes of stdout have been read. */
  readonly bytesRead: number
  /**
   * Reads new data, for a few milliseconds at most.
   *
   * @returns The new items, and whether more can be read now.
   */
  advance(): {items: RunItem[]; isMore: boolean}
  /** Returns items that are held back because a secret could start in them; that part is masked. */
  settle(): RunItem[]
  /** Makes the next `advance` read the run record again. */
  refreshRecord(): void
  /** Closes the files; the next `advance` opens them again. */
  closeFiles(): void
}

export interface ItemReaderOptions {
  agent: Adapter | null
  /**
   * Leaves out items up to this number, because the client has them.
   *
   * @defaultValue 0
   */
  since?: number | undefined
  /** Whether to include permission requests and their answers. */
  mayAnswer: boolean
  /** Selects lines to return in full instead of items. */
  wanted?: {has(line: number): boolean; take(record: FullRecord): void} | undefined
  open?: ((path: string) => ByteSource) | undefined
}

const MAX_ITEMS = 1000
const MAX_PROMPT_LENGTH = 10_000
const NEWLINE = 0x0a
/** A chart shows no more points than this, and adding up pending usage takes time. */
const MAX_USAGE_REPORTS = 400

export function openItemReader(
  dir: string,
  initialRecord: RunRecord,
  {agent, since = 0, mayAnswer, wanted, open}: ItemReaderOptions,
): ItemReader {
  let clock = initialRecord.startedAt
  let n = 0
  const items: RunItem[] = []
  let line = 0
  let bytesRead = 0
  let lineStart = 0
  /** Where the lines end that are about to be decoded. */
  let ends: number[] = []
  let ledger = initialLedger
  let lastReportKey = ''
  let reportedAt = 0
  /** Last reported tokens of each sub-agent. */
  const subAgentTokens = new Map<string, number>()
  const parser = agent === null ? null : createEventParser(agent, {now: () => clock})
  const lines = createLineDecoder(readLine, initialRecord.limits)
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
      const item = parseAnswer(answer)
      if (item === undefined) return
      // Every client counts it, so that item numbers are the same for all.
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
  const walk = walkRecording(dir, initialRecord, visitor, open)
  const isFull = () => items.length >= MAX_ITEMS

  return {
    get isOver() {
      return walk.isOver
    },
    get bytesRead() {
      return bytesRead
    },
    advance() {
      if (n === 0) add(describeStart(initialRecord, agent, ++n))
      const isMore = walk.advance(isFull)
      return {items: items.splice(0), isMore}
    },
    settle() {
      masker.flush(true)
      return items.splice(0)
    },
    refreshRecord: walk.refreshRecord,
    closeFiles: walk.closeFiles,
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
    const events =
      parser === null ? [toTextEvent(raw, line, clock)] : count(parser.parse(raw, flaw))
    n++
    if (wanted !== undefined) {
      const at = line
      return masker.push(raw, events, (shown) => {
        if (wanted.has(at)) wanted.take(showRecord(at, shown.raw, shown.events, mayAnswer))
      })
    }
    const spent = reportUsage(events)
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

  /** Reports the usage of the run so far: at intervals, and whenever the agent reports usage. */
  function reportUsage(events: AgentEvent[]): SpentSoFar | undefined {
    const isReported = events.some(({type}) => type === 'usage' || type === 'turn-end')
    const intervalMs = (clock - initialRecord.startedAt) / MAX_USAGE_REPORTS
    if (!isReported && (events.length === 0 || clock < reportedAt + intervalMs)) return undefined
    reportedAt = clock
    const pendingUsage = parser?.pendingUsage
    const {tokens, costUsd, isEstimate} = withPendingUsage(ledger, pendingUsage)
    const {input, output, cacheRead, cacheWrite} = tokens ?? NO_TOKENS
    const context = pendingUsage?.context
    const key = `${costUsd} ${input} ${output} ${cacheRead} ${cacheWrite} ${context}`
    const subAgents = reportSubAgentUsage()
    if (key === lastReportKey && subAgents === undefined) return undefined
    lastReportKey = key
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

  function reportSubAgentUsage(): SubAgentSpent[] | undefined {
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

/** Describes the first item of a run. */
export function describeStart(record: RunRecord, agent: Adapter | null, n: number): StartItem {
  const {prompt, limits, startedAt: at} = record
  const shownPrompt = prompt?.slice(0, MAX_PROMPT_LENGTH)
  const origin = describeOrigin(record, agent)
  return maskSecretsIn({type: 'start', n, at, ...origin, prompt: shownPrompt, limits})
}

function parseAnswer(answer: Record<string, unknown>): Omit<AnswerItem, 'n' | 'at'> | undefined {
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
