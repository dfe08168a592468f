import {lazy, Suspense} from 'react'
import {RunsPage} from './runs/runs-page.tsx'
import {Frame} from './shell/frame.tsx'
import {NothingPage} from './shell/nothing-page.tsx'
import {Page} from './shell/page.tsx'
import {parsePath, usePath} from './shell/router.ts'

// Loaded lazily, because the run list does not need its heavy parts.
const RunPage = lazy(async () => {
  const {RunPage: component} = await import('./run/run-page.tsx')
  return {default: component}
})

/** The dashboard. */
export function App() {
  const place = parsePath(usePath())
  return (
    <Frame>
      {place.page === 'runs' ? (
        <RunsPage />
      ) : place.page === 'run' ? (
        <Suspense fallback={<Page title="Run">{null}</Page>}>
          <RunPage key={place.runId} runId={place.runId} />
        </Suspense>
      ) : (
        <NothingPage title="Page not found" />
      )}
    </Frame>
  )
}
