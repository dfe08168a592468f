import {existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join, resolve} from 'node:path'
import {Command} from 'commander'
import {writePastSessions} from '../../demo/past-sessions.ts'
import {DEMO_FOLDER, playStories, recordPastRuns} from '../../demo/play-stories.ts'
import {readStories} from '../../demo/stories.ts'
import {HubError} from '../../hub/hub-error.ts'
import {startHub} from '../../hub/start-hub.ts'
import type {Hub, HubOptions} from '../../hub/hub.ts'
import {describeErrno} from '../../recording/describe-errno.ts'
import {PRIVATE_FOLDER_MODE} from '../../recording/private-mode.ts'
import {CliError} from '../cli-error.ts'
import {canOpenBrowser, openBrowser} from '../open-browser.ts'
import {continueAfterEpipe, print, logToStderr} from '../output.ts'
import {reportRun} from '../report-run.ts'
import {getStdoutStyle} from '../style.ts'
import {waitForInterrupt} from '../wait-for-interrupt.ts'
import {parsePort, parseSpeed} from '../option-values.ts'
import {version} from '../version.ts'

interface DemoFlags {
  port?: number
  dataDir?: string
  speed: number
  open: boolean
  json?: true
}

/** `vitrine demo`: a hub with example runs and sessions. */
export const demo: Command = new Command('demo')
  .summary('try the dashboard with replayed runs and example sessions')
  .description('Try the dashboard with replayed runs and example sessions, without an agent.')
  .option('-p, --port <port>', 'port to listen on (default: 4310, or a free one)', parsePort)
  .option('--no-open', 'do not open the browser')
  .option('--speed <factor>', 'replay speed: 1 is the original speed', parseDemoSpeed, 1)
  .option('--data-dir <dir>', 'keep the recordings in this directory, which must be new or empty')
  .option('--json', 'when ready, print one line of JSON: url, port, dataDir, loginUrl')
  .addHelpText(
    'after',
    `
Small programs print what real agents printed, and Vitrine runs them like any
agent: some succeed, one fails, one asks for a permission. Invented session
files of the last 45 days fill the list, the search and the usage page. Your
own sessions are not read. No agent and no model is needed, and nothing leaves
this machine. Data is kept in a temporary directory that is removed at the end.

The browser is not opened in CI, over SSH or without a display.

Examples:
  vitrine demo
  vitrine demo --no-open --speed 10
  vitrine demo --data-dir ./demo`,
  )
  .action(async (flags: DemoFlags) => {
    const ended = waitForInterrupt()
    const dataDir = prepareDataDir(flags.dataDir)
    const isOurs = flags.dataDir === undefined
    // Also after a second interrupt, which exits immediately.
    if (isOurs) process.once('exit', () => removeFolder(dataDir))
    const stories = readStories()
    const folder = join(dataDir, DEMO_FOLDER)
    const [sessions] = await Promise.all([
      writePastSessions(join(folder, 'home'), (project) => join(folder, project)),
      recordPastRuns({dataDir, stories}),
    ])
    const hub = await openHub({dataDir, port: flags.port, machine: sessions.machine})
    continueAfterEpipe()
    await print(flags.json === true ? formatHubJson(hub) : formatHub(hub, isOurs))
    const demoing = playStories({
      dataDir,
      speed: flags.speed,
      stories,
      onRun: (run) => reportRun(run, {dataDir}),
      onError: (error) => logToStderr((error as Error).message),
    })
    const playing = sessions.play()
    if (flags.open && canOpenBrowser()) void openDashboard(hub)
    await ended
    playing.stop()
    await demoing.stop()
    await hub.close()
    process.exit()
  })

/** Removes a folder in which the threads of the hub may create files meanwhile. */
function removeFolder(path: string): void {
  for (let attemptsLeft = 5; existsSync(path); attemptsLeft--) {
    try {
      rmSync(path, {recursive: true, force: true})
    } catch (error) {
      if (attemptsLeft === 0) throw error
    }
  }
}

const MAX_SPEED = 1000

function parseDemoSpeed(text: string): number {
  return Math.min(parseSpeed(text), MAX_SPEED)
}

/** Rejects a directory with other recordings: the demo removes old ones. */
function prepareDataDir(wanted: string | undefined): string {
  if (wanted === undefined) return mkdtempSync(join(tmpdir(), 'vitrine-demo-'))
  const dataDir = resolve(wanted)
  try {
    mkdirSync(dataDir, {recursive: true, mode: PRIVATE_FOLDER_MODE})
    if (readdirSync(dataDir).length === 0 || existsSync(join(dataDir, DEMO_FOLDER))) return dataDir
  } catch (error) {
    throw new CliError(`cannot write to ${dataDir}: ${describeErrno(error)}`, 1)
  }
  throw new CliError(`--data-dir ${dataDir}: not empty. Choose a new or empty directory`)
}

/** Starts a hub, on a free port if the default one is in use. */
async function openHub({
  port,
  ...rest
}: Pick<HubOptions, 'dataDir' | 'machine' | 'port'>): Promise<Hub> {
  const options = {...rest, version, onNotice: logToStderr}
  try {
    return await startHub({...options, port})
  } catch (error) {
    const isInUse = error instanceof HubError && error.code === 'bad-address'
    if (!isInUse || port !== undefined) throw error
    return startHub({...options, port: 0})
  }
}

async function openDashboard(hub: Hub): Promise<void> {
  // A link is valid once, so the browser gets another one than the user.
  if (await openBrowser(hub.createLoginLink())) return
  logToStderr('cannot open a browser. Open the printed link')
}

function formatHubJson(hub: Hub): string {
  const {url, port, dataDir} = hub
  return `${JSON.stringify({url, port, dataDir, loginUrl: hub.createLoginLink()})}\n`
}

function formatHub(hub: Hub, isOurs: boolean): string {
  const {colors} = getStdoutStyle()
  const facts = [
    'Demo data: recordings are replayed locally, and past sessions are invented.',
    'No agent runs and nothing leaves this machine.',
    isOurs
      ? 'Ctrl-C stops the demo and removes its data.'
      : `Ctrl-C stops the demo. Its data stays in ${hub.dataDir}`,
  ]
  const link = `  ${colors.fact('open')}  ${colors.number(hub.createLoginLink())}  valid once, for 10 minutes\n`
  return `Vitrine demo at ${hub.url}\n${link}${facts.map((fact) => `  ${colors.fact(fact)}\n`).join('')}`
}
