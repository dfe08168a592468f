import {isRecord, textAt} from '../core/wire/json.ts'
import {parseRecord} from '../core/wire/records.ts'

/** Sequences that colour text and the like. */
// oxlint-disable-next-line no-control-regex
const ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g

/** Words that tell a reason from what is said around it. */
const TELLS =
  /\b(?:error|fatal|failed|failure|denied|invalid|unknown|cannot|exceeded|reached|not)\b/i

const WARNING = /^\W*warn(?:ing)?\b/i

/** What stands over the parts of a help. */
const HELP = /^(?:usage:.*|(?:positionals|arguments|commands|options):)$/i

/** What a program that failed says of the reason, out of the end of what it printed on stderr. */
export function describeError(stderr: string): string {
  const printed = stderr.replaceAll(ESCAPES, '').split('\n')
  const hasHelp = printed.some((line) => HELP.test(line))
  const lines = printed
    // Options and what they do, of which some sound like a reason.
    .filter((line) => !hasHelp || !(HELP.test(line) || /^\s/.test(line)))
    .map((line) => readMessage(line.trim()))
    .filter((line) => line !== '' && !/^at |^\W+$/.test(line))
  const said = lines.filter((line) => !WARNING.test(line))
  const reason = said.findLast((line) => TELLS.test(line))
  if (reason !== undefined) return reason
  if (hasHelp) return `it printed its help: ${said[0] ?? ''}`
  return said.at(-1) ?? lines.at(-1) ?? ''
}

/** The message of a line that is an error as JSON, as Cline prints it; any other line as it is. */
function readMessage(line: string): string {
  const record = line.startsWith('{') ? parseRecord(line) : undefined
  if (record?.type !== 'json' || !isRecord(record.value)) return line
  const {error} = record.value
  return textAt(record.value, 'message') ?? textAt(error, 'message') ?? line
}
