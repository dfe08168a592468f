import {homedir} from 'node:os'
import {setFlagsFromString} from 'node:v8'
import {Command} from 'commander'
import {HubError} from '../../hub/hub-error.ts'
import {startHub} from '../../hub/start-hub.ts'
import type {AdoptedRun, Hub} from '../../hub/hub.ts'
import {describeErrno, isFileError} from '../../recording/describe-errno.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {CliError} from '../cli-error.ts'
import {createHookThread} from '../hook-thread.ts'
import {print, remark} from '../output.ts'
import {stdoutStyle} from '../style.ts'
import {untilInterrupted} from '../until-interrupted.ts'
import {parseDuration, parsePort} from '../values.ts'
import {version} from '../version.ts'

interface ServeFlags {
  host?: string
  port?: number
  dataDir?: string
  tlsCert?: string
  tlsKey?: string
  insecure?: true
  allowHost?: string[]
  progressInterval?: number
  json?: true
}

/** `vitrine serve`: keeps runs and gives them out, live. */
export const serve: Command = new Command('serve')
  .description('run the hub: every run here and elsewhere, live over WebSocket and HTTP')
  .option('-p, --port <port>', 'where to listen; 0 picks one (4310)', parsePort)
  .option('--host <address>', 'on which address (127.0.0.1)')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .option('--json', 'when ready print one line of JSON: url, port, dataDir')
  .option(
    '--progress-interval <duration>',
    'how often to tell how far runs are (1s)',
    parseDuration,
  )
  .optionsGroup('From other machines:')
  .option('--tls-cert <file>', 'the certificate')
  .option('--tls-key <file>', 'and its key')
  .option('--allow-host <name>', 'another name for this hub; can be repeated', collect)
  .option('--insecure', 'listen on a network without TLS: everybody on the way can read all')
  .addHelpText(
    'after',
    `
Everything needs a token: it is in <data-dir>/token. Programs send it as "Authorization: Bearer"; a browser opens the
login link that is printed. vitrine token makes others that may do less.

What is there: GET /api/runs, /api/runs/ID, /api/runs/ID/events, /api/runs/ID/stream, /api/runs/ID/raw, /api/search,
/api/stats, /metrics, /healthz; a WebSocket at /ws. All of it: /api/openapi.json and docs/protocol.md.

Examples:
  vitrine serve
  vitrine serve --port 0 --json
  curl -N -H "Authorization: Bearer $(vitrine token)" http://127.0.0.1:4310/api/runs/7f3a/stream
  vitrine serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem      for runners on other machines`,
  )
  .action(async (flags: ServeFlags) => {
    setFlagsFromString(COMPILE_LITTLE)
    const hub = await begin(flags)
    // While old recordings are read nobody waits, and a large heap would never be small again. The threads are there.
    for (const flag of STAY_SMALL) setFlagsFromString(flag)
    const ended = untilInterrupted()
    const hurry = () => {
      for (const flag of BE_FAST) setFlagsFromString(flag)
    }
    hub.caughtUp.then(hurry, hurry)
    if (flags.json === true) {
      const {url, port, dataDir} = hub
      await print(`${JSON.stringify({url, port, dataDir})}\n`)
    } else await print(describeHub(hub))
    const reason = await Promise.race([ended.then(() => undefined), hub.lost])
    if (reason !== undefined) remark(`${reason}. The hub stops; runs go on`)
    await hub.close().catch((error: unknown) => {
      // Without its folder the index cannot be closed properly.
      if (reason === undefined) throw error
    })
    // Runs that were adopted go on without us, and are not waited for.
    process.exit(reason === undefined ? undefined : 1)
  })

/** Functions that are compiled with a third as much of what they call in them are as fast, and ready sooner. */
const COMPILE_LITTLE = '--max-inlined-bytecode-size-cumulative=300'

/** A fifth of what is in use may be garbage, later half of it; and what is new gets no more room. A thread that is born then stays small for good. */
const STAY_SMALL = [
  '--optimize-for-size',
  '--heap-growing-percent=20',
  '--semi-space-growth-factor=1',
]
const BE_FAST = [
  '--no-optimize-for-size',
  '--heap-growing-percent=50',
  '--semi-space-growth-factor=2',
]

async function begin(flags: ServeFlags): Promise<Hub> {
  const {dataDir = defaultDataDir(), insecure, allowHost, progressInterval, ...rest} = flags
  const hooks = createHookThread(dataDir)
  try {
    return await startHub({
      ...rest,
      dataDir,
      version,
      isInsecure: insecure,
      allowHosts: allowHost,
      stateIntervalMs: progressInterval,
      adopt: (runId) => adopt(runId, dataDir),
      recordHook: hooks.recordHook,
      refreshSession: hooks.refreshSession,
      onNotice: remark,
    })
  } catch (error) {
    if (error instanceof HubError) {
      const isThere = error.code === 'already-running'
      const hint = isThere ? '. A link that logs you in: vitrine login' : ''
      throw new CliError(error.message + hint, 1)
    }
    if (!isFileError(error)) throw error
    const reason = describeErrno(error)
    throw new CliError(`cannot write to ${dataDir}: ${reason}. Choose another with --data-dir`, 1)
  }
}

/** Whoever looked after a run is gone: its limits and its verdict are ours now. */
async function adopt(runId: string, dataDir: string): Promise<AdoptedRun | null> {
  // Loaded when it is needed: whoever starts a hub wants it to be there.
  const {attach} = await import('../../runner/index.ts')
  try {
    const run = attach({runId, dataDir})
    return {stop: () => run.stop('from the dashboard'), ended: run.result}
  } catch {
    // Removed in the meantime.
    return null
  }
}

function describeHub(hub: Hub): string {
  const {colors} = stdoutStyle()
  const folder = hub.dataDir.replace(homedir(), '~')
  const others = hub.urls.slice(1)
  const rows = [
    ['log in', `${colors.number(hub.createLoginLink())}  once, within 10 minutes`],
    ['data', folder],
    ...others.map((url) => ['also at', url]),
  ]
  const lines = rows.map(([name = '', text = '']) => `  ${colors.fact(name.padEnd(8))}${text}\n`)
  return `Vitrine hub at ${hub.url}\n${lines.join('')}  ${colors.fact('Ctrl-C ends it; runs go on.')}\n`
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
