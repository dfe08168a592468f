import {readQuestions} from '../../../src/core/events/question.ts'
import {summarize} from '../../../src/core/events/summarize.ts'
import {
  isMessageTool,
  type PermissionRequestEvent,
} from '../../../src/core/protocol/server-message.ts'
import {cutText, escapeControls} from '../../../src/core/text/text.ts'
import {WORK, type WorkKind} from '../ui/work.ts'
import type {IconName} from '../ui/icon.tsx'

/** What an agent asks for, in a line. */
export interface RequestLine {
  icon: IconName
  kind: WorkKind
  /** `Asks to run`. */
  words: string
  code: string
  /** Nothing of it is left out, so that it can be allowed by who sees this line alone. */
  isWhole: boolean
}

/** More than so much is not read in a list. */
const MOST_CHARACTERS = 300

/** What is said about a command besides it, and changes nothing in what it does. */
const ASIDES = new Set(['description', 'timeout'])

/** Says what an agent asks for. */
export function describeRequest(request: PermissionRequestEvent): RequestLine {
  const {tool, name, input} = request
  const [question] = readQuestions(request)
  if (question !== undefined) {
    // It takes an answer, which a row has no room for.
    const code = escapeControls(cutText(question.text.replaceAll('\n', ' '), MOST_CHARACTERS))
    return {...WORK['Other'], words: 'Asks you', code, isWhole: false}
  }
  const kind = isMessageTool(tool) ? tool : name.startsWith('mcp__') ? 'Mcp' : 'Other'
  const others = Object.keys(input).filter((key) => !ASIDES.has(key))
  const command = input['command']
  const isCommand = kind === 'Bash' && typeof command === 'string' && others.length === 1
  const whole = isCommand ? command : JSON.stringify(input)
  const isWhole = whole.length <= MOST_CHARACTERS
  const code = isWhole ? whole : summarize(kind, input)
  return {
    ...WORK[kind],
    words: isCommand ? 'Asks to run' : `Asks to use ${escapeControls(name)}`,
    code: escapeControls(code.replaceAll('\n', ' ⏎ ')),
    isWhole,
  }
}
