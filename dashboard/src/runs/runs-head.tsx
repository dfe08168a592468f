import {useEffect, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {fetchStats, type Stats} from '../hub/api.ts'
import {useConnectionState} from '../hub/hub.tsx'
import {formatCost, formatNumber} from '../ui/figures.ts'
import styles from './runs-head.module.css'

const REFRESH_MS = 10_000

/** The title of the page, and the cost of today. */
export function RunsHead({runs}: {runs: ReadonlyMap<string, RunSummary>}) {
  const stats = useStats()
  const live = [...runs.values()].filter(({state}) => state !== 'over')
  const known = live.filter(({costUsd}) => costUsd !== null)
  const sum = known.reduce((total, {costUsd}) => total + (costUsd ?? 0), 0)
  const isEstimate = known.some((run) => run.isEstimate)
  return (
    <div className={styles.head}>
      <h1 className={styles.title}>Runs</h1>
      <p className={styles.spending}>
        {stats !== undefined && (
          <span>
            <b>{formatCost(stats.today.costUsd)}</b> today
          </span>
        )}
        {known.length > 0 && (
          <span>
            <b>{formatCost(sum, isEstimate)}</b> running now
          </span>
        )}
        {stats !== undefined && (
          <span>
            <b>{formatNumber(stats.today.runs)}</b> {stats.today.runs === 1 ? 'run' : 'runs'} today
          </span>
        )}
      </p>
    </div>
  )
}

/** The statistics of the hub, about ten seconds old at most. */
function useStats(): Stats | undefined {
  const [stats, setStats] = useState<Stats | undefined>(undefined)
  const isLive = useConnectionState().kind === 'live'
  useEffect(() => {
    if (!isLive) return undefined
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
  }, [isLive])
  return stats
}
