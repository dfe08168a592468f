import type {Tokens} from '../../core/events/events.ts'

/** The facts of an answer in one of its rows. */
export interface Answer {
  timestamp: string
  version: string
  model: string
  /** Identifies the request. */
  key: string
  isSidechain: boolean
  stopReason: string
  tokens: Tokens
  hourCacheWrite: number
  speed: string | undefined
  toolIds: string[]
}

/**
 * Reads what is counted from the line of an answer; `undefined` if the line has not exactly the form that version 2.1
 * writes, and must be parsed. Most of a line is content, which is skipped: parsing it takes five times as long.
 */
export function readAnswerLine(line: string): Answer | undefined {
  const head = HEAD.exec(line)
  if (head === null) return undefined
  const start = head[0].length
  TAIL.lastIndex = line.indexOf(CONTENT_END, Math.max(start, line.length - MAX_TAIL_LENGTH))
  const tail = TAIL.lastIndex === -1 ? null : TAIL.exec(line)
  if (tail === null) return undefined
  const toolIds = listCalls(line, start, tail.index)
  if (toolIds === undefined) return undefined
  const thinking = tail[6]
  return {
    timestamp: tail[10] ?? '',
    version: keepText(tail[11] ?? ''),
    model: keepText(head[3] ?? ''),
    key: copyText(`${head[2]} ${tail[9]}`),
    isSidechain: head[1] === 'true',
    stopReason: tail[1] ?? '',
    tokens: {
      input: Number(tail[2]),
      cacheWrite: Number(tail[3]),
      cacheRead: Number(tail[4]),
      output: Number(tail[5]),
      reasoning: thinking === undefined ? undefined : Number(thinking),
    },
    hourCacheWrite: Number(tail[7] ?? 0),
    speed: tail[8],
    toolIds,
  }
}

/** Whether a line has settings or a part of a request, which no list shows. */
export function isMetadata(line: string): boolean {
  return METADATA.test(line)
}

const METADATA =
  /^\{"type":"(?:api-request|atis-latch|cost-state|last-prompt|mode|permission-mode|tools-used)/

const TEXT = String.raw`"[^"\\]*"`
/** Other fields: what is read must not be among them. */
const READ =
  'cache_creation|costUSD|forkedFrom|isSidechain|message|requestId|speed|timestamp|type|usage|version'
const OTHERS = String.raw`(?:,"(?!(?:${READ})")\w+":(?:${TEXT}|[\w.-]+|\[\]|\{[^{}[\]]*\}))*`

const HEAD = new RegExp(
  String.raw`^\{"parentUuid":(?:null|${TEXT}),"isSidechain":(true|false)${OTHERS},"message":\{` +
    String.raw`"id":"([\w-]+)","type":"message","role":"assistant","model":"([\w.@:/-]+)","content":\[`,
)

const TAIL = new RegExp(
  String.raw`\],"stop_reason":(null|"\w+"),"stop_sequence":(?:null|${TEXT}),"usage":\{"input_tokens":(\d+),` +
    String.raw`"cache_creation_input_tokens":(\d+),"cache_read_input_tokens":(\d+),"output_tokens":(\d+)` +
    String.raw`(?:,"output_tokens_details":\{"thinking_tokens":(\d+)\})?${OTHERS}` +
    String.raw`(?:,"cache_creation":\{"ephemeral_1h_input_tokens":(\d+),"ephemeral_5m_input_tokens":\d+\})?${OTHERS}` +
    String.raw`(?:,"speed":"(\w+)")?${OTHERS}\}${OTHERS}\}${OTHERS},"requestId":"(\w+)"${OTHERS},"type":"assistant"` +
    String.raw`${OTHERS},"timestamp":"([\w.:-]+)"${OTHERS},"version":"([\w.-]+)"${OTHERS}\}$`,
  'y',
)

const CONTENT_END = '],"stop_reason":'
/** A line with more after its content is parsed. */
const MAX_TAIL_LENGTH = 2000
const CALL_START = '{"type":"tool_use","id":"'

/** The ids of calls in the content; `undefined` if there are several. A line nearly always has one block. */
function listCalls(line: string, start: number, end: number): string[] | undefined {
  const call = line.indexOf(CALL_START, start)
  if (call === -1 || call > end) return []
  const from = call + CALL_START.length
  const next = line.indexOf(CALL_START, from)
  if (next !== -1 && next < end) return undefined
  return [copyText(line.slice(from, line.indexOf('"', from)))]
}

/** Texts that are the same in many lines. */
const kept = new Map<string, string>()
const MAX_KEPT = 100

function keepText(text: string): string {
  const before = kept.get(text)
  if (before !== undefined) return before
  if (kept.size >= MAX_KEPT) kept.clear()
  const copy = copyText(text)
  kept.set(copy, copy)
  return copy
}

/** A part of a text keeps all of the text in memory. The copy is a part of a short one. */
function copyText(text: string): string {
  return ` ${text}`.slice(1)
}
