import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {homedir, hostname, tmpdir, userInfo} from 'node:os'
import {basename, join, resolve} from 'node:path'
import {Command} from 'commander'
import {agents} from '../../agents/list.ts'
import type {Adapter} from '../../core/events/adapter.ts'
import type {AgentEvent} from '../../core/events/events.ts'
import {formatCount, formatNumber} from '../../core/text/figures.ts'
import {compareEvents} from '../../fixture/compare-events.ts'
import {decodeFixture, makeGolden} from '../../fixture/golden.ts'
import {isKnownId, type Finding, type Traces} from '../../fixture/scrub-text.ts'
import {scrubStream} from '../../fixture/scrub.ts'
import {CliError} from '../cli-error.ts'
import {findRecording, type FoundRecording} from '../find-recording.ts'
import {guessAgent} from '../guess-agent.ts'
import {print, remark} from '../output.ts'
import {requireAgent} from '../require-agent.ts'

interface RecordFixtureFlags {
  out: string
  name?: string
  agent?: string
  mask: string[]
  keepTimes?: true
  force?: true
  dataDir?: string
}

/** `vitrine record-fixture`: a run as a test, with nobody's name in it. */
export const recordFixture: Command = new Command('record-fixture')
  .description('make a test of a run: what it printed, scrubbed, and what becomes of it')
  .argument('<recording>', "the id of a run, the folder of one, or a file of an agent's output")
  .option('-o, --out <folder>', 'where to write', '.')
  .option('--name <name>', 'what to call it (as the run or the file is called)')
  .option('-a, --agent <name>', 'whose output it is (found out by default)')
  .option(
    '--mask <word>',
    'a word to mask besides, such as a customer; can be repeated',
    collect,
    [],
  )
  .option('--keep-times', 'leave times as they are; else it begins on 2001-09-09')
  .option('--force', 'replace files that are there')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Writes three files: <name>.jsonl is what the agent printed, <name>.events.ndjson the events that Vitrine sees
in it, <name>.txt how it shows them.

Masked are secrets that are known for what they are, the home folder and the names of user and host, e-mail
addresses. The work folder becomes /home/dev/project; temporary files, UUIDs and the like get other names, the
same for the same. Everything else stays, byte for byte: lines that are broken, fields that nobody knows.
It fails when the scrubbed stream has not the same kinds of events in the same order.

In src/agents/<agent>/fixtures/<version>/ of Vitrine it is a test as it is.

Agents: ${agents.map(({id}) => id).join(' ')}

Examples:
  vitrine record-fixture 7f3a --name odd-retry
  vitrine record-fixture run.jsonl --out test/fixtures --mask Acme
  vitrine fake-agent odd-retry.jsonl              prints it again`,
  )
  .action(async (recording: string, flags: RecordFixtureFlags) => {
    const found = findRecording(recording, flags.dataDir)
    const agent = flags.agent === undefined ? guessAgent(found) : requireAgent(flags.agent)
    if (agent === null) {
      throw new CliError(`${recording}: no agent is known to print this. Name one with --agent`)
    }
    const original = readFileSync(found.stdout).subarray(0, found.record?.sizes?.stdout)
    if (original.length === 0) throw new CliError(`${recording}: empty. Nothing to make a test of`)
    const name = flags.name ?? nameOf(found)
    if (basename(name) !== name) {
      throw new CliError(`--name ${name}: not the name of a file. --out says in which folder`)
    }
    const base = join(flags.out, name)
    const files = [`${base}.jsonl`, `${base}.events.ndjson`, `${base}.txt`] as const
    const taken = files.find((file) => existsSync(file))
    if (taken !== undefined && flags.force !== true) {
      throw new CliError(`${taken}: is there already. --force replaces it, --name names another`)
    }

    const events = decodeFixture(agent, original)
    const {bytes, counts} = scrubStream(original, findTraces(found, events, flags))
    const difference = compareEvents(agent, original, bytes)
    if (difference !== undefined) {
      throw new CliError(
        `${recording}: scrubbed, it has other events: ${difference}. Nothing written`,
        1,
      )
    }
    const golden = makeGolden(agent, bytes)
    write(flags.out, [
      [files[0], bytes],
      [files[1], golden.events],
      [files[2], golden.text],
    ])
    await print(describe(agent, files, events, counts))
    if (events.some(({type}) => type.endsWith('-delta'))) {
      remark('this stream has texts in pieces; a name that is cut in two is not found')
    }
  })

function collect(word: string, before: string[]): string[] {
  return [...before, word]
}

function nameOf({stdout, record, dir}: FoundRecording): string {
  return record?.runId ?? basename(dir ?? stdout).replace(/\.(?:jsonl|ndjson|json)$/, '')
}

/** What this machine, the record and the stream tell of where it was. */
function findTraces(
  {record}: FoundRecording,
  events: readonly AgentEvent[],
  {mask, keepTimes}: RecordFixtureFlags,
): Traces {
  const starts = events.filter((event) => event.type === 'session-start')
  const told = events.find(({at}) => at > 0)?.at
  return {
    workFolders: unique([record?.cwd, ...starts.map(({cwd}) => cwd)]),
    homes: unique([homedir()]),
    users: unique([userName()]),
    hosts: unique([hostname(), record?.host]),
    tempFolders: unique([tmpdir()]),
    sessions: unique(starts.map(({sessionId}) => sessionId)).filter(isTellingId),
    words: unique(mask),
    beganAt: keepTimes === true ? undefined : (told ?? record?.startedAt),
  }
}

function unique(texts: readonly (string | undefined)[]): string[] {
  return [...new Set(texts.filter((text) => text !== undefined && text !== ''))] as string[]
}

/** Others are found by how they look, or are so short that they would be found everywhere. */
function isTellingId(name: string): boolean {
  return name.length >= 8 && !isKnownId(name)
}

function userName(): string | undefined {
  try {
    return userInfo().username
  } catch {
    // A container may have users without a name.
    return undefined
  }
}

function write(folder: string, files: readonly (readonly [string, string | Uint8Array])[]): void {
  try {
    mkdirSync(folder, {recursive: true})
    for (const [path, content] of files) writeFileSync(path, content)
  } catch (error) {
    throw new CliError(`${resolve(folder)}: cannot write there: ${(error as Error).message}`)
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
    `${formatCount(events.length, 'event')} of ${label}, of the same kinds in the same order as before.`,
    `Look through ${stream} before you share it: not every name is known for one.`,
    `In src/agents/${id}/fixtures/${version ?? '<version>'}/ of Vitrine it is a test.`,
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
