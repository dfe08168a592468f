import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {homedir, hostname, tmpdir, userInfo} from 'node:os'
import {basename, join, resolve} from 'node:path'
import {Command} from 'commander'
import type {Adapter} from '../../core/events/adapter.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {formatCount, formatNumber} from '../../core/text/figures.ts'
import {findEventDifference} from '../../fixture/find-event-difference.ts'
import {decodeFixture, createGolden} from '../../fixture/golden.ts'
import {judgeFixture, type FixtureMeta} from '../../fixture/judge-fixture.ts'
import {isKnownId, type Finding, type PersonalData} from '../../fixture/scrub-text.ts'
import {scrubStream} from '../../fixture/scrub.ts'
import {recordingAt} from '../../recording/recording.ts'
import {CliError} from '../cli-error.ts'
import {createAgentOption, createDataDirOption} from '../common-options.ts'
import {formatAgentNames} from '../agent-names.ts'
import {findRecording, findRecordingAgent, type FoundRecording} from '../find-recording.ts'
import {collect} from '../option-values.ts'
import {print, logToStderr} from '../output.ts'

interface RecordFixtureFlags {
  out: string
  name?: string
  agent?: string
  mask?: string[]
  keepTimes?: true
  force?: true
  dataDir?: string
}

/** `vitrine record-fixture`: makes a test fixture of a run, without personal data. */
export const recordFixture: Command = new Command('record-fixture')
  .summary('make a test fixture of a run')
  .description(
    'Make a test fixture of a run: its scrubbed output, its events and its text in a terminal.',
  )
  .argument('<recording>', "id of a run, its directory, or a file with an agent's output")
  .option('-o, --out <dir>', 'directory to write to', '.')
  .option('--name <name>', 'name of the fixture (default: the run id or file name)')
  .addOption(createAgentOption())
  .option('--mask <word>', 'also mask this word; can be repeated', collect)
  .option('--keep-times', 'keep the original times (default: the run is moved to 2001-09-09)')
  .option('--force', 'replace existing files')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
It writes <name>.jsonl (output), <name>.events.ndjson (events) and <name>.txt
(terminal). For a run it also writes <name>.meta.json (command, exit code and
expected verdict) and, if there was any, <name>.stderr.

It masks known kinds of secrets, the home directory, user and host names and
e-mail addresses. The working directory becomes /home/dev/project; temporary
files and ids get new names. Everything else stays byte for byte. It fails if
scrubbing would change the kinds of events or their order.

Fixtures in src/agents/<agent>/fixtures/<version>/ of Vitrine are tests.

${formatAgentNames()}

Examples:
  vitrine record-fixture 7f3a --name odd-retry
  vitrine record-fixture run.jsonl --out test/fixtures --mask Acme
  vitrine fake-agent odd-retry.jsonl           prints it again`,
  )
  .action(async (recording: string, flags: RecordFixtureFlags) => {
    const found = findRecording(recording, flags.dataDir)
    const agent = findRecordingAgent(found, flags.agent)
    if (agent === null) {
      throw new CliError(`${recording}: unknown agent. Name one with --agent`)
    }
    const original = readFileSync(found.stdout).subarray(0, found.record?.sizes?.stdout)
    if (original.length === 0) throw new CliError(`${recording}: the output is empty`)
    const name = flags.name ?? nameOf(found)
    if (basename(name) !== name) {
      throw new CliError(`--name ${name}: not a file name. Use --out for the directory`)
    }
    const base = join(flags.out, name)
    const taken = ENDINGS.map((ending) => base + ending).find((file) => existsSync(file))
    if (taken !== undefined && flags.force !== true) {
      throw new CliError(`${taken}: already exists. Use --force to replace it, or another --name`)
    }

    const events = decodeFixture(agent, original)
    const personalData = findPersonalData(found, events, flags)
    const {bytes, counts} = scrubStream(original, personalData)
    const difference = findEventDifference(agent, original, bytes)
    if (difference !== undefined) {
      throw new CliError(
        `${recording}: the scrubbed output has different events: ${difference}. Nothing was written`,
        1,
      )
    }
    const golden = createGolden(agent, bytes)
    const files = {
      [`${base}.jsonl`]: bytes,
      [`${base}.events.ndjson`]: golden.events,
      [`${base}.txt`]: golden.text,
      ...scrubProcess({base, name, agent, stdout: bytes, found, personalData}),
    }
    write(flags.out, files)
    await print(describe(agent, Object.keys(files), events, counts))
    if (events.some(({type}) => type.endsWith('-delta'))) {
      logToStderr(
        'the output contains text deltas: a name that is split across deltas is not masked',
      )
    }
  })

const ENDINGS = ['.jsonl', '.events.ndjson', '.txt', '.meta.json', '.stderr']

/** The files about the process of a run; none without a process that has ended. */
function scrubProcess({base, name, agent, stdout, found, personalData}: ScrubbedRun): Files {
  const {record, dir} = found
  if (record?.result === undefined || dir === undefined || agent.isSession === true) return {}
  const {agentVersion: cli, ranArgv, result} = record
  const {exitCode, signal} = result
  const printed = readFileSync(recordingAt(dir).stderr).subarray(0, record.sizes?.stderr)
  const stderr = scrubStream(printed, personalData).bytes
  const command = scrubStream(Buffer.from(JSON.stringify(ranArgv)), personalData).bytes
  const argv = JSON.parse(command.toString()) as string[]
  const {verdict, reason} = judgeFixture(agent, {stdout, stderr, exitCode, signal})
  const meta: FixtureMeta = {scenario: name, cli, argv, exitCode, signal, verdict}
  if (verdict !== 'succeeded') meta.reason = reason
  return {
    [`${base}.meta.json`]: `${JSON.stringify(meta, null, 1)}\n`,
    ...(stderr.length > 0 && {[`${base}.stderr`]: stderr}),
  }
}

/** The contents of files by path. */
type Files = Readonly<Record<string, string | Uint8Array>>

interface ScrubbedRun {
  base: string
  name: string
  agent: Adapter
  stdout: Uint8Array
  found: FoundRecording
  personalData: PersonalData
}

function nameOf({stdout, record, dir}: FoundRecording): string {
  return record?.runId ?? basename(dir ?? stdout).replace(/\.(?:jsonl|ndjson|json)$/, '')
}

/** Collects names and paths from this machine, the record and the stream. */
function findPersonalData(
  {record}: FoundRecording,
  events: readonly AgentEvent[],
  {mask, keepTimes}: RecordFixtureFlags,
): PersonalData {
  const starts = events.filter((event) => event.type === 'session-start')
  const firstEventAt = events.find(({at}) => at > 0)?.at
  return {
    workFolders: unique([record?.cwd, ...starts.map(({cwd}) => cwd)]),
    homes: unique([homedir()]),
    users: unique([userName()]),
    hosts: unique([hostname(), record?.host]),
    tempFolders: unique([tmpdir()]),
    sessions: unique(starts.map(({sessionId}) => sessionId)).filter(isUnrecognizedId),
    words: unique(mask ?? []),
    beganAt: keepTimes === true ? undefined : (firstEventAt ?? record?.startedAt),
  }
}

function unique(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]
}

/** Known id formats are found without this list, and short ids would match other text. */
function isUnrecognizedId(name: string): boolean {
  return name.length >= 8 && !isKnownId(name)
}

function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // In a container the user may have no name.
    return undefined
  }
}

function write(folder: string, files: Files): void {
  try {
    mkdirSync(folder, {recursive: true})
    for (const [path, content] of Object.entries(files)) writeFileSync(path, content)
  } catch (error) {
    throw new CliError(`cannot write to ${resolve(folder)}: ${(error as Error).message}`)
  }
}

function describe(
  {id, label}: Adapter,
  files: readonly string[],
  events: readonly AgentEvent[],
  counts: ReadonlyMap<Finding, number>,
): string {
  const version = events.find((event) => event.type === 'session-start')?.agentVersion
  const masked = FINDINGS.flatMap(([finding, one, many]) => {
    const count = counts.get(finding) ?? 0
    return count === 0 ? [] : [`${formatNumber(count)} ${count === 1 ? one : many}`]
  })
  const [stream = ''] = files
  return [
    ...files,
    `Masked: ${masked.length === 0 ? 'nothing' : masked.join(', ')}.`,
    `${formatCount(events.length, 'event')} of ${label}, same kinds and order as before.`,
    `Check ${stream} before you share it: not every name can be detected.`,
    `To add it as a test, put the files into src/agents/${id}/fixtures/${version ?? '<version>'}/`,
    '',
  ].join('\n')
}

const FINDINGS: readonly (readonly [Finding, one: string, many: string])[] = [
  ['secret', 'secret', 'secrets'],
  ['word', 'word of --mask', 'words of --mask'],
  ['path', 'path', 'paths'],
  ['name', 'name', 'names'],
  ['e-mail', 'e-mail address', 'e-mail addresses'],
  ['id', 'id', 'ids'],
  ['time', 'time', 'times'],
]
