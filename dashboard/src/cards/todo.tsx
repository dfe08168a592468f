import type {PlanItem, PlanStatus} from '../../../src/core/events/events.ts'
import {Icon} from '../ui/icon.tsx'
import {cutAt} from './lines.ts'
import {useMore} from '../ui/more.tsx'
import {makeReadable} from './readable.ts'
import './cards.css'

const FIRST_ITEMS = 60
const MOST_TEXT = 500

/** A plan: completed, current and pending items. */
export function Todo({items}: {items: readonly PlanItem[]}) {
  const {shown, button} = useMore(items.length, FIRST_ITEMS, 'steps')
  return (
    <>
      <ul className="todo">
        {items.slice(0, shown).map(({text, status}, at) => (
          // Two items may have the same text.
          // oxlint-disable-next-line react/no-array-index-key
          <li key={at} className={CLASSES[status]}>
            {MARKS[status]}
            <span className="grow">
              {makeReadable(cutAt(text, MOST_TEXT).text)}
              <span className="sr">, {WORDS[status]}</span>
            </span>
          </li>
        ))}
      </ul>
      {button}
    </>
  )
}

const CLASSES = {pending: undefined, 'in-progress': 'n', completed: 'd', cancelled: 'c'} as const

const WORDS = {
  pending: 'to do',
  'in-progress': 'at work',
  completed: 'done',
  cancelled: 'cancelled',
} as const satisfies Record<PlanStatus, string>

const MARKS = {
  pending: (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
    </svg>
  ),
  'in-progress': (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle className="f" cx="8" cy="8" r="4" />
    </svg>
  ),
  completed: <Icon name="ok" />,
  cancelled: (
    <svg className="i" viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="5.5" />
      <path d="M5 8h6" />
    </svg>
  ),
} as const
