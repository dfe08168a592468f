import type {Worker} from 'node:worker_threads'
import type {Intake, IntakeOptions} from './indexer.ts'
import type {Counts, FromIntake, IntakeData, Question, ToIntake} from './indexer-protocol.ts'
import {createThread} from '../threads.ts'

/** A thread that ends sooner than this would do so again, and is not started again. */
const SHORTEST_LIFE_MS = 1000
/** To read of many runs in one go costs less than to go for each. */
const APART_MS = 20

/** Nearly all that it makes is gone soon. */
const MOST_YOUNG_MB = 24

/** What is promised of one filling of the index. */
interface Filling {
  cleared: PromiseWithSettlers
  listed: PromiseWithSettlers
  caughtUp: PromiseWithSettlers
}

interface PromiseWithSettlers {
  promise: Promise<void>
  resolve(): void
  reject(error: Error): void
}

/** What an intake in a thread needs. */
export interface IntakeThreadOptions extends Omit<
  IntakeOptions,
  'dataDir' | 'findAgent' | 'stateIntervalMs'
> {
  /** Makes the thread that reads, or gives one that was made before; it says nothing until somebody listens. */
  createReader(): Worker
}

/** Makes a thread that reads the recordings of a data folder. */
export function createReader(data: IntakeData): Worker {
  return createThread('indexer-worker', import.meta.url, {
    data,
    maxYoungGenerationMb: MOST_YOUNG_MB,
  })
}

/** Opens the intake of a data folder in a thread of its own: reading and translating take longer than all that sockets need. */
export function startIntake(options: IntakeThreadOptions): Intake {
  const {outlet, adopt, refresh, onError = () => {}} = options
  const closed = createPromise()
  /** Fillings of this thread and those before it; the last one is what others wait for. */
  let fillings: Filling[] = [createFilling()]
  let counts: Counts = {live: 0, waiting: 0}
  /** Runs to be looked at, and whether at their records too. */
  let awake = new Map<string, boolean>()
  let waking: NodeJS.Timeout | undefined
  let toldAt = 0
  let isClosing = false
  let startedAt = 0
  let worker = start()

  return {
    get listed() {
      return latest().listed.promise
    },
    get caughtUp() {
      return latest().caughtUp.promise
    },
    get liveCount() {
      return counts.live
    },
    get waitingCount() {
      return counts.waiting
    },
    wake(runId, hasRecord = false) {
      awake.set(runId, hasRecord || awake.get(runId) === true)
      waking ??= setTimeout(tellAwake, Math.max(0, toldAt + APART_MS - performance.now()))
    },
    async rebuild() {
      const filling = createFilling()
      fillings.push(filling)
      tell({type: 'rebuild'})
      await filling.cleared.promise
    },
    async close() {
      if (!isClosing) tell({type: 'close'})
      isClosing = true
      await closed.promise
    },
  }

  function start(): Worker {
    startedAt = performance.now()
    const started = options.createReader()
    started.on('message', (message: FromIntake) => receive(started, message))
    started.on('error', onError)
    started.on('exit', onExit)
    tell({type: 'begin'}, started)
    return started
  }

  function receive(from: Worker, message: FromIntake): void {
    switch (message.type) {
      case 'give':
        ;({counts} = message)
        take(from, message)
        break
      case 'ask':
        void answer(from, message.id, message.question)
        break
      case 'adopt':
        adopt?.(message.runId).catch(onError)
        break
      case 'refresh':
        refresh?.(message.runId).catch(onError)
        break
      case 'cleared':
      case 'listed':
      case 'caught-up':
        ;({counts} = message)
        settle(message)
        break
      case 'error':
        onError(message.error)
        break
      case 'closed':
        closed.resolve()
        break
      default:
        message satisfies never
    }
  }

  function take(from: Worker, {gifts, messageCount}: FromIntake & {type: 'give'}): void {
    for (const gift of gifts) {
      try {
        if (gift.type === 'pass') outlet.pass(gift.batch)
        else if (gift.type === 'put') outlet.put(gift.entry, gift.news)
        else outlet.remove(gift.runId, gift.news)
      } catch (error) {
        // What cannot be taken of one run is no reason to lose what came of the others.
        onError(error)
      }
    }
    tell({type: 'taken', messageCount, isFull: outlet.isFull}, from)
  }

  /** Answers who asked: another thread counts its questions from the beginning. */
  async function answer(from: Worker, id: number, {method, args}: Question): Promise<void> {
    try {
      // The compiler does not see that the arguments are those of the method.
      const ask = outlet[method] as (...values: unknown[]) => Promise<unknown>
      tell({type: 'answer', id, value: await ask(...args)}, from)
    } catch (error) {
      tell({type: 'refusal', id, error: error as Error}, from)
    }
  }

  function settle({type, filling, error}: FromIntake & {type: 'cleared' | 'listed' | 'caught-up'}) {
    const {cleared, listed, caughtUp} = fillings[filling] ?? latest()
    const settlers = type === 'cleared' ? cleared : type === 'listed' ? listed : caughtUp
    if (error === undefined) settlers.resolve()
    else settlers.reject(error)
  }

  /** It must not end by itself. If it did, what it knew is in the index and in the recordings, and another goes on. */
  function onExit(): void {
    closed.resolve()
    if (isClosing) return
    if (performance.now() - startedAt < SHORTEST_LIFE_MS) {
      for (const filling of fillings) giveUp(filling)
      return
    }
    // Whoever waits for what the old one promised gets it of the new one.
    fillings = [latest()]
    worker = start()
  }

  function giveUp({cleared, listed, caughtUp}: Filling): void {
    const error = new Error('the thread that reads recordings ended by itself')
    for (const settlers of [cleared, listed, caughtUp]) settlers.reject(error)
  }

  function tellAwake(): void {
    const runs = [...awake]
    awake = new Map()
    waking = undefined
    toldAt = performance.now()
    tell({type: 'wake', runs})
  }

  function tell(message: ToIntake, to = worker): void {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    to.postMessage(message)
  }

  function latest(): Filling {
    return fillings.at(-1) ?? createFilling()
  }
}

function createFilling(): Filling {
  return {cleared: createPromise(), listed: createPromise(), caughtUp: createPromise()}
}

function createPromise(): PromiseWithSettlers {
  let resolve = () => {}
  let reject = (_error: Error) => {}
  const promise = new Promise<void>((done, fail) => {
    resolve = done
    reject = fail
  })
  // Whoever waits for it is told; nobody has to.
  promise.catch(() => {})
  return {promise, resolve, reject}
}
