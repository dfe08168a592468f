import type {DaySpan} from './days.ts'

/** The path of the list of runs and sessions that started in a range, with filters. */
export function pathOfRuns(
  {from, to}: DaySpan,
  filters: Readonly<Record<'agent' | 'project', string>>,
): string {
  const chosen = Object.entries(filters).filter(([, value]) => value !== '')
  return `/?${new URLSearchParams([...chosen, ['date', `${from}..${to}`]])}`
}
