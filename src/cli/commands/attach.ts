import {Command, Option} from 'commander'
import {exitCodeOf} from '../../core/run/verdict.ts'
import {RunError} from '../../recording/run-error.ts'
import type {AgentRun} from '../../runner/agent-run.ts'
import {attach, type AttachOptions} from '../../runner/attach.ts'
import {CliError} from '../cli-error.ts'
import {logToStderr} from '../output.ts'
import {createView} from '../run-view.ts'
import {showRun} from '../show-run.ts'

interface AttachFlags {
  format: 'pretty' | 'json' | 'raw' | 'quiet'
  dataDir?: string
  verbose: number
  text: boolean
}

/** `vitrine attach`: goes on with a run that nobody looks after any more, or looks on. */
export const attachCommand: Command = new Command('attach')
  .description('show a run from its beginning and go on with it while it runs')
  .argument('<run>', 'its id')
  .addOption(
    new Option('-f, --format <format>', 'as of vitrine run')
      .choices(['pretty', 'json', 'raw', 'quiet'])
      .default('pretty'),
  )
  .option('-v, --verbose', 'more: thoughts, whole texts, output; -vv all of it', (_, n) => n + 1, 0)
  .option('--no-text', 'leave out what the agent says')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
When vitrine run was killed, the agent runs on, recorded. Attach looks after it again, to its verdict.
Ctrl-C leaves; the agent goes on.

Examples:
  vitrine attach 7f3a`,
  )
  .action(async (id: string, flags: AttachFlags) => {
    const view = await createView({...flags, escapes: true})
    const agent = startAttach({
      runId: id,
      dataDir: flags.dataDir,
      onOutput: view.onOutput,
      onStderr: view.onStderr,
      onNotice: view.onNotice,
    })
    view.start(agent)
    process.once('SIGINT', () => {
      view.leave?.()
      logToStderr(`left run ${agent.runId}; it goes on. vitrine attach ${agent.runId}`)
      process.exit(130)
    })
    const {verdict} = await showRun(agent, view)
    process.exitCode = exitCodeOf(verdict)
  })

function startAttach(options: AttachOptions): AgentRun {
  try {
    return attach(options)
  } catch (error) {
    if (error instanceof RunError) throw new CliError(error.message)
    throw error
  }
}
