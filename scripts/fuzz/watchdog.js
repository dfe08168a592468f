// Sees when an input keeps the process busy without end: nothing else in it could tell.

import {writeSync} from 'node:fs'
import {isMainThread, Worker, workerData} from 'node:worker_threads'
import {fileURLToPath} from 'node:url'
import {writeSeed} from './seeds.js'

/** @typedef {import('./campaign.js').Input} Input */

/**
 * @typedef {object} Watchdog
 * @property {(target: string, input: Input) => void} begin An input is being tried.
 * @property {() => void} end It has been.
 * @property {() => Promise<unknown>} close
 */

/** Longer than any input takes, on a machine with other work too. */
const LONGEST_MS = 60_000
/** What is longer is kept up to here. */
const MOST_BYTES = 1 << 22

/** Where in the memory that both threads see something is: how many were begun, whether one is tried, how long its name and its bytes are. */
const [COUNT, IS_BUSY, NAME_LENGTH, LENGTH] = [0, 1, 2, 3]
const HEAD = 16
const NAME_BYTES = 256

/** @returns {Watchdog} */
export function startWatchdog() {
  const memory = new SharedArrayBuffer(HEAD + NAME_BYTES + MOST_BYTES)
  const {head, name, bytes} = partsOf(memory)
  const worker = new Worker(fileURLToPath(import.meta.url), {workerData: memory})
  worker.unref()
  return {
    begin(target, input) {
      const length = Math.min(input.bytes.length, MOST_BYTES)
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
function partsOf(memory) {
  return {
    head: new Int32Array(memory, 0, HEAD / 4),
    name: Buffer.from(memory, HEAD, NAME_BYTES),
    bytes: Buffer.from(memory, HEAD + NAME_BYTES, MOST_BYTES),
  }
}

if (!isMainThread) watch(partsOf(workerData))

/** @param {ReturnType<typeof partsOf>} parts */
function watch({head, name, bytes}) {
  let count = 0
  let since = performance.now()
  setInterval(() => {
    const isSame = Atomics.load(head, COUNT) === count && Atomics.load(head, IS_BUSY) === 1
    if (!isSame) {
      count = Atomics.load(head, COUNT)
      since = performance.now()
    } else if (performance.now() - since > LONGEST_MS) giveUp({head, name, bytes})
  }, 1000)
}

/** @param {ReturnType<typeof partsOf>} parts */
function giveUp({head, name, bytes}) {
  const [target = '', label = ''] = name.toString('utf8', 0, head[NAME_LENGTH]).split('/')
  const input = {label, bytes: Buffer.from(bytes.subarray(0, head[LENGTH]))}
  const file = writeSeed(target, input)
  // Streams of this thread would go through the other one, which has no time.
  writeSync(2, `fuzz: ${target} did not end within ${LONGEST_MS / 1000} s\n`)
  writeSync(2, `  again: node scripts/fuzz.js --replay ${file}\n`)
  // Whatever runs there has no end of its own.
  process.kill(process.pid, 'SIGKILL')
}
