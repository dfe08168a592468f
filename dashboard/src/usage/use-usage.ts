import {useCallback, useEffect, useMemo, useState} from 'react'
import type {HubError} from '../hub/api.ts'
import {useConnectionState} from '../hub/hub.tsx'
import {fetchUsageOverview, type UsageOverview} from '../hub/usage-api.ts'
import {readTimezone} from '../shell/day.ts'
import type {Day, DaySpan} from './days.ts'
import {toWideSpan, type Range} from './range.ts'

/** The usage as the hub reported it last. */
interface UsageState {
  /** The range that is shown, with the filters. */
  overview?: UsageOverview | undefined
  /** The days before it too, without filters. */
  wide?: UsageOverview | undefined
  /** Why the last request failed. */
  error?: HubError | undefined
  /** Whether the range that is shown is not the chosen one yet. */
  isLoading: boolean
}

interface UsageFilter {
  range: Range
  agent: string
  project: string
}

/** A set of figures that was asked for. */
interface Request extends DaySpan {
  agent: string
  project: string
  /** Differs when the user asks again. */
  attempt: number
}

const REFRESH_MS = 30_000

/** The usage of a range, about half a minute old at most. Former figures stay until the next are loaded. */
export function useUsage(
  {range: {from, to}, agent, project}: UsageFilter,
  today: Day,
): UsageState & {reload: () => void} {
  const [attempt, setAttempt] = useState(0)
  const request = useMemo<Request>(
    () => ({from, to, agent, project, attempt}),
    [from, to, agent, project, attempt],
  )
  const [{answered, ...answer}, setAnswer] = useState<Answer>({})
  const isLost = useConnectionState().kind === 'lost'
  useEffect(() => {
    let isGone = false
    let isBusy = false
    const load = async () => {
      isBusy = true
      const [overview, wide] = await fetchBoth(request, today)
      isBusy = false
      if (isGone) return
      setAnswer((before) =>
        overview.ok
          ? {overview: overview.value, wide: wide.ok ? wide.value : before.wide, answered: request}
          : {...before, error: overview.error, answered: request},
      )
    }
    const refresh = () => {
      if (!document.hidden && !isBusy && !isLost) void load()
    }
    void load()
    const timer = setInterval(refresh, REFRESH_MS)
    document.addEventListener('visibilitychange', refresh)
    return () => {
      isGone = true
      clearInterval(timer)
      document.removeEventListener('visibilitychange', refresh)
    }
    // A connection that is back may have new figures.
  }, [request, today, isLost])
  const reload = useCallback(() => setAttempt((count) => count + 1), [])
  return {...answer, isLoading: answered !== request, reload}
}

interface Answer extends Omit<UsageState, 'isLoading'> {
  answered?: Request | undefined
}

function fetchBoth({from, to, agent, project}: Request, today: Day) {
  const toQuery = (span: DaySpan) => ({since: span.from, until: span.to, timezone: readTimezone()})
  return Promise.all([
    fetchUsageOverview({
      ...toQuery({from, to}),
      agent: agent || undefined,
      project: project || undefined,
    }),
    fetchUsageOverview(toQuery(toWideSpan({from, to}, today))),
  ])
}
