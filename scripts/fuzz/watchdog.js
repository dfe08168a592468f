// Detects an input that blocks the main thread: only another thread can.

import {writeSync} from 'node:fs'
import {isMainThread, Worker, workerData} from 'node:worker_threads'
import {fileURLToPath} from 'node:url'
import {writeSeed} from './seeds.js'

/** @typedef {import('./campaign.js').Input} Input */

/**
 * @typedef {object} Watchdog
 * @property {(target: string, input: Input) => void} begin Call it before an input is checked.
 * @property {() => void} end Call it afterwards.
 * @property {() => Promise<unknown>} close
 */

/** Longer than any input takes, even on a busy machine. */
const TIMEOUT_MS = 60_000
/** Longer inputs are truncated when they are saved. */
const MAX_BYTES = 1 << 22

/** Positions in the shared memory: number of inputs, whether one is being checked, lengths of its name and of its bytes. */
const [COUNT, IS_BUSY, NAME_LENGTH, LENGTH] = [0, 1, 2, 3]
const HEAD = 16
const NAME_BYTES = 256

/** @returns {Watchdog} */
export function startWatchdog() {
  const memory = new SharedArrayBuffer(HEAD + NAME_BYTES + MAX_BYTES)
  const {head, name, bytes} = splitMemory(memory)
  const worker = new Worker(fileURLToPath(import.meta.url), {workerData: memory})
  worker.unref()
  return {
    begin(target, input) {
      const length = Math.min(input.bytes.length, MAX_BYTES)
      bytes.set(input.bytes.subarray(0, length))
      const written = name.write(`${target}/${input.label}`)
      Atomics.store(head, NAME_LENGTH, written)
      Atomics.store(head, LENGTH, length)
      Atomics.add(head, COUNT, 1)
      Atomics.store(head, IS_BUSY, 1)
    },
    end: () => void Atomics.store(head, IS_BUSY, 0),
    close: () => worker.terminate(),
  }
}

/** @param {SharedArrayBuffer} memory */
function splitMemory(memory) {
  return {
    head: new Int32Array(memory, 0, HEAD / 4),
    name: Buffer.from(memory, HEAD, NAME_BYTES),
    bytes: Buffer.from(memory, HEAD + NAME_BYTES, MAX_BYTES),
  }
}

if (!isMainThread) watch(splitMemory(workerData))

/** @param {ReturnType<typeof splitMemory>} parts */
function watch({head, name, bytes}) {
  let count = 0
  let since = performance.now()
  setInterval(() => {
    const isSame = Atomics.load(head, COUNT) === count && Atomics.load(head, IS_BUSY) === 1
    if (!isSame) {
      count = Atomics.load(head, COUNT)
      since = performance.now()
    } else if (performance.now() - since > TIMEOUT_MS) saveAndKill({head, name, bytes})
  }, 1000)
}

/** @param {ReturnType<typeof splitMemory>} parts */
function saveAndKill({head, name, bytes}) {
  const [target = '', label = ''] = name.toString('utf8', 0, head[NAME_LENGTH]).split('/')
  const input = {label, bytes: Buffer.from(bytes.subarray(0, head[LENGTH]))}
  const file = writeSeed(target, input)
  // Streams of this thread are written by the main thread, which is blocked.
  writeSync(2, `fuzz: ${target} did not end within ${TIMEOUT_MS / 1000} s\n`)
  writeSync(2, `  reproduce: node scripts/fuzz.js --replay ${file}\n`)
  // The main thread is blocked, so it cannot exit by itself.
  process.kill(process.pid, 'SIGKILL')
}
