import {useEffect, useState} from 'react'
import type {EntryQuery} from '../hub/api.ts'
import {fetchHistoryDays, type HistoryDays} from '../hub/history-api.ts'
import {useConnectionState} from '../hub/hub.tsx'
import {readTimezone} from '../shell/day.ts'

const REFRESH_MS = 10_000

/**
 * Counts of the runs and sessions that meet a query, about ten seconds old at most; `undefined` until they are known,
 * `null` with a hub that does not count them.
 *
 * @param query - Without one, nothing is requested.
 * @param stamp - Requests the counts again when it changes.
 */
export function useHistoryDays(
  query: EntryQuery | undefined,
  stamp: number,
): HistoryDays | null | undefined {
  const [answer, setAnswer] = useState<{key: string; days: HistoryDays | null}>()
  const isLive = useConnectionState().kind === 'live'
  const key = query === undefined ? undefined : JSON.stringify(query)
  useEffect(() => {
    if (!isLive || key === undefined) return undefined
    let isGone = false
    const refresh = async () => {
      if (document.hidden) return
      const asked = JSON.parse(key) as EntryQuery
      const answered = await fetchHistoryDays({...asked, timezone: readTimezone()})
      if (isGone) return
      if (answered.ok) return setAnswer({key, days: answered.value})
      clearInterval(timer)
      // Without a connection, the last counts stay.
      if (answered.error.code !== 'unreachable') setAnswer({key, days: null})
    }
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    void refresh()
    return () => {
      isGone = true
      clearInterval(timer)
    }
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- the counts change with the stamp
  }, [isLive, key, stamp])
  return answer !== undefined && answer.key === key ? answer.days : undefined
}
