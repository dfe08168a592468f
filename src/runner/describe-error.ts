import {isRecord, textAt} from '../core/wire/json.ts'
import {parseRecord} from '../core/wire/records.ts'

/** Colours and other terminal sequences. */
// oxlint-disable-next-line no-control-regex
const ANSI_ESCAPES = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)?)/g

/** Words that mark a line as the reason of a failure. */
const REASON_WORDS =
  /\b(?:error|fatal|failed|failure|denied|invalid|unknown|cannot|exceeded|reached|not)\b/i

const WARNING = /^\W*warn(?:ing)?\b/i

/** Headings of a help text. */
const HELP_HEADING = /^(?:usage:.*|(?:positionals|arguments|commands|options):)$/i

/** Finds the reason of a failure in the last output on stderr. */
export function describeError(stderr: string): string {
  const printed = stderr.replaceAll(ANSI_ESCAPES, '').split('\n')
  const hasHelp = printed.some((line) => HELP_HEADING.test(line))
  const lines = printed
    // Descriptions of options may contain the same words as a reason.
    .filter((line) => !hasHelp || !(HELP_HEADING.test(line) || /^\s/.test(line)))
    .map((line) => readMessage(line.trim()))
    .filter((line) => line !== '' && !/^at |^\W+$/.test(line))
  const candidates = lines.filter((line) => !WARNING.test(line))
  const reason = candidates.findLast((line) => REASON_WORDS.test(line))
  if (reason !== undefined) return reason
  if (hasHelp) return `it printed its help: ${candidates[0] ?? ''}`
  return candidates.at(-1) ?? lines.at(-1) ?? ''
}

/** The message of an error that is printed as JSON, as by Cline; other lines are returned unchanged. */
function readMessage(line: string): string {
  const record = line.startsWith('{') ? parseRecord(line) : undefined
  if (record?.type !== 'json' || !isRecord(record.value)) return line
  const {error} = record.value
  return textAt(record.value, 'message') ?? textAt(error, 'message') ?? line
}
