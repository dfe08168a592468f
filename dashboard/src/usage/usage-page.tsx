import {useCallback, useMemo} from 'react'
import {formatClock} from '../../../src/core/text/figures.ts'
import {useRunList} from '../hub/hub.tsx'
import page from '../shell/page.module.css'
import {Page} from '../shell/page.tsx'
import {ControlsBar} from './controls-bar.tsx'
import {downloadCsv} from './download-csv.ts'
import {listAgentOptions, listProjectOptions} from './filter-options.ts'
import {makeNames} from './names.ts'
import styles from './usage-page.module.css'
import {useControls} from './use-controls.ts'
import {useCustomDates} from './use-custom-dates.ts'
import {useToday} from './use-today.ts'
import {useUsage} from './use-usage.ts'
import {UsageContent} from './usage-content.tsx'
import {EmptyUsage, FailedUsage, LoadingUsage} from './usage-states.tsx'

/** The usage and the cost of all agents on this machine. */
export function UsagePage() {
  const today = useToday()
  const controls = useControls(today)
  const {overview, wide, error, isLoading, reload} = useUsage(controls, today)
  const {firstDate, enterDates} = useCustomDates(controls.range)
  const {agent, project} = controls
  const {runs} = useRunList()
  const all = wide ?? overview
  const names = useMemo(
    () => makeNames(all?.folders ?? [], all?.cells ?? [], runs.values()),
    [all, runs],
  )
  const agents = useMemo(
    () => listAgentOptions(all?.cells ?? [], agent, names),
    [all, agent, names],
  )
  const projects = useMemo(
    () => listProjectOptions(all?.cells ?? [], project, names),
    [all, project, names],
  )
  const exportCells = useCallback(() => overview !== undefined && downloadCsv(overview), [overview])
  const isEmpty =
    all !== undefined && all.cells.length === 0 && all.folders.every(({sessions}) => sessions === 0)
  return (
    <Page title="Usage" className={page.content}>
      <div className={page.head}>
        <h1 className={page.title}>Usage</h1>
        {overview !== undefined && (
          <p className={styles.scope}>
            {agent === '' ? 'All agents on this machine' : names.agent(agent)} · {overview.timezone}{' '}
            ·{' '}
            {error === undefined
              ? `updated ${formatClock(overview.updatedAt)}`
              : `not updated since ${formatClock(overview.updatedAt)}: ${error.message}`}
          </p>
        )}
      </div>
      {isEmpty ? (
        <EmptyUsage folders={all.folders} />
      ) : (
        <>
          <ControlsBar
            controls={controls}
            today={today}
            agents={agents}
            projects={projects}
            firstDate={firstDate}
            onExport={overview === undefined ? undefined : exportCells}
          />
          {overview !== undefined ? (
            <div aria-busy={isLoading}>
              <UsageContent
                overview={overview}
                wide={wide}
                controls={controls}
                names={names}
                today={today}
                onCustom={enterDates}
              />
            </div>
          ) : error === undefined ? (
            <LoadingUsage />
          ) : (
            <FailedUsage error={error} onRetry={reload} />
          )}
        </>
      )}
    </Page>
  )
}
