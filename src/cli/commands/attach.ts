import {Command} from 'commander'
import {exitCodeOf} from '../../core/run/verdict.ts'
import {attach} from '../../runner/attach.ts'
import {
  createDataDirOption,
  createFormatOption,
  createNoTextOption,
  createVerboseOption,
} from '../common-options.ts'
import {requireRun} from '../find-recording.ts'
import {logToStderr} from '../output.ts'
import {createView} from '../run-view.ts'
import {createViewCallbacks, showRun, type RunViewOptions} from '../show-run.ts'

/** `vitrine attach`: shows a run and takes over its supervision if needed. */
export const attachCommand: Command = new Command('attach')
  .summary('follow a run; supervise it if vitrine run was killed')
  .description(
    'Show a run from its start, and take over its supervision if vitrine run was killed.',
  )
  .argument('<run>', 'id of the run, or its first characters')
  .addOption(createFormatOption())
  .addOption(createVerboseOption())
  .addOption(createNoTextOption())
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
An agent keeps running, and is recorded, when vitrine run is killed. attach
applies its limits again and writes the verdict. Ctrl-C detaches; the agent
keeps running.

Examples:
  vitrine attach 7f3a
  vitrine attach 7f3a --format quiet           wait for the verdict`,
  )
  .action(async (id: string, flags: RunViewOptions & {dataDir?: string}) => {
    const {runId} = requireRun(id, flags.dataDir).record
    const callbacks = createViewCallbacks(() => creatingView)
    const agent = attach({runId, dataDir: flags.dataDir, ...callbacks})
    const creatingView = createView(agent, {...flags, escapes: true})
    const view = await creatingView
    process.once('SIGINT', () => {
      view.leave?.()
      logToStderr(
        `detached from run ${agent.runId}. Attach again with: vitrine attach ${agent.runId}`,
      )
      process.exit(130)
    })
    const {verdict} = await showRun(agent, view)
    process.exitCode = exitCodeOf(verdict)
  })
