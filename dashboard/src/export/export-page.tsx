import {useMemo} from 'react'
import type {ExportedRun} from '../../../src/export/exported-run.ts'
import type {RunSource} from '../run/run-source.ts'
import {RunView} from '../run/run-view.tsx'
import {summarizeAt} from '../run/summary-at.ts'
import message from '../shell/message.module.css'
import {Page} from '../shell/page.tsx'
import {useStore} from '../ui/create-store.ts'
import {formatShare} from '../ui/figures.ts'

/** The embedded run, once it is read completely. */
export function ExportPage({run, source}: {run: ExportedRun; source: RunSource}) {
  const {snapshot, loading} = useStore(source)
  const {isCaughtUp, bytesRead, bytesTotal} = loading
  const {runId, workOrderId, isStuck} = run
  const summary = useMemo(
    () => ({...summarizeAt(runId, snapshot), workOrderId, isStuck}),
    [runId, workOrderId, isStuck, snapshot],
  )
  if (!isCaughtUp) {
    return (
      <Page title={summary.title} className={message.message}>
        <p>Unpacking… {bytesTotal > 0 && formatShare(bytesRead / bytesTotal)}</p>
      </Page>
    )
  }
  return <RunView source={source} summary={summary} canAct={false} />
}
