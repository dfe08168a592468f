import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {conversationFields} from './wire/conversation.ts'
import {otherFields} from './wire/other.ts'
import {sessionFields} from './wire/session.ts'

// Copilot CLI 1.0.102, captured on 2026-11-15, with all events of its own schema.

/** Every known line of Copilot: all events of its schema, and two lines that are not events. */
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
