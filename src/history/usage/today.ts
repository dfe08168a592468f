import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {isRecord, numberAt, parseText, textAt} from '../../core/wire/json.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {writeAtomic} from '../../recording/write-atomic.ts'
import {createUsageBlocks} from './blocks.ts'
import {createCalendar} from './calendar.ts'
import {formatDay} from './days.ts'
import type {UsageEntry, UsagePrices} from './report.ts'
import {createUsageReport} from './usage-report.ts'

/** The usage of today and of the current block, for programs that cannot wait until it is counted. */
export interface Today {
  /** When it was counted. */
  at: number
  /** The local day. */
  day: string
  costUsd: number
  isEstimate: boolean
  /** When the current block of Claude Code ends, if one is open. */
  blockEndsAt?: number | undefined
}

/** Counts the usage of today. */
export function countToday(
  entries: readonly UsageEntry[],
  prices: UsagePrices,
  now: number = Date.now(),
): Today {
  const day = formatDay(createCalendar().dayOf(now))
  const range = {since: day, until: day}
  const {total} = createUsageReport(entries, prices, {...range, group: 'day'}).report
  const [block] = createUsageBlocks(entries, prices, {now})
  return {
    at: now,
    day,
    costUsd: total.costUsd ?? 0,
    isEstimate: total.isEstimate,
    blockEndsAt: block?.isOpen === true ? block.to : undefined,
  }
}

/** Writes the usage of today into the data directory. */
export function writeToday(dataDir: string, today: Today): void {
  makeFolder(dataDir)
  writeAtomic(pathIn(dataDir), `${JSON.stringify(today)}\n`)
}

/** Reads the usage of today as it was counted last; `undefined` if that was on another day. */
export function readToday(dataDir: string, now: number = Date.now()): Today | undefined {
  const value = parseText(readText(pathIn(dataDir)))
  const at = numberAt(value, 'at')
  const day = textAt(value, 'day')
  const isToday = day === formatDay(createCalendar().dayOf(now))
  if (!isRecord(value) || at === undefined || day === undefined || !isToday) return undefined
  return {
    at,
    day,
    costUsd: numberAt(value, 'costUsd') ?? 0,
    isEstimate: value['isEstimate'] === true,
    blockEndsAt: numberAt(value, 'blockEndsAt'),
  }
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'today.json')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // It was never counted.
    return ''
  }
}
