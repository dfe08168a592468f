import type {Draft, Translator} from '../../core/events/adapter.ts'
import type {TranscriptContext} from '../../core/events/transcript.ts'
import {isRecord, objectAt, parseText, textAt, type JsonObject} from '../../core/wire/json.ts'
import {outputText} from '../messages-api/content.ts'
import {createTranscriptTranslator} from './transcript-translate.ts'

/** Translates the rows of a session and of its sub-agents. */
export function createSessionTranslator(context: TranscriptContext): Translator {
  /** The call that started each sub-agent, as far as it is known. */
  const parents = new Map<string, string>()
  /** Calls of sub-agents that are not linked yet, by prompt. */
  const calls = new Map<string, string>()
  const translator = createTranscriptTranslator(context, {
    parentOf: (agentId) => parents.get(agentId),
  })
  return {...translator, translate}

  function translate(row: JsonObject): Draft[] {
    const agentId = textAt(row, 'agentId')
    if (agentId !== undefined && !parents.has(agentId)) link(agentId, row)
    const drafts = translator.translate(row)
    for (const draft of drafts) {
      if (draft.type !== 'tool-start' || draft.tool !== 'Task' || !isRecord(draft.input)) continue
      const prompt = textAt(draft.input, 'prompt')
      if (prompt !== undefined) calls.set(prompt, draft.toolId)
    }
    return drafts
  }

  /** Newer versions have a file about each sub-agent; for older ones, the prompt is that of the call. */
  function link(agentId: string, row: JsonObject): void {
    const {path, readText} = context.source()
    const about = parseText(readText(path.replace(/\.jsonl$/, '.meta.json')) ?? '')
    const prompt = outputText(objectAt(row, 'message')['content'])
    const toolId = textAt(about, 'toolUseId') ?? calls.get(prompt)
    if (toolId !== undefined) parents.set(agentId, toolId)
  }
}
