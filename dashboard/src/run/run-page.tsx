import {useEffect, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {fetchRun} from '../hub/api.ts'
import {useHub, useRunList} from '../hub/hub.tsx'
import message from '../shell/message.module.css'
import {NothingPage} from '../shell/nothing-page.tsx'
import {Page} from '../shell/page.tsx'
import {useStore} from '../ui/create-store.ts'
import {createHubSource} from './hub-source.ts'
import {RunView} from './run-view.tsx'
import {useNeighbourKeys} from './use-neighbour-keys.ts'

/** One run of the hub, live. */
export function RunPage({runId}: {runId: string}) {
  const {connection} = useHub()
  const [source] = useState(() => createHubSource(connection, runId))
  const isGone = useStore(source, ({loading}) => loading.isGone)
  const {runs} = useRunList()
  const [fetched, setFetched] = useState<RunSummary | 'none' | undefined>(undefined)
  const summary = runs.get(runId) ?? (fetched === 'none' ? undefined : fetched)
  useEffect(() => source.open(), [source])
  useNeighbourKeys(runId)
  const isKnown = summary !== undefined
  useEffect(() => {
    if (!isKnown) void loadRun()

    async function loadRun(): Promise<void> {
      const answer = await fetchRun(runId)
      if (answer.ok) setFetched(answer.value.run)
      else if (answer.error.code === 'no-such-run') setFetched('none')
    }
  }, [runId, isKnown])
  if (isGone) {
    return (
      <NothingPage title="The recording of this run was removed">
        <p>It was removed from the data directory of the hub while this page was open: {runId}</p>
        <p>
          Reload this page if it is restored. Files created with <code>vitrine export</code> still
          contain it.
        </p>
      </NothingPage>
    )
  }
  if (summary !== undefined) return <RunView source={source} summary={summary} canAct />
  if (fetched !== 'none') {
    return (
      <Page title="Run" className={message.message}>
        {null}
      </Page>
    )
  }
  return (
    <NothingPage title="Run not found">
      <p>It was removed, or it is on another machine: {runId}</p>
    </NothingPage>
  )
}
