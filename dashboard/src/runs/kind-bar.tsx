import {ENTRY_KINDS, type EntryKind} from '../../../src/core/run/run-summary.ts'
import {updateQuery} from '../shell/router.ts'
import {formatNumber} from '../ui/figures.ts'
import {Icon, type IconName} from '../ui/icon.tsx'
import {KINDS} from '../ui/kind.tsx'
import {Segmented, type Segment} from '../ui/segmented.tsx'
import type {ListFilter, StateFilter} from './list-filter.ts'
import styles from './filter-bar.module.css'

/** How many runs and sessions there are; an unknown number is absent. */
export interface BarCounts {
  kinds?: Readonly<Partial<Record<EntryKind | 'all', number>>> | undefined
  states: Readonly<Partial<Record<StateFilter, number>>>
}

const CHIPS: readonly {state: StateFilter; words: string; icon?: IconName}[] = [
  {state: 'needs-you', words: 'Needs you', icon: 'hand'},
  {state: 'live', words: 'Live'},
  {state: 'failed', words: 'Failed', icon: 'fail'},
]

/** The choice of a kind, and the chips of states. */
export function KindBar({filter, counts}: {filter: ListFilter; counts: BarCounts}) {
  const {kinds, states} = counts
  const segments: Segment<EntryKind | 'all'>[] = [
    {value: 'all', words: 'All', count: kinds?.all},
    ...ENTRY_KINDS.map((kind) => ({
      value: kind,
      words: PLURALS[kind],
      icon: KINDS[kind].icon,
      count: kinds?.[kind],
    })),
  ]
  return (
    <div className={styles.segments}>
      <Segmented
        label="Kind"
        segments={segments}
        value={filter.kind || 'all'}
        onChange={(kind) => updateQuery({kind: kind === 'all' ? undefined : kind})}
      />
      {/* oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset has a style of its own */}
      <span className={styles.chips} role="group" aria-label="State">
        {CHIPS.map(({state, words, icon}) => {
          const isPressed = filter.state === state
          const count = states[state]
          return (
            <button
              type="button"
              key={state}
              className={styles.chip}
              aria-pressed={isPressed}
              // Results of a search have no state.
              onClick={() => updateQuery({state: isPressed ? undefined : state, q: undefined})}
            >
              {icon !== undefined && <Icon name={icon} size={14} />}
              {words} {count !== undefined && <b>{formatNumber(count)}</b>}
            </button>
          )
        })}
      </span>
    </div>
  )
}

/** The kind after a kind, for a key that goes through them. */
export function nextKind(kind: EntryKind | ''): EntryKind | undefined {
  const kinds = [undefined, ...ENTRY_KINDS]
  return kinds[(kinds.indexOf(kind || undefined) + 1) % kinds.length]
}

const PLURALS: Readonly<Record<EntryKind, string>> = {
  run: 'Runs',
  session: 'Sessions',
  imported: 'Imported',
}
