import {spawn} from 'node:child_process'
import {readToday} from '../history/usage/today.ts'
import type {StatusFacts} from '../terminal/usage-statusline.ts'

/** The usage of all sessions that a status line shows. */
export type RecordedUsage = Pick<StatusFacts, 'today' | 'block'>

/** Older figures are shown, and counted again by another process. */
const MAX_AGE_MS = 15_000

/** Reads the cost of today and the current block as they were counted last: counting takes longer than a status line may. */
export function readRecordedUsage(dataDir: string, now: number = Date.now()): RecordedUsage {
  const today = readToday(dataDir, now)
  if (today === undefined || now - today.at > MAX_AGE_MS) countLater(dataDir)
  if (today === undefined) return {}
  const {costUsd, isEstimate, blockEndsAt} = today
  return {
    today: {costUsd, isEstimate},
    block: blockEndsAt !== undefined && blockEndsAt > now ? {endsAt: blockEndsAt} : undefined,
  }
}

/** Starts `vitrine statusline --count`, which continues after this process. */
function countLater(dataDir: string): void {
  const [node = '', program = ''] = process.argv
  const args = [program, 'statusline', '--count', '--data-dir', dataDir]
  const child = spawn(node, args, {detached: true, stdio: 'ignore'})
  // Without it the line has no cost of today.
  child.on('error', () => {})
  child.unref()
}

/** Counts the usage of today, unless another process has just done so. */
export async function countRecordedUsage(dataDir: string): Promise<void> {
  const before = readToday(dataDir)
  if (before !== undefined && Date.now() - before.at < MAX_AGE_MS) return
  const [{readHistory}, {createPriceFinder}, {readConfig}, {countToday, writeToday}] =
    await Promise.all([
      import('../history/history.ts'),
      import('../history/prices/find-price.ts'),
      import('../recording/config.ts'),
      import('../history/usage/today.ts'),
    ])
  const {entries} = await readHistory({dataDir})
  const prices = createPriceFinder(readConfig(dataDir).config.prices)
  writeToday(dataDir, countToday(entries, prices))
}
