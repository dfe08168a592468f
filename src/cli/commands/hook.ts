import {Command} from 'commander'
// Not by the list of the runner, which loads all there is: Claude waits for us.
import {appendHook} from '../../hooks/append.ts'
import {MAX_PAYLOAD_BYTES} from '../../hooks/payload.ts'
import {RUN_TAGS_ENV} from '../../recording/process-id.ts'
import {findClaude} from '../../hooks/find-claude.ts'
import {remark} from '../output.ts'

/** `vitrine hook`: what Claude Code calls. Whatever happens, Claude is not to notice: no output, exit code 0. */
export const hook: Command = new Command('hook')
  .description('record what a hook of Claude Code gets on stdin; see vitrine hooks')
  // To Claude an exit code of 2 means that it must not go on.
  .allowUnknownOption()
  .allowExcessArguments()
  .option('--data-dir [folder]', 'where recordings are kept ($XDG_DATA_HOME/vitrine)')
  .addHelpText(
    'after',
    `
Claude Code calls this for each thing that happens in a session, once vitrine hooks install has told it to. It
prints nothing and always exits with 0, so that Claude is never disturbed; --debug says on stderr what went
wrong. Within vitrine run it does nothing: there the session is recorded already.

Examples:
  echo '{"session_id":"s1","hook_event_name":"Stop"}' | vitrine hook --debug
  vitrine runs                                    the sessions that were recorded`,
  )
  .action(async ({dataDir, debug}: {dataDir?: string | true; debug?: true}) => {
    try {
      if (process.stdin.isTTY) throw new Error('nothing to read: pipe a payload in')
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
        remark(error instanceof Error ? error.message : String(error))
      }
    }
  })

/** All of stdin; what is too much is read too, so that whoever writes it can, and is not kept. */
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
