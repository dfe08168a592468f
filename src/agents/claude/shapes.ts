import {defineShapes, type Shapes} from '../../core/events/shapes.ts'
import {MESSAGE, messageShapes} from '../messages-api/shapes.ts'
import {fieldTable} from './fields.ts'

/** Every known line of Claude Code, parts of messages included. */
export const shapes: Shapes = defineShapes({
  ...Object.fromEntries(
    Object.entries(fieldTable).map(([kind, names]) => [kind, `type subtype ${names}`]),
  ),
  ...messageShapes,
  assistant: `type ${fieldTable.assistant} ${MESSAGE}`,
  user: `type ${fieldTable.user} ${MESSAGE}`,
  stream_event: `type ${fieldTable.stream_event} event@stream`,
  content_block_start: `type ${fieldTable.content_block_start} content_block@block`,
  content_block_delta: `type ${fieldTable.content_block_delta} delta@delta`,
})
