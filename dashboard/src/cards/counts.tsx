import {formatNumber} from '../ui/figures.ts'
import styles from './counts.module.css'

interface LineCounts {
  added?: number | undefined
  removed?: number | undefined
}

/** The number of added and removed lines: `+4 −2`. */
export function Counts({added = 0, removed = 0}: LineCounts) {
  return (
    <span className={styles.counts}>
      {added > 0 && <span className={styles.added}>+{formatNumber(added)}</span>}
      {removed > 0 && <span className={styles.removed}>−{formatNumber(removed)}</span>}
    </span>
  )
}

/** The share of added and removed lines in five blocks; the counts beside it are the accessible form. */
export function CountBlocks({added = 0, removed = 0}: LineCounts) {
  const blocks = Math.min(5, added + removed)
  const green = countGreen(added, removed, blocks)
  return (
    <span className={styles.blocks} aria-hidden="true">
      {[0, 1, 2, 3, 4].map((at) => (
        <i
          key={at}
          className={at >= blocks ? undefined : at < green ? styles.added : styles.removed}
        />
      ))}
    </span>
  )
}

function countGreen(added: number, removed: number, blocks: number): number {
  if (added === 0 || removed === 0) return added === 0 ? 0 : blocks
  // Each kind that occurs gets at least one block.
  return Math.min(blocks - 1, Math.max(1, Math.round((added / (added + removed)) * blocks)))
}
