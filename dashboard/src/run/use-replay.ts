import {useMemo, useState} from 'react'

export const SPEEDS: readonly number[] = [1, 2, 5, 10, 20, 50, 100]
const DEFAULT_SPEED = 10

/** State of a replay, and commands that change it. */
export type Replay = ReturnType<typeof useReplay>

/** Replay of a run: the moment that is shown, and whether it moves on. */
export function useReplay() {
  const [until, seek] = useState<number | undefined>(undefined)
  const [isPlaying, play] = useState(false)
  const [speed, setSpeed] = useState(DEFAULT_SPEED)
  const actions = useMemo(
    () => ({
      startReplay(at: number): void {
        seek(at)
        play(true)
      },
      stopReplay(): void {
        seek(undefined)
        play(false)
      },
      seek,
      play,
      setSpeed,
      /** Switches to the next or previous speed. */
      changeSpeed(by: 1 | -1): void {
        setSpeed((current) => SPEEDS[SPEEDS.indexOf(current) + by] ?? current)
      },
    }),
    [],
  )
  return {until, isPlaying, speed, actions}
}
