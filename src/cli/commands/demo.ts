import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {Command, InvalidArgumentError} from 'commander'
import {DEMO_FOLDER, play, recordPast, type Demo} from '../../demo/play.ts'
import {readStories} from '../../demo/stories.ts'
import {HubError} from '../../hub/hub-error.ts'
import {startHub} from '../../hub/start-hub.ts'
import type {Hub} from '../../hub/hub.ts'
import {describeErrno} from '../../recording/describe-errno.ts'
import {PRIVATE_FOLDER_MODE} from '../../recording/private-mode.ts'
import {CliError} from '../cli-error.ts'
import {canOpenBrowser, openBrowser} from '../open-browser.ts'
import {outliveReader, print, remark} from '../output.ts'
import {reportRun} from '../report.ts'
import {stdoutStyle} from '../style.ts'
import {untilInterrupted} from '../until-interrupted.ts'
import {parsePort} from '../values.ts'
import {version} from '../version.ts'

interface DemoFlags {
  port?: number
  dataDir?: string
  speed: number
  open: boolean
  json?: true
}

/** `vitrine demo`: a hub with runs to look at, and no agent needed. */
export const demo: Command = new Command('demo')
  .description('see it at work: a hub, a dashboard and live runs, replayed from real recordings')
  .option('-p, --port <port>', 'where to listen (4310, or any that is free)', parsePort)
  .option('--no-open', 'do not open the browser')
  .option('--speed <factor>', 'how much faster than the agents were; 1 is natural', parseSpeed, 1)
  .option('--data-dir <folder>', 'keep the recordings in this folder, which must be new or empty')
  .option('--json', 'when ready print one line of JSON: url, port, dataDir, loginUrl')
  .addHelpText(
    'after',
    `
Nothing needs to be installed and nothing is asked of a model: small programs print what real agents printed, in their
time, and Vitrine runs and judges them as it does every agent. There are always some at work, one of them waits for your
permission (allow it or not, it goes on either way), one fails. All can be stopped.

What it shows is in a temporary folder, which is removed at the end. Nothing leaves this machine.

The browser is opened unless --no-open is given, CI is set, you are here over SSH, or there is no screen.

Examples:
  vitrine demo
  vitrine demo --no-open --speed 10
  vitrine demo --data-dir ./demo       and afterwards: vitrine runs --data-dir ./demo`,
  )
  .action(async (flags: DemoFlags) => {
    const ended = untilInterrupted()
    const dataDir = prepareFolder(flags.dataDir)
    const isOurs = flags.dataDir === undefined
    const remove = () => {
      if (isOurs) rmSync(dataDir, {recursive: true, force: true, maxRetries: 5})
    }
    // Also when somebody asks twice.
    process.once('exit', remove)
    const stories = readStories()
    await recordPast({dataDir, stories})
    const hub = await begin(dataDir, flags.port)
    // It goes on when nobody reads what it prints.
    outliveReader()
    await print(flags.json === true ? describeForPrograms(hub) : describeForPeople(hub, isOurs))
    const demoing = play({
      dataDir,
      speed: flags.speed,
      stories,
      onRun: (run) => reportRun(run, {dataDir}),
      onTrouble: (error) => remark((error as Error).message),
    })
    if (flags.open && canOpenBrowser()) void openPage(hub)
    await ended
    await end(demoing, hub)
    process.exit()
  })

function parseSpeed(text: string): number {
  if (/^\d+(?:\.\d+)?$/.test(text) && Number(text) > 0) return Math.min(Number(text), 1000)
  throw new InvalidArgumentError('It must be a number above 0, such as 2 or 0.5.')
}

/** Recordings that somebody wants to keep are not mixed with those of a demo, of which old ones are removed. */
function prepareFolder(wanted: string | undefined): string {
  if (wanted === undefined) return mkdtempSync(join(tmpdir(), 'vitrine-demo-'))
  const dataDir = resolve(wanted)
  try {
    mkdirSync(dataDir, {recursive: true, mode: PRIVATE_FOLDER_MODE})
    if (readdirSync(dataDir).length === 0 || existsSync(join(dataDir, DEMO_FOLDER))) return dataDir
  } catch (error) {
    throw new CliError(`cannot write to ${dataDir}: ${describeErrno(error)}`, 1)
  }
  throw new CliError(`${dataDir} is not empty. Choose a new folder for the demo with --data-dir`)
}

/** Starts a hub; where nobody said on which port, and the usual one is taken, on another. */
async function begin(dataDir: string, port: number | undefined): Promise<Hub> {
  const options = {dataDir, version, onNotice: remark}
  try {
    return await startHub({...options, port})
  } catch (error) {
    if (!(error instanceof HubError)) throw error
    if (error.code !== 'bad-address' || port !== undefined) throw new CliError(error.message, 1)
    return startHub({...options, port: 0})
  }
}

async function openPage(hub: Hub): Promise<void> {
  // A link is good for one login, and the one that was printed is for whoever reads it.
  if (await openBrowser(hub.createLoginLink())) return
  remark('cannot open a browser. Open the link that is printed above')
}

function describeForPrograms(hub: Hub): string {
  const {url, port, dataDir} = hub
  return `${JSON.stringify({url, port, dataDir, loginUrl: hub.createLoginLink()})}\n`
}

function describeForPeople(hub: Hub, isOurs: boolean): string {
  const {colors} = stdoutStyle()
  const facts = [
    'Demo data: recordings are replayed locally. No agent runs and nothing leaves this machine.',
    isOurs ? 'Ctrl-C ends it and removes it.' : `Ctrl-C ends it. It stays in ${hub.dataDir}`,
  ]
  const link = `  ${colors.fact('open')}  ${colors.number(hub.createLoginLink())}  once, within 10 minutes\n`
  return `Vitrine demo at ${hub.url}\n${link}${facts.map((fact) => `  ${colors.fact(fact)}\n`).join('')}`
}

async function end(demoing: Demo, hub: Hub): Promise<void> {
  await demoing.stop()
  await hub.close()
}
