import {classNames} from '../ui/class-names.ts'
import {formatClock, formatOffset} from '../ui/figures.ts'
import styles from './axis.module.css'
import {formatTick, type View} from '../ui/scale.ts'

/** The position of a replay, and the handler of its changes. */
export interface ReplayCursor {
  at: number
  onSeek: (at: number) => void
}

/** The times above the lanes, and the draggable handle of a replay. */
export function Axis({
  view,
  origin,
  width,
  ticks,
  cursor,
  end,
}: {
  view: View
  origin: number
  width: number
  ticks: {step: number; times: readonly number[]}
  cursor: ReplayCursor | undefined
  /** The end of the run. */
  end: number
}) {
  const toX = (time: number) => ((time - view.start) / (view.end - view.start)) * width
  return (
    <div className={styles.axis}>
      {ticks.times.map((time) => {
        const x = toX(time)
        const place = x < 18 ? styles.isFirst : x > width - 18 ? styles.isLast : undefined
        return (
          <span
            key={time}
            className={classNames(styles.tick, place)}
            style={{left: x}}
            title={formatClock(time)}
          >
            {formatTick(time - origin, ticks.step)}
          </span>
        )
      })}
      {cursor !== undefined && cursor.at >= view.start && cursor.at <= view.end && (
        <input
          type="range"
          className={styles.playhead}
          aria-label="Replay"
          aria-valuetext={formatOffset(cursor.at - origin)}
          min={view.start}
          max={view.end}
          step="any"
          value={cursor.at}
          onChange={(event) => cursor.onSeek(Math.min(event.currentTarget.valueAsNumber, end))}
        />
      )}
    </div>
  )
}
