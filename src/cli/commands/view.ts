import {once} from 'node:events'
import {createReadStream} from 'node:fs'
import {Command} from 'commander'
import {decodeClaudeStream} from '../../agents/claude/index.ts'
import {colored, plain, wantsColor} from '../../terminal/colors.ts'
import {formatClaudeEvent} from '../format-claude.ts'

/** `vitrine view`: what an agent did, a line for each step. */
export const view: Command = new Command('view')
  .description('show what an agent printed, a line for each step')
  .argument(
    '[file]',
    'a recording of `claude -p … --output-format stream-json`, or - for stdin',
    '-',
  )
  .addHelpText(
    'after',
    `
Examples:
  vitrine view run.jsonl
  claude -p "Fix the tests" --output-format stream-json --verbose | vitrine view`,
  )
  .action(async (file: string, _, command: Command) => {
    if (file === '-' && process.stdin.isTTY) {
      command.error('vitrine: nothing to read: name a recording, or pipe one in')
    }
    const colors = wantsColor(process.env, process.stdout.isTTY) ? colored : plain
    const source = file === '-' ? process.stdin : createReadStream(file)
    try {
      for await (const {event} of decodeClaudeStream(source)) {
        for (const line of formatClaudeEvent(event, colors)) await print(line)
      }
    } catch (error) {
      // A failed read does not always say of what.
      throw Object.assign(error as Error, {path: file})
    }
  })

async function print(line: string): Promise<void> {
  if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain')
}
