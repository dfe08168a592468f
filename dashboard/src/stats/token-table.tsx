import type {Tokens} from '../../../src/core/events/events.ts'
import common from '../ui/common.module.css'
import {formatTokens} from '../ui/figures.ts'
import styles from './table.module.css'

/** How many tokens of each kind were used. */
export function TokenTable({
  tokens,
  reasoning,
}: {
  tokens: Tokens
  /** How many output tokens were reasoning, if reported. */
  reasoning: number | undefined
}) {
  const {input, output, cacheRead, cacheWrite} = tokens
  const largest = Math.max(1, input, output, cacheRead, cacheWrite)
  const rows = [
    ['Cache read', cacheRead, 'read'],
    ['Cache write', cacheWrite, 'web'],
    ['Input', input, 'shell'],
    ['Output', output, 'edit'],
    ...(!reasoning ? [] : [['of it thinking', reasoning, 'think'] as const]),
  ] as const
  return (
    <table className={styles.table}>
      <caption className={common.visuallyHidden}>Tokens by kind</caption>
      <tbody>
        {rows.map(([name, count, kind]) => (
          <tr key={name} data-kind={kind}>
            <th scope="row" className={kind === 'think' ? styles.isPart : undefined}>
              <i className={styles.colorKey} />
              {name}
            </th>
            <td className={styles.bar} aria-hidden="true">
              {count > 0 && <i style={{width: `max(2px, ${(count / largest) * 100}%)`}} />}
            </td>
            <td>{formatTokens(count)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
