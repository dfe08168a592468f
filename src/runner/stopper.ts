import type {Ending} from '../core/run/run-result.ts'
import type {StopCause} from '../core/run/verdict.ts'
import {signalGroup} from './process.ts'

/** Why a process is being ended. */
export interface Stop {
  cause: StopCause
  reason: string
}

/** Ends a process and its group: politely first, then less so. */
export interface Stopper {
  /** Why it is being ended; `undefined` while nobody wants that. */
  readonly stop: Stop | undefined
  begin(cause: StopCause, reason: string): void
  /** Hears that the process has ended, and tells how it was, if it was. */
  finish(endedAt: number): Ending | undefined
}

/** What happens on the way. */
export interface StopperOptions {
  /** The clock by which the run is watched. */
  now(): number
  /** How long the process has to end by itself. */
  killAfterMs: number
  onStopping(stop: Stop): void
  onKilling(): void
}

/** A timer that is to wait longer does not wait at all. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
/** Some do not listen to an interruption, but do to this, when so much of their time is over. */
const SECOND_WORD = 0.6

/** Makes a stopper for a process that leads a group. */
export function createStopper(pid: number, options: StopperOptions): Stopper {
  const {killAfterMs} = options
  const timers: NodeJS.Timeout[] = []
  let stop: Stop | undefined
  let stoppedAt = 0
  let last: NodeJS.Signals | undefined
  let isOver = false

  return {
    get stop() {
      return stop
    },
    begin(cause, reason) {
      if (isOver) return
      if (stop !== undefined) {
        // Whoever says it twice means it.
        if (cause === 'user') force()
        return
      }
      stop = {cause, reason}
      stoppedAt = options.now()
      options.onStopping(stop)
      // Who has done its work is not interrupted in anything.
      send(cause === 'linger' ? 'SIGTERM' : 'SIGINT')
      after(killAfterMs * SECOND_WORD, () => send('SIGTERM'))
      after(killAfterMs, force)
    },
    finish(endedAt) {
      isOver = true
      for (const timer of timers) clearTimeout(timer)
      if (last === undefined) return undefined
      return {signal: last, afterMs: endedAt - stoppedAt, wasForced: last === 'SIGKILL'}
    },
  }

  function after(ms: number, action: () => void): void {
    timers.push(setTimeout(action, Math.min(ms, LONGEST_WAIT_MS)))
  }

  function send(signal: NodeJS.Signals): void {
    last = signal
    signalGroup(pid, signal)
    // A suspended process handles no other signal before it continues.
    signalGroup(pid, 'SIGCONT')
  }

  function force(): void {
    if (last === 'SIGKILL') return
    options.onKilling()
    send('SIGKILL')
  }
}
