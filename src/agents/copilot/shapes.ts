import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import type {JsonObject} from '../../core/wire/json.ts'
import {conversationFields} from './wire/conversation.ts'
import {otherFields} from './wire/other.ts'
import {sessionFields} from './wire/session.ts'

// As Copilot CLI 1.0.102 prints them, 2026-11-15.

/** The kind of a line of Copilot's: its type. */
export function kindOf({type}: JsonObject): string {
  return typeof type === 'string' ? type : '(no type)'
}

/** Every line that Copilot is known to print: all events that it has, and two that are no events. */
export const shapes: Shapes = defineShapes({
  ...Object.fromEntries(
    Object.entries({...sessionFields, ...conversationFields, ...otherFields}).map(
      ([type, fields]) => [type, `type data{${fields}} id timestamp parentId ephemeral agentId`],
    ),
  ),
  result: `
    type timestamp sessionId exitCode outcome blocker
    usage{premiumRequests totalApiDurationMs sessionDurationMs codeChanges{linesAdded linesRemoved filesModified}}
  `,
  'workflow.result': 'type data{name run resultFile}',
})
