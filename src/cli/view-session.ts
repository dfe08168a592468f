import {createReadStream, existsSync, realpathSync} from 'node:fs'
import {setTimeout} from 'node:timers/promises'
import {transcriptFormats} from '../agents/transcripts.ts'
import {toReadable} from '../history/archive/readable.ts'
import {discoverTranscripts, thisMachine} from '../history/discover.ts'
import {decompressZstd, readCompleteFile} from '../history/read-file.ts'
import {scanTranscript} from '../history/scan.ts'
import {createSessionParser} from '../history/session-events.ts'
import {openSessionReader, type SessionRecord} from '../history/session-reader.ts'
import {groupSessions, toScannedTranscript, type Session} from '../history/sessions.ts'
import {pathOf, type Transcript} from '../history/transcripts.ts'
import {findRun} from '../recording/list-runs.ts'
import {CliError} from './cli-error.ts'
import {findSession} from './find-session.ts'
import {print} from './output.ts'
import {pace} from './pace.ts'
import {createViewer, type ViewOptions} from './viewer.ts'

/** How often files are checked for new records. */
const POLL_INTERVAL_MS = 200

/** The session to show, when a name is that of a session or of its file, and not of a run. */
export async function findViewedSession(
  name: string,
  {agent, dataDir}: Pick<ViewOptions, 'agent' | 'dataDir'>,
): Promise<Session | undefined> {
  if (name === '-' || agent !== undefined) return undefined
  if (existsSync(name)) return findSessionOfFile(name)
  return findRun(name, dataDir) === null ? findSession(name, dataDir) : undefined
}

/** The session of a transcript, when a file is one of a known agent. */
function findSessionOfFile(name: string): Session | undefined {
  const path = realpathSync(name)
  const {transcripts} = discoverTranscripts(transcriptFormats, thisMachine())
  const found = transcripts.find((transcript) => pathOf(transcript) === path)
  if (found === undefined || found.file.storage === 'database') return undefined
  const [session] = groupSessions([toScannedTranscript(found, scanTranscript(found))])
  return session
}

/** Prints a session. */
export async function viewSession(
  session: Session,
  options: ViewOptions,
  signal: AbortSignal,
): Promise<void> {
  const transcripts = session.transcripts.map(({transcript}) => transcript)
  const [main] = transcripts
  if (main === undefined) return
  if (options.format === 'raw') return printRaw(main)
  const reader = openSessionReader(transcripts)
  const {cwd, agentVersion, startedAt} = session
  const viewer = createViewer(options, {isSession: true, cwd, agentVersion, startedAt})
  let parser: ReturnType<typeof createSessionParser> | undefined
  let clock = startedAt
  let lineCount = 0
  const see = async (record: SessionRecord) => {
    lineCount++
    parser ??= createSessionParser(main.format, record.source)
    for (const event of parser.parse(record)) {
      await pace(clock, event.at, options.speed, signal)
      clock = Math.max(clock, event.at)
      viewer.see(event)
    }
    if (options.speed !== undefined || lineCount % RECORDS_PER_FLUSH === 0) await viewer.flush()
  }
  try {
    do {
      for (let next = reader.next(); next !== undefined; next = reader.next()) await see(next)
      await viewer.flush()
      if (options.follow === true)
        await setTimeout(POLL_INTERVAL_MS, undefined, {signal}).catch(() => {})
    } while (options.follow === true && !signal.aborted)
    for (const record of reader.end()) await see(record)
    for (const event of parser?.parser.end() ?? []) viewer.see(event)
    await viewer.flush()
    await viewer.end(lineCount)
  } finally {
    reader.close()
  }
}

const RECORDS_PER_FLUSH = 200

/** Prints the file of the main conversation, byte for byte. */
async function printRaw(transcript: Transcript): Promise<void> {
  const {file, format} = transcript
  if (file.storage === 'database') {
    const reader = openSessionReader([transcript])
    for (let next = reader.next(); next !== undefined; next = reader.next()) await print(next.raw)
    return reader.close()
  }
  const path = pathOf(toReadable(transcript))
  if (file.compression !== undefined) return print(decompressZstd(readCompleteFile(path)))
  try {
    for await (const chunk of createReadStream(path)) await print(chunk as Buffer)
  } catch (error) {
    throw new CliError(`${path}: cannot read the session of ${format.agent}: ${String(error)}`)
  }
}
