import {useEffect, useState, useSyncExternalStore, type ReactNode} from 'react'
import type {RunSummary} from '../../../src/core/index.ts'
import {fetchRun} from '../hub/api.ts'
import {useHub, useRunList} from '../hub/hub.tsx'
import {Link} from '../shell/link.tsx'
import {Page} from '../shell/page.tsx'
import {createHubSource, type HubSource} from './hub-source.ts'
import {RunView} from './run-view.tsx'
import {useNeighbourKeys} from './use-neighbour-keys.ts'

/** One run of the hub, live. */
export function RunPage({runId}: {runId: string}) {
  const {connection} = useHub()
  const [source] = useState<HubSource>(() => createHubSource(connection, runId))
  const {isGone} = useSyncExternalStore(source.subscribe, source.getLoading)
  const {runs} = useRunList()
  const [fetched, setFetched] = useState<RunSummary | 'none' | undefined>(undefined)
  const summary = runs.get(runId) ?? (fetched === 'none' ? undefined : fetched)
  useEffect(() => source.open(), [source])
  useNeighbourKeys(runId)
  const isKnown = summary !== undefined
  useEffect(() => {
    if (!isKnown) void look()

    async function look(): Promise<void> {
      const answer = await fetchRun(runId)
      if (answer.ok) setFetched(answer.value.run)
      else if (answer.trouble.code === 'no-such-run') setFetched('none')
    }
  }, [runId, isKnown])
  if (isGone) {
    return (
      <NoRun title="The recording of this run is gone">
        <p>It was removed from the data folder of the hub while this page was open: {runId}</p>
        <p>
          If its folder comes back, reload this page. What was made of it with{' '}
          <code>vitrine export</code> still shows it.
        </p>
      </NoRun>
    )
  }
  if (summary !== undefined) return <RunView source={source} summary={summary} canAct />
  if (fetched !== 'none') {
    return (
      <Page title="Run" className="lone">
        {null}
      </Page>
    )
  }
  return (
    <NoRun title="There is no such run">
      <p>It was removed, or it is on another machine: {runId}</p>
    </NoRun>
  )
}

function NoRun({title, children}: {title: string; children: ReactNode}) {
  return (
    <Page title={title} className="lone">
      <h1>{title}</h1>
      {children}
      <p>
        <Link className="btn" href="/">
          All runs
        </Link>
      </p>
    </Page>
  )
}
