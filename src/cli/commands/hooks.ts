import {homedir} from 'node:os'
import {join} from 'node:path'
import {Argument, Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {escapeControls} from '../../core/text/text.ts'
import {maskSecrets} from '../../secrets/mask-secrets.ts'
import {CliError} from '../cli-error.ts'
import {hookCommand} from '../hook-command.ts'
import {cutLines, diffLines} from '../../hooks/line-diff.ts'
import {
  ALL_EVENTS,
  addHooks,
  areDisabled,
  eventsFor,
  findFlaw,
  listHandWritten,
  listOurs,
  removeHooks,
} from '../../hooks/settings.ts'
import {
  backUp,
  listBackups,
  readSettings,
  refuseReadOnly,
  removeSettings,
  settingsPath,
  writeSettings,
  type SettingsChoice,
  type SettingsText,
} from '../../hooks/settings-file.ts'
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
Everything else in the settings stays as it is, to the byte, and a backup is kept beside them. Hooks of
Vitrine that you wrote or changed yourself stay, too.

A recording also holds the conversation of the transcript that Claude Code keeps of the session: what it cost,
what you refused or interrupted. The transcript is only read.

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
    const flaw = findFlaw(before?.text ?? '')
    if (flaw !== undefined) throw new CliError(`${path}: ${flaw}. Nothing was changed`)
    if (action === 'status') return showStatus(path, before?.text ?? '')
    if (options.dryRun !== true) refuseReadOnly(path)
    if (action === 'install') return install(path, before, options)
    return uninstall(path, before, options)
  })

async function install(
  path: string,
  before: SettingsText | null,
  options: HooksOptions,
): Promise<void> {
  const version = options.all === true ? null : await claudeVersion()
  const events = options.all === true ? ALL_EVENTS : eventsFor(version)
  const {mark = '', text = ''} = before ?? {}
  const after = addHooks(text, hookCommand(options.dataDir), events)
  const handWritten = listHandWritten(after)
  const count = formatCount(listOurs(after).length, 'hook')
  if (handWritten.length > 0) {
    remark(`hooks of Vitrine that were written by hand stay as they are: ${handWritten.join(' ')}`)
  }
  if (before !== null && after === text) {
    return print(`${path}: nothing to do, ${count} in place\n`)
  }
  await showDiff(path, text, after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  const backup = before === null ? undefined : backUp(path, before)
  writeSettings(path, {mark, text: after})
  const kept = backup === undefined ? '' : `, as it was: ${backup}`
  await print(`\n${count} in place${kept}\n`)
  await print('New sessions of Claude Code are recorded now. See them with vitrine runs\n')
  if (options.all !== true && events.length < ALL_EVENTS.length) {
    const why = version === null ? 'claude was not found' : `claude ${version} knows no more`
    remark(`only the oldest events were written: ${why}. --all writes all of them`)
  }
  if (areDisabled(after)) remark('the settings have disableAllHooks: Claude calls none of them')
}

async function uninstall(
  path: string,
  before: SettingsText | null,
  options: HooksOptions,
): Promise<void> {
  const {mark = '', text = ''} = before ?? {}
  const handWritten = listHandWritten(text)
  if (handWritten.length > 0) {
    remark(`hooks of Vitrine that were written by hand stay: ${handWritten.join(' ')}`)
  }
  if (listOurs(text).length === 0) {
    return print(`${path}: nothing to do, no hooks that vitrine hooks install has written\n`)
  }
  const after = findOriginal(path, text) ?? removeHooks(text)
  // A file that we changed has a copy; one without was made by us.
  const isOurs = after.trim() === '{}' && listBackups(path).length === 0
  await showDiff(path, text, isOurs ? '' : after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  if (isOurs) removeSettings(path)
  else writeSettings(path, {mark, text: after})
  await print(`\n${formatCount(listOurs(text).length, 'hook')} removed\n`)
}

/** The settings as they were, if nothing has changed since but for our hooks: down to lists that were empty. */
function findOriginal(path: string, settings: string): string | undefined {
  const ours = listOurs(settings)
  const events = ours.map(({event}) => event)
  const command = ours[0]?.command ?? ''
  return listBackups(path).find(({content: {text}}) => {
    if (findFlaw(text) !== undefined || listOurs(text).length > 0) return false
    return addHooks(text, command, events) === settings
  })?.content.text
}

async function showStatus(path: string, settings: string): Promise<void> {
  const ours = listOurs(settings)
  const handWritten = listHandWritten(settings)
  if (handWritten.length > 0) remark(`written by hand: ${handWritten.join(' ')}`)
  if (ours.length === 0) return print(`${path}: no hooks of Vitrine\n`)
  const commands = [...new Set(ours.map(({command}) => command))]
  const count = formatCount(ours.length, 'hook')
  await print(`${path}: ${count} of Vitrine\n`)
  for (const command of commands) await print(`  ${escapeControls(command)}\n`)
  await print(`  ${ours.map(({event}) => event).join(' ')}\n`)
  if (areDisabled(settings)) {
    remark('the settings have disableAllHooks: Claude calls none of them')
  }
}

/** More lines than this push what matters off the screen: each hook is like the first. */
const MAX_LINES = 24
const MAX_DRY_RUN_LINES = 1000

async function showDiff(
  path: string,
  before: string,
  after: string,
  {dryRun}: HooksOptions,
): Promise<void> {
  const {colors} = stdoutStyle()
  const paint = {'+': colors.added, '-': colors.removed, ' ': (text: string) => text}
  // Settings may hold keys, also on the lines around a change.
  const lines = cutLines(diffLines(maskSecrets(before), maskSecrets(after))).map((line) =>
    line === null
      ? colors.frame('  ...')
      : paint[line.sign](`${line.sign} ${escapeControls(line.text)}`.trimEnd()),
  )
  const shown = lines.slice(0, dryRun === true ? MAX_DRY_RUN_LINES : MAX_LINES)
  const rest = formatCount(lines.length - shown.length, 'more line')
  const hint = dryRun === true ? '' : '; --dry-run shows all, beforehand'
  const more = shown.length === lines.length ? '' : `  … ${rest}${hint}\n`
  await print(`${path}\n${shown.join('\n')}\n${more}`)
}

function claudeVersion(): Promise<string | null> {
  const path = findProgram(['claude', join(homedir(), '.claude', 'local', 'claude')])
  return path === null ? Promise.resolve(null) : readVersion(path)
}
