import type {PermissionRequestEvent} from '../../../src/core/protocol/server-message.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {Diff} from '../cards/diff.tsx'
import type {FileEdit} from '../cards/file-edit.ts'
import {readFileChanges} from '../cards/read-file-changes.ts'
import {escapeControlsMultiline} from '../cards/readable.ts'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import styles from './permission-dock.module.css'

/** The exact content of a request. A user must see all of it before answering. */
export function RequestInput({
  request: {tool, name, input},
}: {
  request: Pick<PermissionRequestEvent, 'tool' | 'name' | 'input'>
}) {
  const {command, description} = input
  if (tool === 'Bash' && typeof command === 'string') {
    return (
      <>
        <pre className={styles.subject}>{escapeControlsMultiline(command)}</pre>
        {typeof description === 'string' && <p>{escapeControls(description)}</p>}
      </>
    )
  }
  const edits = readFileChanges(tool, input)
  if (edits.length > 0 && edits.every(({kind}) => kind !== 'unknown')) {
    return (
      <div className={styles.subject}>
        {edits.map((edit, at) => (
          // Edits have no other identity than their index.
          // oxlint-disable-next-line react/no-array-index-key
          <RequestedEdit key={at} edit={edit} />
        ))}
      </div>
    )
  }
  return (
    <pre className={styles.subject}>
      {escapeControls(name)} {escapeControlsMultiline(JSON.stringify(input, undefined, 2))}
    </pre>
  )
}

function RequestedEdit({
  edit: {kind, path, before = '', after = '', isEverywhere = false},
}: {
  edit: FileEdit
}) {
  return (
    <>
      <p className={classNames(common.mono, common.ellipsis)}>{escapeControls(path)}</p>
      {isEverywhere && <p>Replaces every occurrence</p>}
      {kind === 'delete' ? (
        <p>Deletes the file</p>
      ) : (
        <Diff before={before} after={after} path={path} />
      )}
    </>
  )
}
