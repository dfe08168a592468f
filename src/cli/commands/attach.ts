import {Command, Option} from 'commander'
import {exitCodeOf} from '../../core/run/verdict.ts'
import {RunError} from '../../recording/run-error.ts'
import type {AgentRun} from '../../runner/agent-run.ts'
import {attach, type AttachOptions} from '../../runner/attach.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption, createNoTextOption, createVerboseOption} from '../common-options.ts'
import {logToStderr} from '../output.ts'
import {createView} from '../run-view.ts'
import {showRun} from '../show-run.ts'

interface AttachFlags {
  format: 'pretty' | 'json' | 'raw' | 'quiet'
  dataDir?: string
  verbose: number
  text: boolean
}

/** `vitrine attach`: shows a run and takes over its supervision if needed. */
export const attachCommand: Command = new Command('attach')
  .summary('show a live run and supervise it again')
  .description('Show a run from its start, and supervise it again if vitrine run was killed.')
  .argument('<run>', 'id of the run, or its first characters')
  .addOption(
    new Option(
      '-f, --format <format>',
      "pretty: readable lines; json: one event per line; raw: the agent's own output; quiet: only the result",
    )
      .choices(['pretty', 'json', 'raw', 'quiet'])
      .default('pretty'),
  )
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
      logToStderr(
        `detached from run ${agent.runId}. Attach again with: vitrine attach ${agent.runId}`,
      )
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
