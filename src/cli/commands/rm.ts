import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {findUnreadableRun, removeRun} from '../../recording/list-runs.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {requireRun} from '../find-recording.ts'
import {mayBeRunning, pruneRuns} from '../prune-runs.ts'
import {print} from '../output.ts'
import {parseCountOrZero} from '../option-values.ts'

interface Flags {
  keep?: number
  force?: boolean
  dataDir?: string
}

/** `vitrine rm`: removes recordings. */
export const rm: Command = new Command('rm')
  .summary('remove recordings')
  .description('Remove recordings of runs that have ended.')
  .argument('[run...]', 'ids of runs')
  .option('--keep <count>', 'keep only this many of the newest recordings', parseCountOrZero)
  .option('--force', 'also remove runs of other machines that have not reported their end')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Examples:
  vitrine rm 7f3a
  vitrine rm --keep 50`,
  )
  .action(async (ids: string[], {keep, force = false, dataDir}: Flags) => {
    if (ids.length === 0 && keep === undefined) {
      throw new CliError('no runs given. Name runs to remove, or use --keep <count>')
    }
    const runs = ids.map((id) => {
      const unreadable = findUnreadableRun(id, dataDir)
      if (unreadable !== null) return unreadable
      const run = requireRun(id, dataDir)
      const {host} = run.record
      if (host !== undefined && !force && mayBeRunning(run.record)) {
        throw new CliError(`run ${id} on ${host} has not ended. Use --force to remove it anyway`)
      }
      if (host === undefined && mayBeRunning(run.record)) {
        throw new CliError(`run ${id} is still running. Show it with: vitrine attach ${id}`)
      }
      return run
    })
    for (const run of runs) removeRun(run)
    const removed = keep === undefined ? [] : pruneRuns(keep, dataDir)
    await print(`${formatCount(runs.length + removed.length, 'recording')} removed\n`)
  })
