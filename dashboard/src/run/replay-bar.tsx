import {useEffect} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatOffset} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import styles from './replay-bar.module.css'
import {SPEEDS, type Replay} from './use-replay.ts'

export function ReplayBar({
  startedAt,
  endedAt,
  at,
  replay: {isPlaying, speed, actions},
}: {
  startedAt: number
  endedAt: number
  at: number
  replay: Replay
}) {
  const {seek, play, setSpeed} = actions
  useEffect(() => {
    if (!isPlaying) return undefined
    let last = performance.now()
    let moment = at
    const timer = setInterval(() => {
      const now = performance.now()
      moment = Math.min(endedAt, moment + (now - last) * speed)
      last = now
      seek(moment)
      if (moment >= endedAt) play(false)
    }, STEP_INTERVAL_MS)
    return () => clearInterval(timer)
    // Without `at`, which this effect itself changes.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [isPlaying, speed, endedAt, seek, play])
  const length = endedAt - startedAt
  const step = Math.max(1, Math.round(length / 1000))
  return (
    <section className={styles.bar} aria-label="Replay">
      <Button
        size="icon"
        aria-label={isPlaying ? 'Pause' : 'Play'}
        onClick={() => {
          if (!isPlaying && at >= endedAt) seek(startedAt)
          play(!isPlaying)
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
          seek(offset + step > length ? endedAt : startedAt + offset)
        }}
      />
      <span className={classNames(common.tabular, common.muted)}>{formatOffset(length)}</span>
      <label>
        <span className={common.visuallyHidden}>Speed</span>
        <select value={speed} onChange={(event) => setSpeed(Number(event.target.value))}>
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
