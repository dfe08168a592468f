import {homedir} from 'node:os'
import {Command} from 'commander'
import {HubError} from '../../hub/hub-error.ts'
import {thisMachine} from '../../history/discover.ts'
import {startHub} from '../../hub/start-hub.ts'
import type {AdoptedRun, Hub} from '../../hub/hub.ts'
import {describeErrno, isFileError} from '../../recording/describe-errno.ts'
import {defaultDataDir} from '../../recording/recording.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
import {createHookThread} from '../hook-thread.ts'
import {print, logToStderr} from '../output.ts'
import {getStdoutStyle} from '../style.ts'
import {waitForInterrupt} from '../wait-for-interrupt.ts'
import {collect, parseDuration, parsePort} from '../option-values.ts'
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

/** `vitrine serve`: runs the hub until it is interrupted. */
export const serve: Command = new Command('serve')
  .summary('start the hub and its dashboard')
  .description('Start the hub: the dashboard and all runs, live over HTTP and WebSocket.')
  .option('-p, --port <port>', 'port to listen on, 0 for a free one (default: 4310)', parsePort)
  .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
  .addOption(createDataDirOption())
  .option('--json', 'when ready, print one line of JSON: url, port, dataDir')
  .option(
    '--progress-interval <duration>',
    'how often to send progress and run state (default: 1s)',
    parseDuration,
  )
  .optionsGroup('Access from other machines:')
  .option('--tls-cert <file>', 'TLS certificate (PEM), needs --tls-key')
  .option('--tls-key <file>', 'private key of the certificate (PEM)')
  .option('--allow-host <name>', 'also accept requests to this host name; can be repeated', collect)
  .option('--insecure', 'listen on a network without TLS: others can read the token')
  .addHelpText(
    'after',
    `
Requests need the token in <data-dir>/token as "Authorization: Bearer <token>".
Browsers log in with the printed link. vitrine token prints restricted tokens.

API: /api/openapi.json and docs/protocol.md

Examples:
  vitrine serve
  vitrine serve --port 0 --json
  vitrine serve --host 0.0.0.0 --tls-cert cert.pem --tls-key key.pem
  curl -H "Authorization: Bearer $(vitrine token)" 127.0.0.1:4310/api/runs`,
  )
  .action(async (flags: ServeFlags) => {
    const hub = await openHub(flags)
    const ended = waitForInterrupt()
    if (flags.json === true) {
      const {url, port, dataDir} = hub
      await print(`${JSON.stringify({url, port, dataDir})}\n`)
    } else await print(describeHub(hub))
    const reason = await Promise.race([ended.then(() => undefined), hub.lost])
    if (reason !== undefined) logToStderr(`${reason}. The hub stops; runs continue`)
    await hub.close().catch((error: unknown) => {
      // Without its directory the index cannot be closed properly.
      if (reason === undefined) throw error
    })
    // Adopted runs continue without the hub.
    process.exit(reason === undefined ? undefined : 1)
  })

async function openHub(flags: ServeFlags): Promise<Hub> {
  const {dataDir = defaultDataDir(), insecure, allowHost, progressInterval, ...rest} = flags
  const hooks = createHookThread(dataDir)
  try {
    return await startHub({
      ...rest,
      dataDir,
      machine: thisMachine(),
      version,
      isInsecure: insecure,
      allowHosts: allowHost,
      stateIntervalMs: progressInterval,
      adopt: (runId) => adopt(runId, dataDir),
      recordHook: hooks.recordHook,
      refreshSession: hooks.refreshSession,
      onNotice: logToStderr,
    })
  } catch (error) {
    if (error instanceof HubError) {
      const isThere = error.code === 'already-running'
      const hint = isThere ? '. For a login link: vitrine login' : ''
      throw new CliError(error.message + hint, 1)
    }
    if (!isFileError(error)) throw error
    const reason = describeErrno(error)
    throw new CliError(
      `cannot write to ${dataDir}: ${reason}. Choose another directory with --data-dir`,
      1,
    )
  }
}

/** Takes over a run whose supervisor is gone. */
async function adopt(runId: string, dataDir: string): Promise<AdoptedRun | null> {
  // Loaded late, so that the hub starts sooner.
  const {attach} = await import('../../runner/index.ts')
  try {
    const run = attach({runId, dataDir})
    return {stop: () => run.stop('from the dashboard'), ended: run.result}
  } catch {
    // It was removed meanwhile.
    return null
  }
}

function describeHub(hub: Hub): string {
  const {colors} = getStdoutStyle()
  const folder = hub.dataDir.replace(homedir(), '~')
  const others = hub.urls.slice(1)
  const rows = [
    ['log in', `${colors.number(hub.createLoginLink())}  valid once, for 10 minutes`],
    ['data', folder],
    ...others.map((url) => ['also at', url]),
  ]
  const lines = rows.map(([name = '', text = '']) => `  ${colors.fact(name.padEnd(8))}${text}\n`)
  return `Vitrine hub at ${hub.url}\n${lines.join('')}  ${colors.fact('Ctrl-C stops the hub; runs continue.')}\n`
}
