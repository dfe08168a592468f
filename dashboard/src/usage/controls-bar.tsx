import type {RefObject} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import {Segmented, type Segment} from '../ui/segmented.tsx'
import {Select, type SelectOption} from '../ui/select.tsx'
import type {Unit} from './amounts.ts'
import styles from './controls-bar.module.css'
import {DateRange} from './date-range.tsx'
import type {Day} from './days.ts'
import {PRESETS} from './range.ts'
import type {Group} from './series.ts'
import {
  chooseAgent,
  chooseGroup,
  choosePreset,
  chooseProject,
  chooseSpan,
  chooseUnit,
  type Controls,
} from './use-controls.ts'

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
  agents: readonly SelectOption[]
  projects: readonly SelectOption[]
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
        isLabelShown
        segments={RANGES}
        value={String(range.preset)}
        onChange={(preset) =>
          preset === 'custom' ? chooseSpan(range.from, range.to) : choosePreset(Number(preset))
        }
      />
      {range.preset === 'custom' && <DateRange span={range} today={today} ref={firstDate} />}
      <Segmented
        label="Group by"
        isLabelShown
        segments={GROUPS}
        value={group}
        onChange={chooseGroup}
      />
      <Segmented label="Show" isLabelShown segments={UNITS} value={unit} onChange={chooseUnit} />
      <span className={styles.spacer} />
      <span className={classNames(styles.filters, isFiltered && styles.isFiltered)}>
        <Select
          label="Agent"
          options={[['', 'All agents'], ...agents]}
          value={agent}
          onChange={chooseAgent}
        />
        <Select
          label="Project"
          options={[['', 'All projects'], ...projects]}
          value={project}
          onChange={chooseProject}
        />
        <Button disabled={onExport === undefined} onClick={onExport}>
          Export CSV
        </Button>
      </span>
    </div>
  )
}

const RANGES: readonly Segment<string>[] = [
  ...PRESETS.map((days, index) => ({
    value: String(days),
    words: `${days} days`,
    keys: String(index + 1),
  })),
  {value: 'custom', words: 'Custom…', keys: 'c'},
]
const GROUPS: readonly Segment<Group>[] = [
  {value: 'agent', words: 'Agent'},
  {value: 'model', words: 'Model'},
  {value: 'project', words: 'Project'},
]
const UNITS: readonly Segment<Unit>[] = [
  {value: 'spend', words: 'Spend'},
  {value: 'tokens', words: 'Tokens'},
]
