import {lazy, Suspense} from 'react'
import {RunsPage} from './runs/runs-page.tsx'
import {Frame} from './shell/frame.tsx'
import {NothingPage} from './shell/nothing-page.tsx'
import {Page} from './shell/page.tsx'
import {parsePath, usePath} from './shell/router.ts'

// Loaded lazily, because the run list does not need their parts.
const RunPage = lazy(async () => {
  const {RunPage: component} = await import('./run/run-page.tsx')
  return {default: component}
})
const UsagePage = lazy(async () => {
  const {UsagePage: component} = await import('./usage/usage-page.tsx')
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
      ) : place.page === 'usage' ? (
        <Suspense fallback={<Page title="Usage">{null}</Page>}>
          <UsagePage />
        </Suspense>
      ) : (
        <NothingPage title="Page not found" />
      )}
    </Frame>
  )
}
