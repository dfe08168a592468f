import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {HubError} from '../../hub/hub-error.ts'
import {rebuildIndex} from '../../hub/index/rebuild-index.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {CliError} from '../cli-error.ts'
import {print} from '../output.ts'

/** `vitrine reindex`: makes the index of the hub anew. */
export const reindex: Command = new Command('reindex')
  .description("build the hub's index anew from the recordings, while no hub runs")
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
The index is for lists and search, and nothing is only there: it can be removed at any time. A hub builds by itself what it
lacks; this is for after an upgrade that reads more out of old recordings.`,
  )
  .action(async ({dataDir = defaultDataDir()}: {dataDir?: string}) => {
    const isShown = process.stderr.isTTY
    try {
      const {runs, messages} = await rebuildIndex({
        dataDir,
        onProgress: (left) => {
          if (isShown) process.stderr.write(`\r\u001B[Kvitrine: ${formatCount(left, 'run')} left`)
        },
      })
      if (isShown) process.stderr.write('\r\u001B[K')
      await print(`${formatCount(runs, 'run')}, ${formatCount(messages, 'message')}\n`)
    } catch (error) {
      if (error instanceof HubError) throw new CliError(error.message, 1)
      throw error
    }
  })
