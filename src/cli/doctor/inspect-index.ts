import {statSync} from 'node:fs'
import {formatNumber, formatWhen} from '../../core/text/figures.ts'
import {historyFile, type History} from '../../history/history.ts'
import {readHistoryFile, type HistoryStore} from '../../history/store.ts'
import {reasonOf} from '../../recording/describe-errno.ts'
import type {Check} from '../../terminal/doctor.ts'
import {shortenHome} from './shorten-home.ts'

/** Reads the index without changing it. */
export interface IndexInspection {
  store: HistoryStore
  /** The result, after the history was read with the store. */
  check(history: History): Check
}

/** Opens the index of runs and sessions. */
export function inspectIndex(dataDir: string): IndexInspection {
  const path = historyFile(dataDir)
  let problem: string | undefined
  let changed = 0
  return {
    store: {
      read() {
        try {
          const {scans, isIntact, bytes} = readHistoryFile(path)
          if (bytes > 0 && !isIntact) problem = 'it is damaged or of another version'
          return scans
        } catch (error) {
          problem = reasonOf(error)
          return new Map()
        }
      },
      write: (scans) => void (changed = scans.length),
    },
    check({entries}) {
      const count = describeCount(entries.length)
      if (problem !== undefined) {
        const text = `${shortenHome(path)}: ${problem}`
        return {name: 'Index', state: 'warning', text, fix: 'To rebuild it, run: vitrine runs'}
      }
      const stats = statSync(path, {throwIfNoEntry: false})
      if (stats === undefined) {
        return {name: 'Index', state: 'pass', text: `${count}, not indexed yet`}
      }
      const at = formatWhen(stats.mtimeMs)
      const state =
        changed === 0 ? `up to date (${at})` : `${formatNumber(changed)} changed since ${at}`
      return {name: 'Index', state: 'pass', text: `${count}, ${state}`}
    },
  }
}

function describeCount(count: number): string {
  return count === 1 ? '1 run or session' : `${formatNumber(count)} runs and sessions`
}
