import {useEffect} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatOffset} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import styles from './replay-bar.module.css'
import {SPEEDS} from './use-replay.ts'

/** Controls of a replay. */
export function ReplayBar({
  startedAt,
  endedAt,
  at,
  isPlaying,
  speed,
  onSeek,
  onPlay,
  onSpeed,
}: {
  startedAt: number
  endedAt: number
  at: number
  isPlaying: boolean
  speed: number
  onSeek(at: number): void
  onPlay(isPlaying: boolean): void
  onSpeed(speed: number): void
}) {
  useEffect(() => {
    if (!isPlaying) return undefined
    let last = performance.now()
    let moment = at
    const timer = setInterval(() => {
      const now = performance.now()
      moment = Math.min(endedAt, moment + (now - last) * speed)
      last = now
      onSeek(moment)
      if (moment >= endedAt) onPlay(false)
    }, STEP_INTERVAL_MS)
    return () => clearInterval(timer)
    // Without `at`, which this effect itself changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isPlaying, speed, endedAt, onSeek, onPlay])
  const length = endedAt - startedAt
  const step = Math.max(1, Math.round(length / 1000))
  return (
    <section className={styles.bar} aria-label="Replay">
      <Button
        size="icon"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => {
          if (!isPlaying && at >= endedAt) onSeek(startedAt)
          onPlay(!isPlaying)
        }}
      >
        <Icon name={isPlaying ? 'pause' : 'play'} />
      </Button>
      <span className={common.tabular}>{formatOffset(at - startedAt)}</span>
      <input
        type="range"
        className={styles.moment}
        aria-label="Moment"
        aria-valuetext={`${formatOffset(at - startedAt)} of ${formatOffset(length)}`}
        min={0}
        max={Math.max(1, length)}
        step={step}
        value={at - startedAt}
        onChange={(event) => {
          const offset = Number(event.target.value)
          // The last step may be shorter; the slider stops before it.
          onSeek(offset + step > length ? endedAt : startedAt + offset)
        }}
      />
      <span className={classNames(common.tabular, common.muted)}>{formatOffset(length)}</span>
      <label>
        <span className={common.visuallyHidden}>Speed</span>
        <select value={speed} onChange={(event) => onSpeed(Number(event.target.value))}>
          {SPEEDS.map((value) => (
            <option key={value} value={value}>
              {value}×
            </option>
          ))}
        </select>
      </label>
    </section>
  )
}

/** Interval at which the moment advances. */
const STEP_INTERVAL_MS = 100
