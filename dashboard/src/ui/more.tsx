import {useState, type ReactNode} from 'react'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import styles from './box.module.css'

const STEPS = [40, 400, 4000]

/** How many of many lines are shown, and how to show more. */
export interface More {
  shown: number
  /** The button, while there is more. */
  button: ReactNode
}

/** Shows a few of many lines at first, then 40 more, then more at once. */
export function useMore(total: number, first: number, noun = 'lines'): More {
  const [clicks, setClicks] = useState(0)
  let shown = first
  for (let at = 0; at < clicks; at++) shown += stepAt(at)
  // A single hidden line is not worth a click.
  if (total - shown <= 1) shown = total
  const step = Math.min(stepAt(clicks), total - shown)
  const button = step > 0 && (
    <MoreButton onClick={() => setClicks(clicks + 1)}>
      show {step.toLocaleString('en')} more
      {total - shown > step ? ` of ${(total - shown).toLocaleString('en')}` : ''}
      <span className={common.visuallyHidden}> {noun}</span>
    </MoreButton>
  )
  return {shown, button}
}

function stepAt(at: number): number {
  return STEPS[Math.min(at, STEPS.length - 1)] ?? 40
}

/** Shows more of a text or list. */
export function MoreButton({onClick, children}: {onClick(): void; children: ReactNode}) {
  return (
    <button type="button" className={styles.moreButton} onClick={onClick}>
      {children}
    </button>
  )
}

/** A box around content, with a footer. */
export function Box({
  children,
  isFailed = false,
  left,
  right,
}: {
  children: ReactNode
  isFailed?: boolean | undefined
  left?: ReactNode
  right?: ReactNode
}) {
  return (
    <div className={classNames(styles.box, isFailed && styles.isFailed)}>
      {children}
      {Boolean(left || right) && (
        <div className={styles.footer}>
          <span>{left}</span>
          <span>{right}</span>
        </div>
      )}
    </div>
  )
}
