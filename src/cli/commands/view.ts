import {Command, InvalidArgumentError, Option} from 'commander'
import {agents} from '../../agents/index.ts'
import {
  createEventDecoder,
  initialRunState,
  judgeStream,
  reduceRunState,
  type AgentEvent,
  type EventDecoder,
  type RunState,
} from '../../core/index.ts'
import {formatCount} from '../../terminal/figures.ts'
import {openInput} from '../input.ts'
import {createStdoutFormatter, print, remark} from '../output.ts'

interface ViewOptions {
  format: 'pretty' | 'json' | 'raw'
  agent?: string
  verdict?: true
  follow?: true
  speed?: number
  verbose: number
  text: boolean
}

/** `vitrine view`: what an agent did, a line for each step. */
export const view: Command = new Command('view')
  .description('show what an agent printed, a line for each step')
  .argument('[file]', "a recording of an agent's output, or - for stdin", '-')
  .addOption(
    new Option('-f, --format <format>', 'lines for people, events as JSON, or the input as it came')
      .choices(['pretty', 'json', 'raw'])
      .default('pretty'),
  )
  .option('-a, --agent <name>', `whose output it is (found out by default)`)
  .option('--verdict', 'end with a line of JSON on how it ended')
  .option('--follow', 'wait for more at the end of the file, until Ctrl-C')
  .option(
    '--speed <factor>',
    'replay by the times the agent tells: 1 as it was, 10 faster',
    parseSpeed,
  )
  .option(
    '-v, --verbose',
    'more: thoughts, whole texts, output of tools; -vv all of it',
    (_, n) => n + 1,
    0,
  )
  .option('--no-text', 'leave out what the agent says')
  .addHelpText(
    'after',
    `
Agents: ${agents.map(({id}) => id).join(' ')}

Examples:
  vitrine view run.jsonl
  vitrine view -v run.jsonl                       with thoughts and output
  vitrine view --format json run.jsonl | jq .     one event per line
  claude -p "Fix the tests" --output-format stream-json --verbose | vitrine view
  codex exec --json "Fix the tests" | vitrine view --verdict`,
  )
  .action(async (file: string, options: ViewOptions) => {
    const interrupt = new AbortController()
    if (options.follow === true) process.once('SIGINT', () => interrupt.abort())
    const {signal} = interrupt
    const {agent, chunks, writtenAt} = await openInput(file, {...options, signal})
    if (agent === null) {
      await passThrough(file, chunks)
      return
    }
    // In a file a line without a time of its own is as old as the line before it.
    let clock = writtenAt
    const decoder = createEventDecoder(agent, {now: () => clock ?? Date.now()})
    const viewer = createViewer(options, decoder)
    for await (const chunk of chunks) {
      for (const event of decoder.push(chunk)) {
        if (clock !== undefined) await pace(clock, event.at, options.speed, signal)
        clock &&= event.at
        viewer.see(event)
        if (options.speed !== undefined) await viewer.flush()
      }
      if (options.format === 'raw') await print(chunk)
      await viewer.flush()
    }
    for (const event of decoder.end()) viewer.see(event)
    await viewer.end()
  })

function parseSpeed(value: string): number {
  const speed = Number(value)
  if (speed > 0) return speed
  throw new InvalidArgumentError('It must be a number above 0.')
}

/** Waits as long as the agent took from one event to the next. */
async function pace(
  before: number,
  at: number,
  speed: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (speed === undefined || at <= before) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, (at - before) / speed)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** Shows events one way or the other, and knows in the end how it ended. */
function createViewer({format, verdict, verbose, text}: ViewOptions, decoder: EventDecoder) {
  const formatter = createStdoutFormatter({verbose, text})
  let state: RunState = initialRunState
  let out = ''
  return {
    see(event: AgentEvent): void {
      state = reduceRunState(state, event)
      if (format === 'json') out += `${JSON.stringify(event)}\n`
      else if (format === 'pretty' && event.type === 'malformed') remark(describeMalformed(event))
      else if (format === 'pretty') out += formatter.format(event)
    },
    async flush(): Promise<void> {
      const lines = out
      out = ''
      await print(lines)
    },
    async end(): Promise<void> {
      const judged = judgeStream(state)
      if (format === 'pretty') {
        out += formatter.end()
        if (judged.verdict === 'truncated') out += `[vitrine] Truncated: ${judged.reason}\n`
        const unknown = state.unknownCount
        if (unknown > 0) {
          const records = formatCount(unknown, 'record')
          remark(`${records} of a kind this version does not know. vitrine drift lists them`)
        }
      }
      if (verdict === true) {
        const {costUsd = null, turns, malformedCount: malformed, unknownCount: unknown} = state
        const line = {
          type: 'verdict',
          ...judged,
          costUsd,
          turns,
          lines: decoder.lineCount,
          malformed,
          unknown,
        }
        out += `${JSON.stringify(line)}\n`
      }
      await this.flush()
    },
  }
}

function describeMalformed({
  line,
  raw,
  reason,
  size,
}: Extract<AgentEvent, {type: 'malformed'}>): string {
  const bytes = formatCount(size, 'byte')
  if (reason === 'line-too-long') return `line ${line}: too long (${bytes}). Skipped; going on`
  const isCut = raw.startsWith('{') && !raw.endsWith('\n')
  const how = isCut ? `ends in the middle, ${bytes}` : bytes
  return `line ${line}: not JSON (${how}). Kept as malformed; going on`
}

async function passThrough(file: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  const names = agents.map(({id}) => id).join('|')
  const label = file === '-' ? 'stdin' : file
  process.exitCode = 2
  let isFirst = true
  for await (const chunk of chunks) {
    if (isFirst && chunk.includes(0)) {
      return remark(`${label}: binary, not the output of an agent. Name a recording (JSONL)`)
    }
    if (isFirst) {
      remark(
        `${label}: no agent is known to print this; showing it as it is. Name one with --agent ${names}`,
      )
    }
    isFirst = false
    await print(chunk)
  }
}
