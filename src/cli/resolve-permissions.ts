import {listAnswerableAgents} from '../agents/list.ts'
import type {PermissionMode} from '../permissions/rules.ts'
import {findCommandAgent} from '../runner/command.ts'
import type {PermissionOptions} from '../runner/permission-broker.ts'
import {requireAgent} from './agent-names.ts'
import {CliError} from './cli-error.ts'
import {findHub} from './find-hub.ts'
import type {RunViewOptions} from './show-run.ts'

/** Options of `vitrine run` that decide about permissions. */
export interface PermissionFlags extends Pick<RunViewOptions, 'format'> {
  agent?: string | undefined
  dataDir?: string | undefined
  permissions?: PermissionMode | undefined
  allow?: string[] | undefined
  deny?: string[] | undefined
  answerTimeout?: number | undefined
  hub?: string | false | undefined
}

/**
 * Resolves how permission requests of a command are answered. Rules without a mode ask about other requests on a
 * terminal, and deny them elsewhere.
 *
 * @throws CliError if the agent asks for no permissions, or if no user can be asked.
 */
export async function resolvePermissions(
  words: readonly string[],
  flags: PermissionFlags,
): Promise<PermissionOptions> {
  const {allow, deny, answerTimeout: answerTimeoutMs, format} = flags
  const canAsk = process.stdin.isTTY && process.stdout.isTTY && format === 'pretty'
  const hasRules = allow !== undefined || deny !== undefined
  const permissions = flags.permissions ?? (hasRules ? (canAsk ? 'ask' : 'deny') : undefined)
  const agent = flags.agent === undefined ? findCommandAgent(words) : requireAgent(flags.agent)
  if (permissions !== undefined && agent?.control === undefined) {
    const name = agent?.id ?? words[0]
    const flag = flags.permissions === undefined ? '--allow and --deny are' : '--permissions is'
    throw new CliError(
      `${flag} not supported for ${name}. Agents that ask for permissions: ${listAnswerableAgents()}`,
    )
  }
  if (permissions === 'ask' && !canAsk && !(await hasHub(flags))) {
    throw new CliError(
      '--permissions ask needs a terminal or a running hub. Start a hub with vitrine serve, or use --permissions deny with --allow',
    )
  }
  return {permissions, allow, deny, answerTimeoutMs}
}

/** Whether a hub is running that could send answers. */
async function hasHub({hub, dataDir}: PermissionFlags): Promise<boolean> {
  const address = hub === false ? null : await findHub({hub, dataDir})
  if (address === null) return false
  try {
    const signal = AbortSignal.timeout(HUB_TIMEOUT_MS)
    return (await fetch(`${address.url}/healthz`, {signal})).ok
  } catch {
    return false
  }
}

const HUB_TIMEOUT_MS = 3000
