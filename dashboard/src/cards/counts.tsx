import {formatNumber} from '../ui/figures.ts'
import styles from './counts.module.css'

/** The number of added and removed lines: `+4 −2`. */
export function Counts({
  added,
  removed,
}: {
  added?: number | undefined
  removed?: number | undefined
}) {
  return (
    <span className={styles.counts}>
      {added !== undefined && added > 0 && (
        <span className={styles.added}>+{formatNumber(added)}</span>
      )}
      {removed !== undefined && removed > 0 && (
        <span className={styles.removed}>−{formatNumber(removed)}</span>
      )}
    </span>
  )
}

/** The share of added and removed lines in five blocks; the counts beside it are the accessible form. */
export function CountBlocks({
  added = 0,
  removed = 0,
}: {
  added?: number | undefined
  removed?: number | undefined
}) {
  const green = countGreen(added, removed)
  const filled = Math.min(5, added + removed)
  return (
    <span className={styles.blocks} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((at) => (
        <i
          key={at}
          className={at >= filled ? undefined : at < green ? styles.added : styles.removed}
        />
      ))}
    </span>
  )
}

function countGreen(added: number, removed: number): number {
  const blocks = Math.min(5, added + removed)
  if (added === 0 || removed === 0) return added === 0 ? 0 : blocks
  // Each kind that occurs gets at least one block.
  return Math.min(blocks - 1, Math.max(1, Math.round((added / (added + removed)) * blocks)))
}
