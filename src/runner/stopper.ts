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
const MAX_TIMER_MS = 2 ** 31 - 1
/** Some agents ignore SIGINT; SIGTERM follows after this fraction of the time. */
const SIGTERM_FRACTION = 0.6

export function createStopper(pid: number, options: StopperOptions): Stopper {
  const {killAfterMs} = options
  const timers: NodeJS.Timeout[] = []
  let stop: Stop | undefined
  let stoppedAt = 0
  let lastSignal: NodeJS.Signals | undefined
  let hasEnded = false

  return {
    get stop() {
      return stop
    },
    begin(cause, reason) {
      if (hasEnded) return
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
      schedule(killAfterMs * SIGTERM_FRACTION, () => send('SIGTERM'))
      schedule(killAfterMs, force)
    },
    finish(endedAt) {
      hasEnded = true
      for (const timer of timers) clearTimeout(timer)
      if (lastSignal === undefined) return undefined
      return {signal: lastSignal, afterMs: endedAt - stoppedAt, wasForced: lastSignal === 'SIGKILL'}
    },
  }

  function schedule(ms: number, action: () => void): void {
    timers.push(setTimeout(action, Math.min(ms, MAX_TIMER_MS)))
  }

  function send(signal: NodeJS.Signals): void {
    lastSignal = signal
    signalGroup(pid, signal)
    // A suspended process handles no other signal before it continues.
    signalGroup(pid, 'SIGCONT')
  }

  function force(): void {
    if (lastSignal === 'SIGKILL') return
    options.onKilling()
    send('SIGKILL')
  }
}
