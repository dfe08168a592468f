import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {objectAt, textAt, type JsonObject} from '../../core/wire/json.ts'
import {CONTENT, MESSAGE} from './shapes.ts'

// Pi 0.73.1 (version 3 of the format), captured on 2026-11-16, and versions 1 and 2 of 0.7 to 0.45.

/** The kind of a row: its type, for messages with the role. */
export function kindOf(row: JsonObject): string {
  const type = textAt(row, 'type') ?? '(no type)'
  return type === 'message'
    ? `message/${textAt(objectAt(row, 'message'), 'role') ?? '(no role)'}`
    : type
}

/** Fields of every row after the first. */
const ROW = 'type id parentId timestamp'

const ROLES = [
  'user',
  'assistant',
  'toolResult',
  'bashExecution',
  'custom',
  // The name of `custom` until version 3.
  'hookMessage',
  'branchSummary',
  'compactionSummary',
]

/** Every known row of a session. */
export const shapes: Shapes = defineShapes({
  ...CONTENT,
  ...Object.fromEntries(
    ROLES.map((role) => [
      `message/${role}`,
      `${ROW} message${MESSAGE.replace('{', '{attachments ')}`,
    ]),
  ),
  // Version 1 names the model here.
  session: `
    type version id timestamp cwd parentSession
    branchedFrom provider modelId model thinkingLevel
  `,
  model_change: `${ROW} provider modelId model`,
  thinking_level_change: `${ROW} thinkingLevel`,
  compaction: `
    ${ROW} summary firstKeptEntryId firstKeptEntryIndex tokensBefore details fromHook
  `,
  branch_summary: `${ROW} fromId summary details fromHook`,
  custom: `${ROW} customType data`,
  custom_message: `${ROW} customType content@block display details`,
  label: `${ROW} targetId label`,
  session_info: `${ROW} name`,
})
