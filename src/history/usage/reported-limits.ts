import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {numberAt, objectsAt, parseText} from '../../core/wire/json.ts'
import {makeFolder} from '../../recording/make-folder.ts'
import {writeAtomic} from '../../recording/write-atomic.ts'
import type {ReportedLimit} from './report.ts'

/** A month of blocks, with at least one each hour. */
const MAX_LIMITS = 200
/** Claude Code updates its status several times a second. */
const WRITE_INTERVAL_MS = 60_000

/** Reads the limits of blocks that were reported to `vitrine statusline`, the oldest first. */
export function readReportedLimits(dataDir: string): ReportedLimit[] {
  return objectsAt(parseText(readText(pathIn(dataDir))), 'limits').flatMap((value) => {
    const [at, usedShare] = [numberAt(value, 'at'), numberAt(value, 'usedShare')]
    if (at === undefined || usedShare === undefined || usedShare < 0) return []
    return [{at, usedShare, resetsAt: numberAt(value, 'resetsAt')}]
  })
}

/** Saves a limit, once a minute unless its share changes. The last report about a block replaces the ones before. */
export function saveReportedLimit(dataDir: string, limit: ReportedLimit): void {
  const limits = readReportedLimits(dataDir)
  const last = limits.at(-1)
  const isSame = last?.usedShare === limit.usedShare && last.resetsAt === limit.resetsAt
  if (isSame && limit.at - last.at < WRITE_INTERVAL_MS) return
  const others = limits.filter(({resetsAt}) => resetsAt !== limit.resetsAt)
  makeFolder(dataDir)
  const content = {limits: [...others, limit].slice(-MAX_LIMITS)}
  writeAtomic(pathIn(dataDir), `${JSON.stringify(content)}\n`)
}

function pathIn(dataDir: string): string {
  return join(dataDir, 'limits.json')
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Without reports there is no file.
    return ''
  }
}
