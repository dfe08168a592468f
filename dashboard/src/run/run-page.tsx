import {useEffect, useState} from 'react'
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
  if (summary === undefined) {
    return (
      <Page title="Run" className="lone">
        {fetched === 'none' && (
          <>
            <h1>There is no such run</h1>
            <p>It was removed, or it is on another machine: {runId}</p>
            <p>
              <Link className="btn" href="/">
                All runs
              </Link>
            </p>
          </>
        )}
      </Page>
    )
  }
  return <RunView source={source} summary={summary} canAct />
}
