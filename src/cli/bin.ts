#!/usr/bin/env node
import {Command, CommanderError, Option} from 'commander'
import {escapeControls} from '../core/text/text.ts'
import {isStdoutRequired, logToStderr} from './output.ts'
import {version} from './version.ts'

const PIPE_OPTIONS = new Set(['--exit-code', '--verdict'])

type LoadCommand = () => Promise<Command>

/** All commands by help group. Each is loaded on demand, so that `vitrine run` starts the agent sooner. */
const COMMAND_GROUPS: Readonly<Record<string, Readonly<Record<string, LoadCommand>>>> = {
  'Use:': {
    run: async () => (await import('./commands/run.ts')).run,
    view: async () => (await import('./commands/view.ts')).view,
    runs: async () => (await import('./commands/runs.ts')).runs,
    search: async () => (await import('./commands/search.ts')).search,
    usage: async () => (await import('./commands/usage.ts')).usage,
    serve: async () => (await import('./commands/serve.ts')).serve,
    demo: async () => (await import('./commands/demo.ts')).demo,
    export: async () => (await import('./commands/export.ts')).exportCommand,
    agents: async () => (await import('./commands/agents.ts')).agentsCommand,
  },
  'Manage:': {
    attach: async () => (await import('./commands/attach.ts')).attachCommand,
    rm: async () => (await import('./commands/rm.ts')).rm,
    archive: async () => (await import('./commands/archive.ts')).archiveCommand,
    doctor: async () => (await import('./commands/doctor.ts')).doctor,
    statusline: async () => (await import('./commands/statusline.ts')).statusline,
    hooks: async () => (await import('./commands/hooks.ts')).hooks,
    hook: async () => (await import('./commands/hook.ts')).hook,
    login: async () => (await import('./commands/login.ts')).login,
    token: async () => (await import('./commands/token.ts')).token,
    report: async () => (await import('./commands/report.ts')).report,
    reindex: async () => (await import('./commands/reindex.ts')).reindex,
    completion: async () => (await import('./commands/completion.ts')).completion,
  },
  'Develop:': {
    drift: async () => (await import('./commands/drift.ts')).drift,
    'fake-agent': async () => (await import('./commands/fake-agent.ts')).fakeAgent,
    'record-fixture': async () => (await import('./commands/record-fixture.ts')).recordFixture,
  },
}

const MAX_HELP_WIDTH = 100

// `codex exec --json … | vitrine` is short for `… | vitrine view`.
const [node = '', script = '', ...given] = process.argv
const isPiped = given.every((arg) => PIPE_OPTIONS.has(arg)) && !process.stdin.isTTY
// Without arguments on a terminal, it shows the last runs and sessions.
const argv = isPiped
  ? [node, script, 'view', ...given]
  : given.length === 0
    ? [node, script, 'overview']
    : process.argv

const program = new Command('vitrine')
  .description('See every session of your coding agents, what it does and what it costs.')
  .version(version, '-V, --version', 'print the version of Vitrine')
  .option('--debug', 'print the stack trace of an error')
  .enablePositionalOptions()
  .addHelpText(
    'after',
    `
Examples:
  vitrine                                        the last runs and sessions
  vitrine demo                                   try it without an agent
  vitrine run claude -p "Fix the tests"          run, show and record an agent
  vitrine view 7f3a                              show a recorded run
  codex exec --json "Fix the tests" | vitrine    show an agent you started

vitrine <command> --help shows the options and examples of a command.`,
  )

let hasReportedWriteError = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader of stdout ended early, as `head` does: this is not an error.
  const isClosed = error.code === 'EPIPE'
  if (!isClosed && !hasReportedWriteError) {
    process.stderr.write(`vitrine: cannot write to stdout: ${error.message}\n`)
  }
  hasReportedWriteError = true
  if (isStdoutRequired()) process.exit(isClosed ? 0 : 1)
})

// A closed stderr must not stop a run whose stdout is still read.
process.stderr.on('error', () => {})

void main()

async function main(): Promise<void> {
  await addCommands()
  for (const command of [program, ...program.commands]) {
    if (command !== program) {
      command.addOption(new Option('--debug').hideHelp())
    }
    command
      .addHelpOption(new Option('-h, --help', 'show this help').helpGroup('Options:'))
      .exitOverride()
      .showSuggestionAfterError()
      .configureHelp({subcommandTerm: (subcommand) => subcommand.name()})
      .configureOutput({
        getOutHelpWidth: () => Math.min(process.stdout.columns || 80, MAX_HELP_WIDTH),
        outputError: (text, write) => write(toOneLine(text)),
      })
  }
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = reportError(error)
  }
}

/** Adds the requested command, or all of them for help, completion and unknown commands. */
async function addCommands(): Promise<void> {
  if (argv[2] === '--version' || argv[2] === '-V') return
  const name = argv.slice(2).find((arg) => !arg.startsWith('-')) ?? ''
  if (name === 'overview') {
    const {overview} = await import('./commands/overview.ts')
    program.addCommand(overview, {hidden: true})
    return
  }
  if (name === 'complete') {
    const {complete} = await import('./commands/complete.ts')
    program.addCommand(complete, {hidden: true})
  }
  const isOne = Object.values(COMMAND_GROUPS).some((group) => Object.hasOwn(group, name))
  for (const [heading, group] of Object.entries(COMMAND_GROUPS)) {
    const wanted = Object.entries(group).filter(([known]) => !isOne || known === name)
    const loaded = await Promise.all(wanted.map(([, load]) => load()))
    program.commandsGroup(heading)
    for (const command of loaded) program.addCommand(command)
    if (heading === 'Manage:') program.helpCommand('help [command]', 'show the help of a command')
  }
}

/** Puts an error of Commander and its suggestion (`error: unknown option '--x'\n(Did you mean …)`) on one line. */
function toOneLine(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, 'vitrine: ')
    .replace(/\n\(Did/, ' (did')
    .replace(/unknown command '([^']*)'$/, '$&. To run an agent: vitrine run $1')
  return `${escapeControls(line.replaceAll(/'(-[^']*)'/g, '$1'))}\n`
}

/** Prints an error on one line and returns its exit code. */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (process.argv.includes('--debug')) throw error
  logToStderr(error instanceof Error ? error.message : String(error))
  return error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1
}
