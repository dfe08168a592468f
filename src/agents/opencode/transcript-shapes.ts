import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {textAt, type JsonObject} from '../../core/wire/json.ts'

// OpenCode 1.18.33, captured on 2026-11-16; other parts as its sources define them.

/** The kind of a record: a session, a message with its role, or a part with its type. */
export function kindOf({type, role, part}: JsonObject): string {
  if (type === 'message') return `message/${typeof role === 'string' ? role : '(no role)'}`
  if (type === 'part') return `part/${textAt(part, 'type') ?? '(no type)'}`
  return typeof type === 'string' ? type : '(no type)'
}

const MESSAGE = 'type at id sessionID role agent mode system'
const PART = 'type at role modelID providerID sessionID messageID'
const OWN = 'id type sessionID messageID'

/** The fields of each part. */
const parts: Readonly<Record<string, string>> = {
  text: 'text synthetic ignored metadata time{start end}',
  reasoning: 'text metadata time{start end}',
  tool: `tool callID metadata state{
    status input raw output error title metadata attachments time{start end compacted}
  }`,
  'step-start': 'snapshot',
  'step-finish': 'reason snapshot cost tokens{total input output reasoning cache{read write}}',
  snapshot: 'snapshot',
  patch: 'hash files',
  file: 'mime filename url source',
  agent: 'name source',
  subtask: 'prompt description agent model command',
  retry: 'attempt error time{created}',
  compaction: 'auto overflow tail_start_id',
}

/** Every known record of a session. */
export const shapes: Shapes = defineShapes({
  session: `
    type at id slug parentID projectID workspaceID directory path title version time{
      created updated compacting archived initialized
    }
    summary share revert permission agent model metadata cost tokens
  `,
  'message/user': `
    ${MESSAGE} time{created} format summary model{providerID modelID variant} tools variant
  `,
  // The fields of an error depend on its name.
  'message/assistant': `
    ${MESSAGE} parentID modelID providerID path{cwd root} time{created completed} error summary cost
    tokens{total input output reasoning cache{read write}} structured variant finish
  `,
  ...Object.fromEntries(
    Object.entries(parts).map(([name, fields]) => [
      `part/${name}`,
      `${PART} part{${OWN} ${fields}}`,
    ]),
  ),
})
