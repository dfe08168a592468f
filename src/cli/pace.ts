import {setTimeout} from 'node:timers/promises'

/** The longest delay of a timer. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Waits for the time between two events, divided by the speed. */
export async function pace(
  before: number,
  at: number,
  speed: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (speed === undefined || at <= before) return
  const wait = Math.min((at - before) / speed, MAX_TIMER_MS)
  await setTimeout(wait, undefined, {signal}).catch(() => {})
}
