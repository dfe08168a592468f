import {useKeys} from '../shell/keys.ts'
import {
  chooseGroup,
  choosePreset,
  chooseTable,
  chooseUnit,
  GROUPS,
  UNITS,
  type Controls,
} from './use-controls.ts'

/** The keys of the controls. */
export function useUsageKeys(controls: Controls, onCustom: () => void): void {
  const {group, unit, isTable} = controls
  useKeys('Usage', {
    1: {words: '7 days', hint: '7, 30, 90 days', act: () => choosePreset(7)},
    2: {words: '30 days', hint: '7, 30, 90 days', act: () => choosePreset(30)},
    3: {words: '90 days', hint: '7, 30, 90 days', act: () => choosePreset(90)},
    c: {words: 'custom range', hint: 'custom range', act: onCustom},
    b: {
      words: 'group by agent, model or project',
      hint: 'group by',
      act: () => chooseGroup(nextOf(GROUPS, group)),
    },
    m: {
      words: 'spend or tokens',
      hint: 'spend or tokens',
      act: () => chooseUnit(nextOf(UNITS, unit)),
    },
    v: {
      words: 'charts as tables',
      hint: 'charts as tables',
      act: () => chooseTable(!isTable),
    },
  })
}

function nextOf<T>(options: readonly T[], current: T): T {
  return options[(options.indexOf(current) + 1) % options.length] ?? current
}
