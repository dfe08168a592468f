import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {rebuildIndex} from '../../hub/index/rebuild-index.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {createDataDirOption} from '../common-options.ts'
import {print} from '../output.ts'
import {createProgressLine} from '../progress-line.ts'

/** `vitrine reindex`: rebuilds the index of the hub. */
export const reindex: Command = new Command('reindex')
  .summary("rebuild the hub's index")
  .description("Rebuild the hub's index from the recordings; the hub must not be running.")
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
The index is derived from the recordings and can be removed while no hub runs.
The hub adds missing runs automatically; use this after an upgrade that indexes
more.

Examples:
  vitrine reindex
  vitrine reindex --data-dir ./data`,
  )
  .action(async ({dataDir = defaultDataDir()}: {dataDir?: string}) => {
    const progress = createProgressLine()
    const {runs, messages} = await rebuildIndex({
      dataDir,
      onProgress: (left) => progress.show(`${formatCount(left, 'run')} left`),
    }).finally(progress.clear)
    await print(`${formatCount(runs, 'run')}, ${formatCount(messages, 'message')}\n`)
  })
