import {homedir} from 'node:os'
import {join} from 'node:path'
import {Argument, Command} from 'commander'
import {formatCount} from '../../core/text/figures.ts'
import {escapeControls} from '../../core/text/text.ts'
import {maskSecrets} from '../../secrets/mask-secrets.ts'
import {CliError} from '../cli-error.ts'
import {createDataDirOption} from '../common-options.ts'
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
import {print, logToStderr} from '../output.ts'
import {findProgram, readVersion} from '../programs.ts'
import {getStdoutStyle} from '../style.ts'

interface HooksOptions extends SettingsChoice {
  dryRun?: true
  all?: true
  dataDir?: string
}

/** `vitrine hooks`: adds hooks to the settings of Claude Code. */
export const hooks: Command = new Command('hooks')
  .summary('record interactive Claude Code sessions')
  .description('Record interactive Claude Code sessions through hooks in its settings.')
  .addArgument(
    new Argument('<action>', 'what to do').choices(['install', 'uninstall', 'status'] as const),
  )
  .option('--project', 'use .claude/settings.json of the project')
  .option('--local', 'use .claude/settings.local.json of the project')
  .option('--settings <file>', 'use another settings file (default: ~/.claude/settings.json)')
  .option('--all', 'install all events, even if this version of Claude Code may not know them')
  .option('--dry-run', 'show the changes without writing them')
  .addOption(createDataDirOption())
  .addHelpText(
    'after',
    `
install adds a hook that calls vitrine hook for each event. vitrine runs then
lists new sessions and vitrine view shows them. All other settings stay
unchanged, and a backup is kept next to the file. Hooks that you wrote or
changed yourself are kept.

The recording also contains the conversation from Claude Code's transcript.

Versions of Claude Code that do not know an event ignore the complete file, so
the events depend on claude --version; --all installs all of them.

Examples:
  vitrine hooks install --dry-run              show what would be written
  vitrine hooks install                        for all your sessions
  vitrine hooks install --local                for this project, only for you
  vitrine hooks uninstall                      remove the installed hooks`,
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

const DISABLED = 'the settings contain disableAllHooks, so Claude Code calls no hooks'

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
    logToStderr(`hand-written hooks are kept: ${handWritten.join(' ')}`)
  }
  if (before !== null && after === text) {
    return print(`${path}: no change, ${count} installed\n`)
  }
  await showDiff(path, text, after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  const backup = before === null ? undefined : backUp(path, before)
  writeSettings(path, {mark, text: after})
  const kept = backup === undefined ? '' : `. Backup: ${backup}`
  await print(`\n${count} installed${kept}\n`)
  await print('New Claude Code sessions are now recorded. List them with: vitrine runs\n')
  if (options.all !== true && events.length < ALL_EVENTS.length) {
    const why =
      version === null ? 'claude was not found' : `claude ${version} does not know the others`
    logToStderr(
      `installed only events that all versions of Claude Code know: ${why}. Use --all to install all events`,
    )
  }
  if (areDisabled(after)) logToStderr(DISABLED)
}

async function uninstall(
  path: string,
  before: SettingsText | null,
  options: HooksOptions,
): Promise<void> {
  const {mark = '', text = ''} = before ?? {}
  const handWritten = listHandWritten(text)
  if (handWritten.length > 0) {
    logToStderr(`hand-written hooks are kept: ${handWritten.join(' ')}`)
  }
  if (listOurs(text).length === 0) {
    return print(`${path}: no change, no installed hooks found\n`)
  }
  const after = findOriginal(path, text) ?? removeHooks(text)
  // A file without a backup was created by install.
  const isOurs = after.trim() === '{}' && listBackups(path).length === 0
  await showDiff(path, text, isOurs ? '' : after, options)
  if (options.dryRun === true) return print('\nNothing was written (--dry-run)\n')
  if (isOurs) removeSettings(path)
  else writeSettings(path, {mark, text: after})
  await print(`\n${formatCount(listOurs(text).length, 'hook')} removed\n`)
}

/** Finds the backup from before the installation, if only our hooks have changed since: it also has the empty lists. */
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
  if (handWritten.length > 0) logToStderr(`hand-written hooks: ${handWritten.join(' ')}`)
  if (ours.length === 0) return print(`${path}: no hooks of Vitrine\n`)
  const commands = [...new Set(ours.map(({command}) => command))]
  const count = formatCount(ours.length, 'hook')
  await print(`${path}: ${count} of Vitrine\n`)
  for (const command of commands) await print(`  ${escapeControls(command)}\n`)
  await print(`  ${ours.map(({event}) => event).join(' ')}\n`)
  if (areDisabled(settings)) {
    logToStderr(DISABLED)
  }
}

/** A longer diff is cut: all hooks look alike. */
const MAX_LINES = 24
const MAX_DRY_RUN_LINES = 1000

async function showDiff(
  path: string,
  before: string,
  after: string,
  {dryRun}: HooksOptions,
): Promise<void> {
  const {colors} = getStdoutStyle()
  const paint = {'+': colors.added, '-': colors.removed, ' ': (text: string) => text}
  // Settings may contain secrets, also on the context lines.
  const lines = cutLines(diffLines(maskSecrets(before), maskSecrets(after))).map((line) =>
    line === null
      ? colors.frame('  ...')
      : paint[line.sign](`${line.sign} ${escapeControls(line.text)}`.trimEnd()),
  )
  const shown = lines.slice(0, dryRun === true ? MAX_DRY_RUN_LINES : MAX_LINES)
  const rest = formatCount(lines.length - shown.length, 'more line')
  const hint = dryRun === true ? '' : '; --dry-run shows all lines'
  const more = shown.length === lines.length ? '' : `  … ${rest}${hint}\n`
  await print(`${path}\n${shown.join('\n')}\n${more}`)
}

function claudeVersion(): Promise<string | null> {
  const path = findProgram(['claude', join(homedir(), '.claude', 'local', 'claude')])
  return path === null ? Promise.resolve(null) : readVersion(path)
}
