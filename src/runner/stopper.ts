import type {Ending} from '../core/run/run-result.ts'
import type {StopCause} from '../core/run/verdict.ts'
import {signalGroup} from './process.ts'

/** Why a process is stopped. */
export interface Stop {
  cause: StopCause
  reason: string
}

/** Stops a process and its group, with stronger signals over time. */
export interface Stopper {
  /** `undefined` until a stop is requested. */
  readonly stop: Stop | undefined
  begin(cause: StopCause, reason: string): void
  /** Cancels pending signals; returns how the process was stopped, if it was. */
  finish(endedAt: number): Ending | undefined
}

export interface StopperOptions {
  /** The clock of the run. */
  now(): number
  /** Time until SIGKILL. */
  killAfterMs: number
  onStopping(stop: Stop): void
  onKilling(): void
}

/** `setTimeout` fires at once for a longer delay. */
const LONGEST_WAIT_MS = 2 ** 31 - 1
/** Some agents ignore SIGINT; SIGTERM follows after this fraction of the time. */
const SECOND_WORD = 0.6

/** Creates a stopper for the leader of a process group. */
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
        // A second stop request escalates to SIGKILL.
        if (cause === 'user') force()
        return
      }
      stop = {cause, reason}
      stoppedAt = options.now()
      options.onStopping(stop)
      // A lingering agent has no turn to interrupt.
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
