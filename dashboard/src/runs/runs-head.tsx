import {useEffect, useState} from 'react'
import {fetchStats, type Stats} from '../hub/api.ts'
import type {HistoryDays} from '../hub/history-api.ts'
import {useConnectionState, useRunList} from '../hub/hub.tsx'
import {dayOf} from '../shell/day.ts'
import page from '../shell/page.module.css'
import {formatCost, formatNumber} from '../ui/figures.ts'
import styles from './runs-head.module.css'

const REFRESH_MS = 10_000

/** The title of the page, the cost of today, and how many runs and sessions there are. */
export function RunsHead({
  title,
  history,
}: {
  title: string
  history: HistoryDays | null | undefined
}) {
  const {runs, total, at} = useRunList()
  const cost = useCostToday(history, dayOf(at))
  const live = [...runs.values()].filter(({state}) => state !== 'over').length
  return (
    <div className={page.head}>
      <h1 className={page.title}>{title}</h1>
      <p className={styles.spending}>
        {cost !== undefined && (
          <span>
            <b>{formatCost(cost.usd, cost.isEstimate)}</b> today
          </span>
        )}
        {live > 0 && (
          <span>
            <b>{formatNumber(live)}</b> live
          </span>
        )}
        <span>
          <b>{formatNumber(total)}</b> {total === 1 ? 'run or session' : 'runs and sessions'}
        </span>
      </p>
    </div>
  )
}

/** The cost of the runs and sessions of today; only of runs with a hub that does not count sessions. */
function useCostToday(
  history: HistoryDays | null | undefined,
  today: string,
): {usd: number | null; isEstimate: boolean} | undefined {
  const stats = useStats(history === null)
  if (history) {
    const found = history.days.find(({day}) => day === today)
    return {usd: found === undefined ? 0 : found.costUsd, isEstimate: found?.isEstimate ?? false}
  }
  return stats && {usd: stats.today.costUsd, isEstimate: false}
}

/** The statistics of the hub, about ten seconds old at most. */
function useStats(isWanted: boolean): Stats | undefined {
  const [stats, setStats] = useState<Stats | undefined>(undefined)
  const isLive = useConnectionState().kind === 'live'
  useEffect(() => {
    if (!isLive || !isWanted) return undefined
    let isGone = false
    const refresh = async () => {
      if (document.hidden) return
      const answer = await fetchStats()
      if (answer.ok && !isGone) setStats(answer.value)
    }
    void refresh()
    const timer = setInterval(() => void refresh(), REFRESH_MS)
    return () => {
      isGone = true
      clearInterval(timer)
    }
  }, [isLive, isWanted])
  return stats
}
