import type {PlanItem, PlanStatus} from '../../../src/core/events/events.ts'
import common from '../ui/common.module.css'
import {Icon, type IconName} from '../ui/icon.tsx'
import {cutAt} from './lines.ts'
import {useMore} from '../ui/more.tsx'
import {escapeControlsMultiline} from './readable.ts'
import styles from './todo.module.css'

const FIRST_ITEMS = 60
const MAX_TEXT = 500

/** A plan: completed, current and pending items. */
export function Todo({items}: {items: readonly PlanItem[]}) {
  const {shown, button} = useMore(items.length, FIRST_ITEMS, 'steps')
  return (
    <>
      <ul>
        {items.slice(0, shown).map(({text, status}, at) => (
          // Two items may have the same text.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={styles.item} data-status={status}>
            <Icon name={STATUSES[status].icon} />
            <span className={styles.text}>
              {escapeControlsMultiline(cutAt(text, MAX_TEXT))}
              <span className={common.visuallyHidden}>, {STATUSES[status].word}</span>
            </span>
          </li>
        ))}
      </ul>
      {button}
    </>
  )
}

const STATUSES = {
  pending: {word: 'to do', icon: 'circle'},
  'in-progress': {word: 'in progress', icon: 'dot'},
  completed: {word: 'done', icon: 'ok'},
  cancelled: {word: 'cancelled', icon: 'circle-minus'},
} as const satisfies Record<PlanStatus, {word: string; icon: IconName}>
