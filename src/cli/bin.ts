#!/usr/bin/env node
import {Command, CommanderError, Option} from 'commander'
import {escapeControls} from '../core/text/text.ts'
import {isReaderNeeded, remark} from './output.ts'
import {version} from './version.ts'

const PIPE_OPTIONS = new Set(['--exit-code', '--verdict'])

/** The commands, each loaded when it is asked for: whoever runs an agent wants it to start. */
const commands = {
  demo: async () => (await import('./commands/demo.ts')).demo,
  run: async () => (await import('./commands/run.ts')).run,
  attach: async () => (await import('./commands/attach.ts')).attachCommand,
  runs: async () => (await import('./commands/runs.ts')).runs,
  view: async () => (await import('./commands/view.ts')).view,
  export: async () => (await import('./commands/export.ts')).exportCommand,
  serve: async () => (await import('./commands/serve.ts')).serve,
  login: async () => (await import('./commands/login.ts')).login,
  token: async () => (await import('./commands/token.ts')).token,
  report: async () => (await import('./commands/report.ts')).report,
  reindex: async () => (await import('./commands/reindex.ts')).reindex,
  rm: async () => (await import('./commands/rm.ts')).rm,
  hooks: async () => (await import('./commands/hooks.ts')).hooks,
  hook: async () => (await import('./commands/hook.ts')).hook,
  agents: async () => (await import('./commands/agents.ts')).agentsCommand,
  drift: async () => (await import('./commands/drift.ts')).drift,
  'fake-agent': async () => (await import('./commands/fake-agent.ts')).fakeAgent,
  'record-fixture': async () => (await import('./commands/record-fixture.ts')).recordFixture,
}

// `codex exec --json … | vitrine` is enough, also with options about its end.
const [node = '', script = '', ...given] = process.argv
const isPiped = given.every((arg) => PIPE_OPTIONS.has(arg)) && !process.stdin.isTTY
const argv = isPiped ? [node, script, 'view', ...given] : process.argv

const program = new Command('vitrine')
  .description('Coding agents behind glass: see what they do, what it costs, and how it ended.')
  .version(version)
  .option('--debug', 'show where an error comes from')
  .enablePositionalOptions()
  .addHelpText(
    'after',
    `
Examples:
  vitrine demo                                    see it at work, with no agent installed
  vitrine run claude -p "Fix the tests"           run an agent, watched and recorded
  vitrine runs                                    what has run, and what runs
  vitrine view 7f3a                               look at a recording
  vitrine export 7f3a                             the same as a page to give to others
  vitrine serve                                   watch all of them live, from anywhere
  codex exec --json "Fix the tests" | vitrine     watch an agent that you run yourself;
                                                  --exit-code exits with 1 when it failed
  vitrine agents                                  what is understood, and installed`,
  )

let isTold = false
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // Whoever reads us has seen enough, as `head` does: nobody is left to be told.
  const isLeft = error.code === 'EPIPE'
  if (!isLeft && !isTold) process.stderr.write(`vitrine: cannot write: ${error.message}\n`)
  isTold = true
  if (isReaderNeeded()) process.exit(isLeft ? 0 : 1)
})

// Remarks that nobody reads must not cost those who read the rest.
process.stderr.on('error', () => {})

void main()

async function main(): Promise<void> {
  for (const command of await loadCommands()) program.addCommand(command)
  for (const command of [program, ...program.commands]) {
    if (command !== program) command.addOption(new Option('--debug').hideHelp())
    command
      .exitOverride()
      .showSuggestionAfterError()
      .configureOutput({outputError: (text, write) => write(toOneLine(text))})
  }
  try {
    await program.parseAsync(argv)
  } catch (error) {
    process.exitCode = report(error)
  }
}

/** The command that is asked for or, when that is not plain, all of them; none for the version. */
async function loadCommands(): Promise<Command[]> {
  if (argv[2] === '--version' || argv[2] === '-V') return []
  const name = argv.slice(2).find((arg) => !arg.startsWith('-'))
  const named = Object.entries(commands).filter(([known]) => known === name)
  const wanted = named.length > 0 ? named : Object.entries(commands)
  return Promise.all(wanted.map(([, load]) => load()))
}

/** `error: unknown option '--x'` and a guess below it, as one line of our own. */
function toOneLine(text: string): string {
  const line = text
    .trim()
    .replace(/^error: /, 'vitrine: ')
    .replace(/\n\(Did/, ' (did')
    .replace(/unknown command '([^']*)'$/, '$&. An agent is run with vitrine run $1')
  return `${escapeControls(line.replaceAll(/'(-[^']*)'/g, '$1'))}\n`
}

/** Says what went wrong in a line and gives the exit code for it. */
function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (process.argv.includes('--debug')) throw error
  remark(error instanceof Error ? error.message : String(error))
  return error instanceof Error && 'exitCode' in error ? Number(error.exitCode) : 1
}
