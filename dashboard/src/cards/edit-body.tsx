import {useMemo} from 'react'
import {formatCount} from '../ui/figures.ts'
import {groupBy} from '../ui/group-by.ts'
import {composeEdits} from './compose-changes.ts'
import {Counts} from './counts.tsx'
import {DiffView} from './diff.tsx'
import {FailureBox} from './failure.tsx'
import {useMore} from '../ui/more.tsx'
import {OtherBody} from './other-body.tsx'
import {readFileChanges} from './read-file-changes.ts'
import type {FileEdit} from './file-edit.ts'
import {shortenName} from './readable.ts'
import styles from './tool-body.module.css'
import type {ToolCall} from './tool-call.ts'

const FIRST_FILES = 8

/** The changes of an edit or a write, file by file; for a failure, the reason and the intended changes. */
export function EditBody(call: ToolCall) {
  const {tool, input} = call
  const files = useMemo(
    () => [...groupBy(readFileChanges(tool, input), ({path}) => path)],
    [tool, input],
  )
  const {shown, button} = useMore(files.length, FIRST_FILES, 'files')
  if (files.length === 0) return <OtherBody {...call} />
  return (
    <>
      <FailureBox {...call} />
      {files.slice(0, shown).map(([path, edits]) => (
        <FileChange key={path} path={path} edits={edits} hasHead={files.length > 1} />
      ))}
      {button}
    </>
  )
}

function FileChange({path, edits, hasHead}: {path: string; edits: FileEdit[]; hasHead: boolean}) {
  const {hunks, added, removed} = useMemo(() => composeEdits(edits), [edits])
  const name = shortenName(path)
  return (
    <>
      {hasHead && (
        <p className={styles.fileName}>
          <code>{name}</code> <Counts added={added} removed={removed} />
        </p>
      )}
      {hunks.length > 0 ? (
        <DiffView hunks={hunks} label={`Changes of ${name}`} />
      ) : (
        <p className={styles.note}>{describe(edits)}</p>
      )}
    </>
  )
}

function describe(edits: FileEdit[]): string {
  const last = edits.at(-1)
  if (last?.kind === 'delete') return 'Deleted'
  if (last?.kind === 'unknown') return 'Changed; the agent did not report how'
  if (last?.kind === 'write' && last.after === '') return 'Empty file'
  return `${formatCount(edits.length, 'edit')} without changed lines`
}
