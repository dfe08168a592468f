import styles from './timeline-tip.module.css'

/** The tooltip of a target: its name and its time. Positioned in the window. */
export function TimelineTip({
  title,
  detail,
  x,
  y,
}: {
  title: string
  detail: string
  x: number
  y: number
}) {
  const isRight = x > innerWidth - 280
  const isLow = y > innerHeight - 90
  const style = {
    ...(isRight ? {right: innerWidth - x - 8} : {left: Math.max(4, x - 8)}),
    ...(isLow ? {bottom: innerHeight - y + 8} : {top: y + 24}),
  }
  return (
    <div className={styles.tip} style={style} aria-hidden>
      <b>{title}</b>
      <span className={styles.detail}>{detail}</span>
    </div>
  )
}
