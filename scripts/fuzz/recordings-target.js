// Damaged recordings: their intact parts stay readable, and other recordings are not affected.

import assert from 'node:assert/strict'
import {execFile} from 'node:child_process'
import {existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import {promisify} from 'node:util'
import {findAgent} from '../../dist/agents/find-agent.js'
import {encodeJson} from '../../dist/core/wire/json.js'
import {maskSecretsIn} from '../../dist/secrets/mask-secrets.js'
import {exportRun} from '../../dist/export/export-run.js'
import {rebuildIndex} from '../../dist/hub/index/rebuild-index.js'
import {openRunReader} from '../../dist/replay/run-reader.js'
import {summarizeRecord} from '../../dist/replay/summarize-record.js'
import {findRun, listRuns} from '../../dist/recording/list-runs.js'
import {supervisionOf} from '../../dist/recording/supervision.js'
import {readTiming} from '../../dist/recording/timing.js'
import {attach} from '../../dist/runner/attach.js'
import {mutateBytes, mutateJson, mutateLines} from './mutate.js'
import {SCRATCH_FOLDER, writeRecording} from './test-hub.js'

/** @typedef {import('./campaign.js').Target} Target */
/** @typedef {import('./random.js').Random} Random */
/** The replaced content of a file in base64; null: the file is missing. @typedef {{file: string, bytes: string | null}} Damage */

const bin = fileURLToPath(new URL('../../dist/cli/bin.js', import.meta.url))
const execute = promisify(execFile)

const INDEX = 'index.db'
const FILES = ['run.json', 'timing.ndjson', 'answers.ndjson', 'files.ndjson', 'stdout', INDEX]
const MAX_PID = 4_194_304

let folder = ''
/** The intact files, by label and name. @type {Map<string, Buffer>} */
const intactFiles = new Map()

/** @type {Target} */
export const recordingsTarget = {
  name: 'recordings',
  share: 3,
  batch: 1,
  async open() {
    folder = mkdtempSync(join(SCRATCH_FOLDER, 'vitrine-fuzz-'))
    await createIntactFiles()
  },
  close: () => rmSync(folder, {recursive: true, force: true}),
  seeds: () => [
    {label: 'over', bytes: Buffer.from('[]')},
    {label: 'left', bytes: Buffer.from('[]')},
    ...FILES.map((file) => ({label: 'over', bytes: pack([{file, bytes: null}])})),
  ],
  mutate(input, _, random) {
    const damages = unpack(input.bytes)
    for (let times = 1 + random.below(2); times > 0; times--) {
      // Checking the index takes longest.
      const file = random.chance(0.03) ? INDEX : random.pick(['run.json', ...FILES.slice(0, -1)])
      const before = damages.find((damage) => damage.file === file)
      const bytes = before === undefined ? readIntact(input.label, file) : decode(before)
      const after = random.chance(0.05) ? null : mutateFile(file, bytes, random).toString('base64')
      if (before === undefined) damages.push({file, bytes: after})
      else before.bytes = after
    }
    return {label: input.label, bytes: pack(damages)}
  },
  async check({label, bytes}, random) {
    const dataDir = mkdtempSync(join(folder, 'data-'))
    try {
      writeRecording(join(dataDir, 'runs', 'good'), true)
      const dir = join(dataDir, 'runs', label)
      writeRecording(dir, label === 'over')
      for (const damage of unpack(bytes)) applyDamage(dataDir, dir, damage)
      await checkFolder(dataDir, label, random)
    } finally {
      rmSync(dataDir, {recursive: true, force: true})
    }
  },
}

async function createIntactFiles() {
  const dataDir = join(folder, 'intact')
  for (const label of ['over', 'left']) {
    writeRecording(join(dataDir, 'runs', label), label === 'over')
  }
  await rebuildIndex({dataDir})
  for (const file of FILES) {
    for (const label of ['over', 'left']) {
      const path = file === INDEX ? join(dataDir, file) : join(dataDir, 'runs', label, file)
      intactFiles.set(`${label}/${file}`, readFileSync(path))
    }
  }
}

/**
 * @param {string} label
 * @param {string} file
 */
function readIntact(label, file) {
  return intactFiles.get(`${label}/${file}`) ?? Buffer.alloc(0)
}

/**
 * @param {string} file
 * @param {Buffer} bytes
 * @param {Random} random
 */
function mutateFile(file, bytes, random) {
  if (file === INDEX || random.chance(0.2)) return mutateBytes(bytes, bytes, random)
  if (file !== 'run.json') return mutateLines(bytes, bytes, random)
  return Buffer.from(mutateJson(bytes.toString(), bytes.toString(), random))
}

/**
 * @param {string} dataDir
 * @param {string} dir
 * @param {Damage} damage
 */
function applyDamage(dataDir, dir, damage) {
  const path = damage.file === INDEX ? join(dataDir, damage.file) : join(dir, damage.file)
  if (!FILES.includes(damage.file)) return
  if (damage.bytes === null) rmSync(path, {force: true})
  else writeFileSync(path, decode(damage))
}

/**
 * @param {string} dataDir
 * @param {string} label
 * @param {Random} random
 */
async function checkFolder(dataDir, label, random) {
  const listed = listRuns(dataDir)
  assert(
    listed.some(({record}) => record.runId === 'good'),
    'the other run is not listed',
  )
  await checkList(dataDir)
  const run = findRun(label, dataDir)
  readTiming(join(dataDir, 'runs', label, 'timing.ndjson'))
  if (run !== null) {
    supervisionOf(run.record)
    readRun(run)
    if (random.chance(0.1)) {
      const page = {version: '0', isFull: false, write: async () => {}, onProgress() {}}
      await exportRun(run, page)
    }
    if (random.chance(0.05) && hasNoProcess(run.record)) {
      await attach({runId: label, dataDir}).result
    }
  }
  if (existsSync(join(dataDir, INDEX)) || random.chance(0.01)) {
    const {runs: count} = await rebuildIndex({dataDir})
    assert.equal(count, listRuns(dataDir).length, 'a run is missing in the index')
  }
}

/** @param {string} dataDir */
async function checkList(dataDir) {
  const args = [bin, 'runs', '--data-dir', dataDir]
  const [{stdout}] = await Promise.all([
    execute(process.execPath, args),
    execute(process.execPath, [...args, '--json']),
  ])
  assert.match(stdout, /^good\s/m)
}

/** @param {import('../../dist/runner/index.js').RecordedRun} run */
function readRun({dir, record}) {
  const agent = record.agent === null ? null : findAgent(record.agent)
  encodeJson(maskSecretsIn(summarizeRecord(record, agent)))
  const reader = openRunReader(dir, record, {agent})
  let seq = 0
  let n = 0
  for (let isMore = true; isMore;) {
    const read = reader.advance()
    ;({isMore} = read)
    for (const message of read.messages) {
      // Thinking has the number of the message before it.
      const isNumbered = message.type !== 'agent_thinking'
      assert.equal(message.seq, isNumbered ? ++seq : seq, 'a message is missing')
      encodeJson(maskSecretsIn(message))
    }
    for (const {item} of [...read.items, ...(isMore ? [] : reader.settle())]) {
      assert.equal(item.n, ++n, 'an item is missing')
      encodeJson(item)
    }
  }
  assert.equal(reader.isOver, record.result !== undefined, 'the end was not reached')
  encodeJson(maskSecretsIn(reader.summarize(1_700_000_100_000)))
  reader.closeFiles()
}

/**
 * Whether a record names no process that may exist: `attach` must not terminate other processes.
 *
 * @param {{process?: {pid: number} | undefined, supervisor: {pid: number}}} record
 */
function hasNoProcess({process: agent, supervisor}) {
  return (agent?.pid ?? MAX_PID + 1) > MAX_PID && supervisor.pid > MAX_PID
}

/** @param {Damage[]} damages */
function pack(damages) {
  return Buffer.from(`[\n${damages.map((damage) => JSON.stringify(damage)).join(',\n')}\n]\n`)
}

/**
 * @param {Buffer} bytes
 * @returns {Damage[]}
 */
function unpack(bytes) {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return []
  }
}

/** @param {Damage} damage */
function decode({bytes}) {
  return Buffer.from(bytes ?? '', 'base64')
}
