import {Command} from 'commander'
// Imported directly and not through the runner's index: Claude waits for this process.
import {appendHook} from '../../hooks/append.ts'
import {MAX_PAYLOAD_BYTES} from '../../hooks/payload.ts'
import {RUN_TAGS_ENV} from '../../recording/process-id.ts'
import {findClaude} from '../../hooks/find-claude.ts'
import {logToStderr} from '../output.ts'

/** `vitrine hook`: called by Claude Code. It must never disturb Claude: no output, exit code 0. */
export const hook: Command = new Command('hook')
  .summary('record a hook payload (called by Claude Code)')
  .description('Record a hook payload of Claude Code from stdin; vitrine hooks sets this up.')
  // Claude treats exit code 2, which Commander uses for a wrong option, as a veto.
  .allowUnknownOption()
  .allowExcessArguments()
  .option(
    '--data-dir [dir]',
    'data directory (default: $XDG_DATA_HOME/vitrine, or ~/.local/share/vitrine)',
  )
  .addHelpText(
    'after',
    `
After vitrine hooks install, Claude Code calls this for each event of a session.
It prints nothing and always exits with 0; --debug prints errors to stderr.
Inside vitrine run it does nothing, because that session is recorded already.

Examples:
  echo '{"session_id":"s1","hook_event_name":"Stop"}' | vitrine hook --debug
  vitrine runs                                 lists the recorded sessions`,
  )
  .action(async ({dataDir, debug}: {dataDir?: string | true; debug?: true}) => {
    try {
      if (process.stdin.isTTY)
        throw new Error('stdin is a terminal. Pipe a hook payload into vitrine hook')
      const payload = await readPayload()
      if ((process.env[RUN_TAGS_ENV] ?? '') !== '') return
      const appended = await appendHook(payload, {
        dataDir: typeof dataDir === 'string' ? dataDir : undefined,
        process: findClaude(),
      })
      if (!appended.isOver) return
      const {concludeSession} = await import('../../hooks/conclude.ts')
      await concludeSession(appended)
    } catch (error) {
      if (debug === true || process.argv.includes('--debug')) {
        logToStderr(error instanceof Error ? error.message : String(error))
      }
    }
  })

/** Reads all of stdin, so that the writer is never blocked, but keeps only the permitted size. */
async function readPayload(): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of process.stdin) {
    const bytes = chunk as Uint8Array
    if (size <= MAX_PAYLOAD_BYTES) chunks.push(bytes)
    size += bytes.length
  }
  return Buffer.concat(chunks)
}
