import {Command, Option} from 'commander'
import {createEventDecoder} from '../../core/events/event-parser.ts'
import {initialRunState} from '../../core/run/run-state.ts'
import {judgeRun} from '../../core/run/verdict.ts'
import {escapeControls} from '../../core/text/text.ts'
import {createLineDecoder} from '../../core/wire/lines.ts'
import {AGENT_HINT, formatAgentNames} from '../agent-names.ts'
import {createPassThrough} from '../ci-filter.ts'
import {
  createAgentOption,
  createDataDirOption,
  createNoTextOption,
  createVerboseOption,
} from '../common-options.ts'
import {labelOf, openInput, type Input, type InputChunk} from '../input.ts'
import {parseMoment, parseSpeed} from '../option-values.ts'
import {logToStderr, print} from '../output.ts'
import {pace} from '../pace.ts'
import {findViewedSession, viewSession} from '../view-session.ts'
import {createViewer, describeRun, reportVerdict, type ViewOptions} from '../viewer.ts'

/** `vitrine view`: prints the output of an agent, one line per step. */
export const view: Command = new Command('view')
  .summary("show a run, a session, or an agent's output")
  .description("Show a recorded run, a session, or an agent's output, one line per step.")
  .argument('[file]', "file with an agent's output, id of a run or session, or - for stdin", '-')
  .addOption(
    new Option(
      '-f, --format <format>',
      'pretty: readable lines; json: one event per line; raw: the input, byte for byte',
    )
      .choices(['pretty', 'json', 'raw'])
      .default('pretty'),
  )
  .addOption(createAgentOption())
  .option('--verdict', 'print the verdict as a last line of JSON')
  .option('--exit-code', 'exit with the code of the verdict')
  .option('--follow', 'wait for more output at the end of the file, until Ctrl-C')
  .option(
    '--speed <factor>',
    'replay at this speed: 1 is the original speed, 10 is ten times as fast',
    parseSpeed,
  )
  .option('--at <time>', 'start at a time since the beginning, such as 9:12 or 90s', parseMoment)
  .addOption(createVerboseOption())
  .addOption(createNoTextOption())
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
${formatAgentNames()}

Exit codes with --exit-code:
  0 succeeded   1 failed or truncated   2 unknown agent   124 timed out
  125 over budget or stuck   130 stopped

Examples:
  vitrine view 7f3a                            a recorded run
  vitrine view s91c --follow                   a session, as it is written
  vitrine view --format json run.jsonl | jq .  one event per line
  codex exec --json "Fix the tests" | vitrine view --verdict`,
  )
  .action(async (file: string, options: ViewOptions) => {
    const interrupt = new AbortController()
    const {signal} = interrupt
    const session = await findViewedSession(file, options)
    if (session !== undefined) {
      if (options.follow === true) process.once('SIGINT', () => interrupt.abort())
      return viewSession(session, options, signal)
    }
    const input = await openInput(file, {...options, signal})
    const {agent, chunks, writtenAt, run} = input
    if (options.follow === true) process.once('SIGINT', () => interrupt.abort())
    if (agent === null) return viewText(file, input, options)
    // In a file, a line without a timestamp has the time of the line before it.
    let clock = run?.record.startedAt ?? writtenAt
    let lastByte: number | undefined
    const decoder = createEventDecoder(agent, {
      now: () => clock ?? Date.now(),
      maxLineBytes: run?.record.limits?.maxLineBytes,
    })
    const viewer = createViewer(options, {run})
    for await (const {bytes, at} of chunks) {
      // Recorded arrival times take precedence over timestamps in the lines.
      if (clock !== undefined && at !== undefined) {
        await pace(clock, at, options.speed, signal)
        clock = at
      }
      if (options.format === 'raw') {
        await print(bytes)
        lastByte = bytes.at(-1)
      }
      for (const event of decoder.push(bytes)) {
        if (clock !== undefined) await pace(clock, event.at, options.speed, signal)
        clock &&= event.at
        viewer.see(event)
        if (options.speed !== undefined) await viewer.flush()
      }
      await viewer.flush()
    }
    for (const event of decoder.end()) viewer.see(event)
    await viewer.flush()
    // The input may end without a newline.
    if (options.verdict === true && lastByte !== undefined && lastByte !== NEWLINE)
      await print('\n')
    await viewer.end(decoder.lineCount)
    // A pending read of a pipe would keep the process alive.
    if (signal.aborted) process.exit()
  })

const NEWLINE = 0x0a

/** Shows the output of an unknown agent. */
async function viewText(
  file: string,
  {chunks, hasRecords, run}: Input,
  options: ViewOptions,
): Promise<void> {
  if (run === undefined) warnAboutUnknownInput(file, hasRecords)
  if (options.format === 'raw') for await (const {bytes} of chunks) await print(bytes)
  // The user's own text stays as it is in a pipe; a recording may come from elsewhere.
  else await passThrough(chunks, process.stdout.isTTY || run !== undefined)
  if (run === undefined) return
  if (options.format === 'pretty') await print(describeRun(run, options.verbose))
  const facts = {exitCode: null, signal: null, isUnknownAgent: true}
  const judged = run.record.result ?? judgeRun(initialRunState, facts)
  await reportVerdict(judged, initialRunState, 0, options)
}

function warnAboutUnknownInput(file: string, hasRecords: boolean): void {
  process.exitCode = 2
  logToStderr(
    hasRecords
      ? `${labelOf(file)}: unknown agent, shown unchanged. To parse it, use ${AGENT_HINT}`
      : `${labelOf(file)}: plain text without events, shown unchanged. ${EVENTS_HINT}`,
  )
}

const EVENTS_HINT =
  'To get events, add the flags that vitrine agents lists, or start the agent with vitrine run'

/** Prints the output of an unknown agent, escaped or byte for byte. */
async function passThrough(chunks: AsyncIterable<InputChunk>, isEscaped: boolean): Promise<void> {
  const lines = createLineDecoder((line) => `${escapeControls(line.trimEnd())}\n`)
  const filter = createPassThrough(1)
  for await (const {bytes} of chunks) {
    await print(filter.push(isEscaped ? Buffer.from(lines.push(bytes).join('')) : bytes))
  }
  if (isEscaped) await print(filter.push(Buffer.from(lines.end().join(''))))
  await print(filter.end())
}
