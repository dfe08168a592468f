// Gemini CLI 0.61.0, captured on 2026-11-16, with more from its source and from that of 0.5 to 0.36.
import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {isRecord, type JsonObject} from '../../core/wire/json.ts'

/** The kind of a record: the type of a message, else `header`, `$set` or `$rewindTo`. */
export function kindOf(record: JsonObject): string {
  const {type} = record
  if (typeof type === 'string') return type
  if (isRecord(record['$set'])) return '$set'
  if (typeof record['$rewindTo'] === 'string') return '$rewindTo'
  return typeof record['sessionId'] === 'string' ? 'header' : '(no type)'
}

const PARTS = `{
  text thought thoughtSignature functionCall functionResponse inlineData fileData executableCode codeExecutionResult
  videoMetadata mediaResolution partMetadata callIndex toolCall toolResponse
}`

const MESSAGE = `
  id timestamp type content${PARTS} displayContent${PARTS} model
  thoughts{subject description timestamp}
  tokens{input output cached thoughts tool total}
  toolCalls{
    id name args result status timestamp agentId displayName description resultDisplay renderOutputAsMarkdown
  }
`

/** A session that was imported from a file has more fields in its header than others. */
const HEADER = `
  sessionId projectHash startTime lastUpdated kind directories summary memoryScratchpad messages{${MESSAGE}}
  messageCount userMessageCount memoryScratchpadIsStale firstUserMessage hasResumableContent
`

/** Every known record of a session of Gemini CLI. */
export const shapes: Shapes = defineShapes({
  header: HEADER,
  $set: `$set{${HEADER}}`,
  $rewindTo: '$rewindTo',
  user: MESSAGE,
  gemini: MESSAGE,
  info: MESSAGE,
  warning: MESSAGE,
  error: MESSAGE,
})
