import {resolve} from 'node:path'
import {Command} from 'commander'
import {thisMachine} from '../../history/discover.ts'
import {readHistory} from '../../history/history.ts'
import {readConfig} from '../../recording/config.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {formatChecks, type Check} from '../../terminal/doctor.ts'
import {createDataDirOption} from '../common-options.ts'
import {checkAgents, findInstalled} from '../doctor/check-agents.ts'
import {checkData} from '../doctor/check-data.ts'
import {checkDataFolder, checkHub, checkVersion} from '../doctor/check-installation.ts'
import {inspectIndex} from '../doctor/inspect-index.ts'
import {formatJsonLine, print} from '../output.ts'
import {describeReading} from '../reading-progress.ts'
import {getStdoutStyle} from '../style.ts'

/** `vitrine doctor`: checks the installation, the agents and their sessions. */
export const doctor: Command = new Command('doctor')
  .summary('check the installation, agents and session folders')
  .description('Check the installation, the agents and their session folders, without changes.')
  .option('--json', 'print the checks as JSON')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
Exits with 1 if a check fails, and with 0 otherwise, also with warnings.

Examples:
  vitrine doctor
  vitrine doctor --json | jq -r '.checks[] | select(.state != "pass") | .text'`,
  )
  .action(async ({json, dataDir = defaultDataDir()}: {json?: true; dataDir?: string}) => {
    const checks = await runChecks(resolve(dataDir))
    await print(
      json === true ? formatJsonLine(toReport(checks)) : formatChecks(checks, getStdoutStyle()),
    )
    if (checks.some(({state}) => state === 'fail')) process.exitCode = 1
  })

async function runChecks(dataDir: string): Promise<Check[]> {
  const reading = describeReading()
  const index = inspectIndex(dataDir)
  const [installed, hub, history] = await Promise.all([
    findInstalled(),
    checkHub(dataDir),
    readHistory({
      dataDir,
      machine: thisMachine(),
      store: index.store,
      onProgress: reading.show,
    }).finally(reading.clear),
  ])
  return [
    checkVersion(),
    checkDataFolder(dataDir),
    index.check(history),
    hub,
    ...checkAgents(installed, history),
    ...checkData(dataDir, history, readConfig(dataDir)),
  ]
}

function toReport(checks: readonly Check[]) {
  const count = (wanted: Check['state']) => checks.filter(({state}) => state === wanted).length
  return {checks, passed: count('pass'), warnings: count('warning'), failed: count('fail')}
}
