import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {findUnreadableRun, findRun, removeRun} from '../../recording/list-runs.ts'
import {CliError, notHere} from '../cli-error.ts'
import {isRunning, keepNewest} from '../housekeeping.ts'
import {print} from '../output.ts'
import {parseRest} from '../values.ts'

/** `vitrine rm`: removes recordings. */
export const rm: Command = new Command('rm')
  .description('remove recordings')
  .argument('[run...]', 'their ids')
  .option('--keep <count>', 'remove all but the newest', parseRest)
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Examples:
  vitrine rm 7f3a
  vitrine rm --keep 50`,
  )
  .action(async (ids: string[], {keep, dataDir}: {keep?: number; dataDir?: string}) => {
    if (ids.length === 0 && keep === undefined) {
      throw new CliError('nothing to remove: name runs, or say how many to --keep')
    }
    const runs = ids.map((id) => {
      const run = findRun(id, dataDir)
      if (run === null) {
        const unreadable = findUnreadableRun(id, dataDir)
        if (unreadable !== null) return unreadable
        throw notHere(id)
      }
      if (isRunning(run.record)) {
        throw new CliError(`run ${id} is not over. vitrine attach ${id}`)
      }
      return run
    })
    for (const run of runs) removeRun(run)
    const removed = keep === undefined ? [] : keepNewest(keep, dataDir)
    await print(`${formatCount(runs.length + removed.length, 'recording')} removed\n`)
  })
