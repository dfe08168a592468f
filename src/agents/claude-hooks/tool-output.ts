import type {ToolKind} from '../../core/events/events.ts'
import {isRecord, objectAt, textAt, toText} from '../../core/wire/json.ts'
import {outputText} from '../messages-api/content.ts'

/** The result of a tool as text. Hooks get the value that the tool returned, not the text for the model. */
export function readOutput(tool: ToolKind, response: unknown): string {
  if (!isRecord(response)) return outputText(response)
  // The input contains the written text.
  if (tool === 'Write' || tool === 'Edit' || tool === 'Todo') return ''
  const {stdout, stderr, content, result, filenames} = response
  if (typeof stdout === 'string' || typeof stderr === 'string') {
    return [stdout, stderr].filter((part) => typeof part === 'string' && part !== '').join('\n')
  }
  const file = textAt(objectAt(response, 'file'), 'content')
  if (file !== undefined) return file
  if (typeof content === 'string' && content !== '') return content
  if (Array.isArray(content)) return outputText(content)
  if (typeof result === 'string') return result
  if (Array.isArray(filenames)) return filenames.map((name) => toText(name)).join('\n')
  return toText(response)
}
