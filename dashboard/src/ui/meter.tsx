import {classNames} from './class-names.ts'
import common from './common.module.css'
import styles from './meter.module.css'

/** A usage meter: neutral, amber over 80 %, red when over. */
export function Meter({
  share,
  label,
  tone = pickTone(share),
  className,
}: {
  share: number
  label: string
  tone?: 'neutral' | 'wait' | 'bad' | 'ok'
  className?: string | undefined
}) {
  const percent = Math.min(100, Math.max(0, share * 100))
  return (
    <span className={classNames(styles.meter, className)} data-tone={tone}>
      <i className={styles.fill} style={{width: `${percent}%`}} />
      <span className={common.visuallyHidden}>{label}</span>
    </span>
  )
}

function pickTone(share: number): 'neutral' | 'wait' | 'bad' {
  return share > 1 ? 'bad' : share >= 0.8 ? 'wait' : 'neutral'
}
