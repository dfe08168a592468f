import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {createReporter, type HubAddress} from '../../hub/ingest/reporter.ts'
import {listRuns, type RecordedRun} from '../../recording/list-runs.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {describeUnencryptedHub, requireHub, type HubFlags} from '../find-hub.ts'
import {requireRun} from '../find-recording.ts'
import {print, logToStderr} from '../output.ts'
import {describeReportTrouble, markSent, UNSENT_FILE} from '../report-run.ts'
import {parseDuration} from '../option-values.ts'

interface ReportFlags extends HubFlags {
  timeout?: number
}

const SEND_TIMEOUT_MS = 60_000

/** `vitrine report`: sends recordings to a hub. */
export const report: Command = new Command('report')
  .summary('send recordings to a hub')
  .description('Send recordings to a hub: the given runs, or all that were not sent completely.')
  .argument('[run...]', 'ids of runs')
  .option('--hub <url>', 'URL of the hub (default: the hub on this machine)')
  .addOption(createDataDirOption())
  .option('--timeout <duration>', 'how long to try for each run (default: 60s)', parseDuration)
  .addHelpText(
    'after',
    `
The token of a hub on another machine is read from VITRINE_TOKEN.

Examples:
  vitrine report --hub https://hub.example:4310
  vitrine report 7f3a --hub https://hub.example:4310`,
  )
  .action(async (ids: string[], flags: ReportFlags) => {
    const address = await requireHub(flags)
    const warning = describeUnencryptedHub(address.url)
    if (warning !== undefined) logToStderr(warning)
    const {dataDir} = flags
    const runs = ids.length === 0 ? listUnsent(dataDir) : ids.map((id) => requireRun(id, dataDir))
    for (const run of runs) await send(run, address, flags.timeout ?? SEND_TIMEOUT_MS)
    await print(`${formatCount(runs.length, 'recording')} sent\n`)
  })

function listUnsent(dataDir: string | undefined): RecordedRun[] {
  return listRuns(dataDir).filter(({dir}) => existsSync(join(dir, UNSENT_FILE)))
}

async function send({dir, record}: RecordedRun, address: HubAddress, timeoutMs: number) {
  const failure = await new Promise<string | undefined>((resolve) => {
    const reporter = createReporter({
      dir,
      locate: () => address,
      onTrouble(trouble, url) {
        resolve(describeReportTrouble(trouble, url))
        // The failure is final, so there is nothing to wait for.
        reporter.close()
      },
    })
    const late = `run ${record.runId} was not sent completely in time. Try again, or use a longer --timeout`
    void reporter.finish(timeoutMs).then((isDone) => resolve(isDone ? undefined : late))
  })
  markSent(dir, failure === undefined, address.url)
  if (failure !== undefined) throw new CliError(failure, 1)
}
