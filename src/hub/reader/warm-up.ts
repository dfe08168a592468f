import {join} from 'node:path'
import {setImmediate} from 'node:timers/promises'
import type {Adapter} from '../../core/events/adapter.ts'
import {maskSecrets} from '../../secrets/mask-secrets.ts'
import {recordingAt} from '../../recording/recording.ts'
import type {RunRecord} from '../../recording/run-record.ts'
import type {ByteSource} from '../../recording/read/byte-source.ts'
import {nullSink} from './message-sink.ts'
import {createRunPublisher} from './run-publisher.ts'
import {openRunReader} from '../../replay/message-reader.ts'

/** Options of {@link warmUp}. */
export interface WarmUpOptions {
  dataDir: string
  findAgent(id: string): Adapter | null
  /** Checked every few milliseconds. */
  mayContinue(): boolean
}

/** How often the run is read: more does not make it faster. */
const REPETITIONS = 60
const TURNS = 40
/** How many lines arrive at once. */
const CHUNK_LINES = 5

/**
 * Replays a synthetic run to warm up the JIT, so that the first real runs are read at full speed.
 *
 * @returns How many messages it built.
 */
export async function warmUp({dataDir, findAgent, mayContinue}: WarmUpOptions): Promise<number> {
  const runsDir = join(dataDir, 'runs')
  const record = createRecord()
  const agent = findAgent(AGENT)
  // The folder does not exist.
  const dir = join(runsDir, record.runId)
  const {stdout, timing} = recordingAt(dir)
  const {output, times} = createFiles()
  const timed = createMemorySource(times.join(''))
  const files = new Map([
    [stdout, createMemorySource(output)],
    [timing, timed],
  ])
  const open = (path: string) => files.get(path) ?? createMemorySource('')
  const publisher = createRunPublisher({runsDir, sink: nullSink, findAgent, onError() {}})
  let count = 0
  for (let time = 0; time < REPETITIONS; time++) {
    const reader = openRunReader(dir, record, {agent, mask: maskSecrets, open})
    timed.size = 0
    for (const chunk of times) {
      timed.size += chunk.length
      for (let isMore = true; isMore;) {
        await setImmediate()
        if (!mayContinue()) return count
        const read = reader.advance()
        count += read.messages.length
        publisher.publishMessages(reader, read.messages, {knownSeq: 0, isOld: false})
        ;({isMore} = read)
      }
      publisher.publishState(reader)
    }
  }
  return count
}

/** A run record as it is read. */
function createRecord(): RunRecord {
  const argv = [AGENT, '-p', PROMPT]
  const noProcess = {pid: 0, startTime: ''}
  const record: RunRecord = {
    version: 1,
    runId: '.warm-up',
    argv,
    ranArgv: argv,
    cwd: '/',
    agent: AGENT,
    agentVersion: '0.0.0',
    prompt: PROMPT,
    startedAt: STARTED_AT,
    marker: '',
    process: noProcess,
    supervisor: noProcess,
    host: '',
    isWatched: true,
    limits: {onStuck: 'warn'},
  }
  return JSON.parse(JSON.stringify(record)) as RunRecord
}

/** The agent of the synthetic run; everything after its translator is the same for all agents. */
const AGENT = 'claude'
const MODEL = 'claude-opus-4-5'
const PROMPT = 'Read the notes and say what is in them.'
const STARTED_AT = Date.UTC(2026, 0, 1)
const NOTE = '1\tThe case is of glass – 玻璃 –, so that all can look in.\n'

/** All lines of the run with their times, in chunks, as a growing run is read. */
function createFiles(): {output: string; times: string[]} {
  let output = ''
  const times: string[] = []
  let chunk = ''
  let size = 0
  for (const [at, record] of listRecords().entries()) {
    const line = `${JSON.stringify(record)}\n`
    size += Buffer.byteLength(line)
    output += line
    chunk += `[${STARTED_AT + at},"out",${size}]\n`
    if (at % CHUNK_LINES > 0) continue
    times.push(chunk)
    chunk = ''
  }
  return {output, times}
}

/** Records with the fields of Claude Code, in their order; old versions have fewer. */
function listRecords(): object[] {
  const ids = {session_id: '', uuid: ''}
  const init = {type: 'system', subtype: 'init', cwd: '/', session_id: '', tools: ['Bash', 'Read']}
  const records: object[] = [{...init, model: MODEL, permissionMode: 'default', uuid: ''}]
  for (let turn = 0; turn < TURNS; turn++) {
    const isNew = turn % 2 === 0
    const failed = turn % 3 === 0
    const notes = NOTE.repeat(1 + (turn % 20))
    const id = `toolu_${turn}`
    const nextId = `${id}_next`
    addAssistant({type: 'text', text: notes})
    addAssistant({type: 'tool_use', id, name: 'Read', input: {file_path: '/notes.md'}})
    addToolResult({tool_use_id: id, type: 'tool_result', content: notes}, {type: 'text'})
    addAssistant({
      type: 'tool_use',
      id: nextId,
      name: 'Bash',
      input: {command: 'cat notes.md', description: 'Read'},
    })
    addToolResult(
      {tool_use_id: nextId, type: 'tool_result', content: NOTE, is_error: failed},
      {stdout: NOTE},
    )

    function addAssistant(block: object): void {
      const stop = {stop_reason: null, stop_sequence: null}
      const input = {input_tokens: 3, cache_creation_input_tokens: 0, cache_read_input_tokens: 9}
      const cache = {ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0}
      const tier = {service_tier: 'standard', ...(isNew && {inference_geo: ''})}
      const usage = {...input, ...(isNew && {cache_creation: cache}), output_tokens: 5, ...tier}
      const head = {id: `msg_${turn}`, type: 'message', role: 'assistant', model: MODEL}
      const message = {...head, content: [block], ...stop, usage}
      add('assistant', isNew ? {...message, context_management: null} : message, {request_id: ''})
    }

    function addToolResult(block: object, result: object): void {
      add('user', {role: 'user', content: [block]}, {tool_use_result: result})
    }

    function add(type: string, message: object, rest: object): void {
      const record = {type, message, parent_tool_use_id: null, ...ids}
      const timestamp = '2026-01-01T00:00:00.000Z'
      records.push(isNew ? {...record, timestamp, ...rest} : record)
    }
  }
  return records
}

/** A byte source in memory that grows. */
function createMemorySource(text: string): ByteSource & {size: number} {
  const bytes = Buffer.from(text)
  const held = {
    size: bytes.length,
    read: (into: Buffer, position: number) =>
      position < held.size ? bytes.copy(into, 0, position, held.size) : 0,
    close() {},
  }
  return held
}
