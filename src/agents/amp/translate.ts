import type {Draft, Translator, TranslatorContext} from '../../core/events/adapter.ts'
import {defineTools, findToolKind} from '../../core/events/drafts.ts'
import {countLines} from '../../core/text/text.ts'
import {isRecord, numberAt, parseText, textAt, toText} from '../../core/wire/json.ts'
import {readSession} from '../messages-api/session.ts'
import {
  createMessagesTranslator,
  type ResultDetails,
  type ToolResult,
} from '../messages-api/translate.ts'

/** Common names of the tools of Amp. */
const TOOLS = defineTools({
  Read: 'Read',
  Write: 'create_file',
  Edit: 'edit_file undo_edit',
  Bash: 'Bash',
  Grep: 'Grep',
  Glob: 'glob list_directory',
  WebFetch: 'read_web_page',
  WebSearch: 'web_search',
  Task: 'Task oracle finder',
  Todo: 'todo_write',
})

/** Translates the output of Amp. */
export function createTranslator(context: TranslatorContext): Translator {
  return createMessagesTranslator(context, {
    toolKind: (name) => findToolKind(TOOLS, name),
    translateOther: (record) =>
      record['type'] === 'system' ? [readSession(record, 'amp_version')] : [],
    describeResult,
  })
}

/** The text of a command result is JSON with its output and exit code. */
function describeResult(output: string, {toolId, tool}: ToolResult): ResultDetails {
  const details: ResultDetails = {changes: readChange(toolId, tool)}
  const report = tool?.tool === 'Bash' && output.startsWith('{') ? parseText(output) : undefined
  if (!isRecord(report) || !('output' in report)) return details
  return {...details, output: toText(report['output']), exitCode: numberAt(report, 'exitCode')}
}

function readChange(toolId: string, tool: ToolResult['tool']): Draft[] {
  const path = textAt(tool?.input, 'path')
  if (path === undefined) return []
  if (tool?.tool === 'Edit') return [{type: 'file-change', path, action: 'modified', toolId}]
  if (tool?.tool !== 'Write') return []
  const added = countLines(textAt(tool.input, 'content') ?? '')
  return [{type: 'file-change', path, action: 'created', toolId, added}]
}
