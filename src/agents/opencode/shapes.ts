import {defineShapes, type Shapes} from '../../core/events/shapes.ts'

// OpenCode 1.18.33, captured on 2026-11-15; `done` is in newer versions.

const LINE = 'type timestamp sessionID'
const PART = 'id type sessionID messageID'

/** Every line of OpenCode. */
export const shapes: Shapes = defineShapes({
  step_start: `${LINE} part{${PART} snapshot}`,
  text: `${LINE} part{${PART} text synthetic ignored metadata time{start end}}`,
  reasoning: `${LINE} part{${PART} text metadata time{start end}}`,
  tool_use: `${LINE} part{${PART} tool callID metadata state{
    status input output error title metadata attachments time{start end compacted}
  }}`,
  step_finish: `${LINE} part{${PART} reason snapshot cost tokens{
    total input output reasoning cache{read write}
  }}`,
  // The fields of an error depend on its name.
  error: `${LINE} error`,
  done: `${LINE} reason`,
})
