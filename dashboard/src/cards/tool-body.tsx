import {BashBody} from './bash-body.tsx'
import {EditBody} from './edit-body.tsx'
import {McpBody} from './mcp-body.tsx'
import {OtherBody} from './other-body.tsx'
import {ReadBody} from './read-body.tsx'
import {SearchBody} from './search-body.tsx'
import {TaskBody} from './task-body.tsx'
import {TodoBody} from './todo-body.tsx'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'
import {WebBody} from './web-body.tsx'

/** The body of an open tool card, by kind of tool. */
export function ToolBody(call: ToolCall) {
  const Body = BODIES[call.tool]
  return (
    <div className={styles.body}>
      <Body {...call} />
    </div>
  )
}

const BODIES = {
  Bash: BashBody,
  Edit: EditBody,
  Write: EditBody,
  Read: ReadBody,
  Grep: SearchBody,
  Glob: SearchBody,
  WebFetch: WebBody,
  WebSearch: WebBody,
  Mcp: McpBody,
  Task: TaskBody,
  Todo: TodoBody,
  Other: OtherBody,
} as const
