import {memo, useId} from 'react'
import {describePulse, toPulseDrawing, type PulseSegment} from './pulse-segments.ts'
import styles from './pulse.module.css'

const WIDTH = 240
const HEIGHT = 22

/** The activity of a run as a strip: the model low and grey, tools by kind, waits hatched, failures taller and red. */
export const Pulse = memo(function Pulse({pulse, isLive}: {pulse: string; isLive: boolean}) {
  const hatch = useId()
  const drawing = toPulseDrawing(pulse, isLive)
  const unit = WIDTH / drawing.slots
  const naming = {role: 'img', 'aria-label': describePulse(drawing)}
  return (
    <svg
      className={styles.pulse}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      {...naming}
    >
      <defs>
        <pattern
          id={hatch}
          width="5"
          height="5"
          patternUnits="userSpaceOnUse"
          patternTransform="rotate(45)"
        >
          <rect width="5" height="5" fill="var(--wait-t)" />
          <line x1="0" y1="0" x2="0" y2="5" stroke="var(--wait)" strokeWidth="1.6" />
        </pattern>
      </defs>
      <line x1="0" x2={WIDTH} y1={HEIGHT - 3.5} y2={HEIGHT - 3.5} stroke="var(--line)" />
      {drawing.segments.map((segment) => (
        <Segment key={segment.start} segment={segment} unit={unit} hatch={hatch} />
      ))}
    </svg>
  )
})

/** Replaces the pulse of a silent run. */
export function NoOutput() {
  return <div className={styles.noOutput}>no output</div>
}

function Segment({segment, unit, hatch}: {segment: PulseSegment; unit: number; hatch: string}) {
  const {start, length, kind, hasFailed} = segment
  const x = start * unit
  const width = Math.max(length * unit - 0.8, 1.2)
  const shape =
    kind === 'model'
      ? {y: HEIGHT - 8, height: 3, className: styles.model}
      : kind === 'wait'
        ? {y: 6.5, height: HEIGHT - 12, className: styles.wait, fill: `url(#${hatch})`}
        : {y: 6, height: HEIGHT - 11, className: styles.tool, 'data-kind': kind}
  return (
    <>
      <rect x={x} width={width} rx={1} {...shape} />
      {hasFailed && (
        <rect x={x + width - 3} y={1} width={3} height={HEIGHT - 6} rx={1} fill="var(--bad)" />
      )}
    </>
  )
}
