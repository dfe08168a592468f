import type {KeyboardEvent, RefObject} from 'react'
import type {HistoryDays} from '../hub/history-api.ts'
import {dayBefore, dayOf} from '../shell/day.ts'
import {updateQuery} from '../shell/router.ts'
import {nameAgent} from '../ui/agent-names.ts'
import {nameFolders} from '../ui/folder-names.ts'
import {Icon} from '../ui/icon.tsx'
import {Select} from '../ui/select.tsx'
import {parseDates, type ListFilter} from './list-filter.ts'
import styles from './filter-bar.module.css'

/** The search field, and the filters that are chosen from a list. */
export function FilterBar({
  filter,
  counts,
  words,
  field,
  onWords,
}: {
  filter: ListFilter
  /** The agents and projects that can be chosen. */
  counts: Pick<HistoryDays, 'agents' | 'projects'>
  /** The searched words. */
  words: string
  field: RefObject<HTMLInputElement | null>
  onWords: (words: string) => void
}) {
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'Enter') event.currentTarget.blur()
    if (event.key !== 'Escape') return
    event.preventDefault()
    if (words === '') event.currentTarget.blur()
    else onWords('')
  }
  const {agents, projects} = counts
  const folders = projects.map(({project}) => project).filter((project) => project !== '')
  return (
    <search className={styles.bar} aria-label="Runs and sessions">
      <label className={styles.field}>
        <Icon name="search" size={14} />
        <input
          ref={field}
          type="search"
          className={styles.input}
          value={words}
          aria-label="Search"
          placeholder="Search titles, prompts, replies, tool output"
          aria-keyshortcuts="/"
          autoComplete="off"
          spellCheck={false}
          onChange={({target}) => onWords(target.value)}
          onKeyDown={press}
        />
        <kbd aria-hidden="true">/</kbd>
      </label>
      <Select
        label="Agent"
        options={[
          ['', 'All agents'],
          ...agents
            .filter(({agent}) => agent !== '')
            .map(({agent}) => [agent, nameAgent(agent)] as const),
        ]}
        value={filter.agent}
        onChange={(agent) => updateQuery({agent})}
      />
      <Select
        label="Project"
        options={[['', 'All projects'], ...nameFolders(folders)]}
        value={filter.project}
        onChange={(project) => updateQuery({project})}
      />
      <DateFilter date={filter.date} />
    </search>
  )
}

const DATES = [
  ['', 'Any date'],
  ['today', 'Today'],
  ['7d', 'Last 7 days'],
  ['30d', 'Last 30 days'],
  ['custom', 'Custom…'],
] as const

function DateFilter({date}: {date: string}) {
  const isCustom = date.includes('..')
  const {since = '', until = ''} = isCustom ? parseDates(date, 0) : {}
  const choose = (value: string) => {
    const now = Date.now()
    updateQuery({date: value === 'custom' ? `${dayBefore(now, 29)}..${dayOf(now)}` : value})
  }
  const change = (first: string, last: string) =>
    updateQuery({date: first === '' && last === '' ? undefined : `${first}..${last}`})
  return (
    <>
      <Select label="Date" options={DATES} value={isCustom ? 'custom' : date} onChange={choose} />
      {isCustom && (
        <span className={styles.dates}>
          <input
            type="date"
            aria-label="First day"
            value={since}
            max={until || undefined}
            onChange={({target}) => change(target.value, until)}
          />
          –
          <input
            type="date"
            aria-label="Last day"
            value={until}
            min={since || undefined}
            onChange={({target}) => change(since, target.value)}
          />
        </span>
      )}
    </>
  )
}
