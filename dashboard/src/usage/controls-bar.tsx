import type {RefObject} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import styles from './controls-bar.module.css'
import {DateRange} from './date-range.tsx'
import type {Day} from './days.ts'
import {PRESETS} from './range.ts'
import {Segmented} from './segmented.tsx'
import {
  chooseAgent,
  chooseGroup,
  choosePreset,
  chooseProject,
  chooseSpan,
  chooseUnit,
  type Controls,
} from './use-controls.ts'

/** An option of a filter. */
export interface FilterOption {
  value: string
  words: string
}

/** The range, the grouping, the unit and the filters. */
export function ControlsBar({
  controls,
  today,
  agents,
  projects,
  onExport,
  firstDate,
}: {
  controls: Controls
  today: Day
  agents: readonly FilterOption[]
  projects: readonly FilterOption[]
  /** Undefined while there is nothing to export. */
  onExport: (() => void) | undefined
  /** The first field for a day, while it is shown. */
  firstDate: RefObject<HTMLInputElement | null>
}) {
  const {range, group, unit, agent, project} = controls
  const isFiltered = agent !== '' || project !== ''
  return (
    <div className={styles.bar}>
      <Segmented
        label="Range"
        options={RANGES}
        value={String(range.preset)}
        onChoose={(preset) =>
          preset === 'custom' ? chooseSpan(range.from, range.to) : choosePreset(Number(preset))
        }
      />
      {range.preset === 'custom' && <DateRange span={range} today={today} ref={firstDate} />}
      <Segmented label="Group by" options={GROUP_OPTIONS} value={group} onChoose={chooseGroup} />
      <Segmented label="Show" options={UNIT_OPTIONS} value={unit} onChoose={chooseUnit} />
      <span className={styles.spacer} />
      <span className={classNames(styles.filters, isFiltered && styles.isFiltered)}>
        <Filter
          label="Agent"
          all="All agents"
          options={agents}
          value={agent}
          onChoose={chooseAgent}
        />
        <Filter
          label="Project"
          all="All projects"
          options={projects}
          value={project}
          onChoose={chooseProject}
        />
        <Button disabled={onExport === undefined} onClick={onExport}>
          Export CSV
        </Button>
      </span>
    </div>
  )
}

const RANGES = [
  ...PRESETS.map((days, index) => ({
    value: String(days),
    words: `${days} days`,
    keys: String(index + 1),
  })),
  {value: 'custom', words: 'Custom…', keys: 'c'},
]
const GROUP_OPTIONS = [
  {value: 'agent', words: 'Agent'},
  {value: 'model', words: 'Model'},
  {value: 'project', words: 'Project'},
] as const
const UNIT_OPTIONS = [
  {value: 'spend', words: 'Spend'},
  {value: 'tokens', words: 'Tokens'},
] as const

function Filter({
  label,
  all,
  options,
  value,
  onChoose,
}: {
  label: string
  all: string
  options: readonly FilterOption[]
  value: string
  onChoose: (value: string) => void
}) {
  return (
    <select
      className={styles.filter}
      aria-label={label}
      value={value}
      onChange={({target}) => onChoose(target.value)}
    >
      <option value="">{all}</option>
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.words}
        </option>
      ))}
    </select>
  )
}
