import {formatShare, formatTime} from '../ui/figures.ts'
import table from './table.module.css'
import styles from './time-bar.module.css'
import type {TimeSpent} from './time-spent.ts'

const PARTS = [
  ['model', 'Model', 'run'],
  ['tools', 'Tools', 'shell'],
  ['subAgents', 'Sub-agents', 'agent'],
  ['waiting', 'Waiting', 'wait'],
  ['rest', 'No output', 'rest'],
] as const satisfies readonly (readonly [keyof TimeSpent, string, string])[]

/** How the time was spent, as one bar and in words. */
export function TimeBar({spent}: {spent: TimeSpent}) {
  const sum = PARTS.reduce((total, [part]) => total + spent[part], 0)
  // Parts that round to 0 % are omitted.
  const parts = PARTS.filter(([part]) => spent[part] >= sum / 200 && spent[part] > 0)
  return (
    <div className={styles.time}>
      <div className={styles.bar} aria-hidden="true">
        {parts.map(([part, , kind]) => (
          <i key={part} data-kind={kind} style={{flexGrow: spent[part] / sum}} />
        ))}
      </div>
      <ul className={styles.legend}>
        {parts.map(([part, word, kind]) => (
          <li key={part} data-kind={kind}>
            <i className={table.colorKey} aria-hidden="true" />
            {word} <b>{formatTime(spent[part])}</b>
            <span className={styles.share}>{formatShare(spent[part] / sum)}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}
