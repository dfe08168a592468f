import {readQuestions} from '../../../src/core/events/question.ts'
import {summarize} from '../../../src/core/events/summarize.ts'
import {
  isMessageTool,
  type PermissionRequestEvent,
} from '../../../src/core/protocol/server-message.ts'
import {cutText, escapeControls} from '../../../src/core/text/text.ts'
import {WORK, type WorkKind} from '../ui/work.ts'
import type {IconName} from '../ui/icon.tsx'

/** A permission request in one line. */
export interface RequestLine {
  icon: IconName
  kind: WorkKind
  /** `Asks to run`. */
  words: string
  code: string
  /** Whether the line is complete, so that it can be allowed from here. */
  isComplete: boolean
}

/** Longer texts are cut in a list. */
const MAX_CHARACTERS = 300

/** Fields of a command that do not change its effect. */
const ASIDES = new Set(['description', 'timeout'])

export function describeRequest(request: PermissionRequestEvent): RequestLine {
  const {tool, name, input} = request
  const [question] = readQuestions(request)
  if (question !== undefined) {
    // A question needs an answer, which does not fit into a row.
    const code = escapeControls(cutText(question.text.replaceAll('\n', ' '), MAX_CHARACTERS))
    return {...WORK['Other'], words: 'Asks you', code, isComplete: false}
  }
  const kind = isMessageTool(tool) ? tool : name.startsWith('mcp__') ? 'Mcp' : 'Other'
  const others = Object.keys(input).filter((key) => !ASIDES.has(key))
  const command = input['command']
  const isCommand = kind === 'Bash' && typeof command === 'string' && others.length === 1
  const full = isCommand ? command : JSON.stringify(input)
  const isComplete = full.length <= MAX_CHARACTERS
  const code = isComplete ? full : summarize(kind, input)
  return {
    ...WORK[kind],
    words: isCommand ? 'Asks to run' : `Asks to use ${escapeControls(name)}`,
    code: escapeControls(code.replaceAll('\n', ' ⏎ ')),
    isComplete,
  }
}
