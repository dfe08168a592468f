import {useMemo, useState} from 'react'

/** Speeds of a replay. */
export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 50, 100]
const DEFAULT_SPEED = 10

/** Controls of a replay. */
export interface ReplayActions {
  /** Starts to play at a moment. */
  startReplay(at: number): void
  stopReplay(): void
  seek(at: number): void
  play(isPlaying: boolean): void
  setSpeed(speed: number): void
  /** Switches to the next or previous speed. */
  changeSpeed(by: 1 | -1): void
}

/** Replay of a run: the moment that is shown, and whether it moves on. */
export function useReplay() {
  const [until, seek] = useState<number | undefined>(undefined)
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState(DEFAULT_SPEED)
  const actions = useMemo<ReplayActions>(
    () => ({
      startReplay(at) {
        seek(at)
        play(true)
      },
      stopReplay() {
        seek(undefined)
        play(false)
      },
      seek,
      play,
      setSpeed,
      changeSpeed: (by) => setSpeed((current) => SPEEDS[SPEEDS.indexOf(current) + by] ?? current),
    }),
    [],
  )
  return {until, isPlaying, speed, actions}
}
