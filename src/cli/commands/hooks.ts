import {homedir} from 'node:os'
import {join} from 'node:path'
import {Argument, Command} from 'commander'
import {formatCount, makeHarmless} from '../../core/index.ts'
import {CliError} from '../cli-error.ts'
import {hookCommand} from '../hooks/hook-command.ts'
import {diffLines} from '../hooks/line-diff.ts'
import {
  ALL_EVENTS,
  addHooks,
  areDisabled,
  eventsFor,
  findFlaw,
  listOurs,
  removeHooks,
} from '../hooks/settings.ts'
import {
  backUp,
  listBackups,
  readSettings,
  removeSettings,
  settingsPath,
  writeSettings,
  type SettingsChoice,
} from '../hooks/settings-file.ts'
import {print, remark} from '../output.ts'
import {findProgram, readVersion} from '../programs.ts'
import {stdoutStyle} from '../style.ts'

interface HooksOptions extends SettingsChoice {
  dryRun?: true
  all?: true
  dataDir?: string
}

/** `vitrine hooks`: makes Claude Code tell of its sessions. */
export const hooks: Command = new Command('hooks')
  .description('have Claude Code tell Vitrine of its sessions, in a terminal or anywhere else')
  .addArgument(
    new Argument('<action>', 'what to do').choices(['install', 'uninstall', 'status'] as const),
  )
  .option('--project', "the project's settings: .claude/settings.json")
  .option('--local', 'your own for the project: .claude/settings.local.json')
  .option('--settings <file>', 'any other settings file (~/.claude/settings.json)')
  .option('--all', 'all events, also those that older versions of Claude do not know')
  .option('--dry-run', 'show what would change, and change nothing')
  .option('--data-dir <folder>', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Adds a hook that calls vitrine hook to the settings of Claude Code, for each event worth seeing. New sessions
are then runs like any other: vitrine runs lists them, vitrine view shows them, vitrine attach watches them.
Everything else in the settings stays as it is, to the byte, and a backup is kept beside them.

Which events are written depends on claude --version: older versions leave out the whole file for the name of
an event that they do not know. When claude is not found only the oldest are written; --all writes all.

Examples:
  vitrine hooks install --dry-run                 what it would write
  vitrine hooks install                           for all your sessions
  vitrine hooks install --local                   for this project, and you alone
  vitrine hooks uninstall                         takes out what it has put in, nothing else`,
  )
  .action(async (action: 'install' | 'uninstall' | 'status', options: HooksOptions) => {
    const path = settingsPath(options)
    const before = readSettings(path)
    const flaw = findFlaw(before ?? '')
    if (flaw !== undefined) throw new CliError(`${path}: ${flaw}. Nothing was changed`)
    if (action === 'status') return showStatus(path, before)
    if (action === 'install') return install(path, before, options)
    return uninstall(path, before, options)
  })

async function install(path: string, before: string | null, options: HooksOptions): Promise<void> {
  const version = options.all === true ? null : await claudeVersion()
  const events = options.all === true ? ALL_EVENTS : eventsFor(version)
  const after = addHooks(before ?? '', hookCommand(options.dataDir), events)
  if (after === before) {
    return print(`${path}: nothing to do, ${formatCount(events.length, 'hook')} in place\n`)
  }
  await showDiff(path, before ?? '', after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  const backup = before === null ? undefined : backUp(path, before)
  writeSettings(path, after)
  const kept = backup === undefined ? '' : `, as it was: ${backup}`
  await print(`\n${formatCount(events.length, 'hook')} in place${kept}\n`)
  await print('New sessions of Claude Code are recorded now. See them with vitrine runs\n')
  if (options.all !== true && events.length < ALL_EVENTS.length) {
    const why = version === null ? 'claude was not found' : `claude ${version} knows no more`
    remark(`only the oldest events were written: ${why}. --all writes all of them`)
  }
  if (areDisabled(after)) remark('the settings have disableAllHooks: Claude calls none of them')
}

async function uninstall(
  path: string,
  before: string | null,
  options: HooksOptions,
): Promise<void> {
  const [first] = listOurs(before ?? '')
  if (before === null || first === undefined) {
    return print(`${path}: nothing to do, no hooks of Vitrine\n`)
  }
  const after = findOriginal(path, before) ?? removeHooks(before)
  // A file that we changed has a copy; one without was made by us.
  const isOurs = after.trim() === '{}' && listBackups(path).length === 0
  await showDiff(path, before, isOurs ? '' : after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  if (isOurs) removeSettings(path)
  else writeSettings(path, after)
  await print(`\n${formatCount(listOurs(before).length, 'hook')} removed\n`)
}

/** The settings as they were, if nothing has changed since but for our hooks: down to lists that were empty. */
function findOriginal(path: string, settings: string): string | undefined {
  const ours = listOurs(settings)
  const events = ours.map(({event}) => event)
  const command = ours[0]?.command ?? ''
  return listBackups(path).find(({content}) => {
    if (findFlaw(content) !== undefined || listOurs(content).length > 0) return false
    return addHooks(content, command, events) === settings
  })?.content
}

async function showStatus(path: string, settings: string | null): Promise<void> {
  const ours = listOurs(settings ?? '')
  if (ours.length === 0) return print(`${path}: no hooks of Vitrine\n`)
  const commands = [...new Set(ours.map(({command}) => command))]
  const count = formatCount(ours.length, 'hook')
  await print(`${path}: ${count} of Vitrine\n`)
  for (const command of commands) await print(`  ${makeHarmless(command)}\n`)
  await print(`  ${ours.map(({event}) => event).join(' ')}\n`)
  if (areDisabled(settings ?? '')) {
    remark('the settings have disableAllHooks: Claude calls none of them')
  }
}

/** More lines than this push what matters off the screen: each hook is like the first. */
const MOST_LINES = 24

async function showDiff(
  path: string,
  before: string,
  after: string,
  {dryRun}: HooksOptions,
): Promise<void> {
  const {colors} = stdoutStyle()
  const paint = {'+': colors.added, '-': colors.removed, ' ': (text: string) => text}
  const lines = diffLines(before, after).map((line) =>
    line === null
      ? colors.frame('  ...')
      : paint[line.sign](`${line.sign} ${makeHarmless(line.text)}`.trimEnd()),
  )
  const shown = dryRun === true ? lines : lines.slice(0, MOST_LINES)
  const rest = formatCount(lines.length - shown.length, 'more line')
  const more = shown.length === lines.length ? '' : `  … ${rest}; --dry-run shows all, beforehand\n`
  await print(`${path}\n${shown.join('\n')}\n${more}`)
}

function claudeVersion(): Promise<string | null> {
  const path = findProgram(['claude', join(homedir(), '.claude', 'local', 'claude')])
  return path === null ? Promise.resolve(null) : readVersion(path)
}
