import {useEffect, useMemo, useState} from 'react'
import {escapeControls} from '../../../src/core/text/text.ts'
import {composeChanges} from '../cards/compose-changes.ts'
import {DiffView} from '../cards/diff.tsx'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {useStore} from '../ui/create-store.ts'
import {formatBytes, formatCount} from '../ui/figures.ts'
import {readBody} from './record-cache.ts'
import type {ChangedFile} from './changed-files.ts'
import {FileList} from './file-list.tsx'
import styles from './files-panel.module.css'
import panel from './panel.module.css'
import {useRun} from './run-context.ts'

/** Limits the combined changes of one file; more are in the feed. */
const MAX_CALLS = 200

/** The files changed by a run, and the diff of one of them. */
export function FilesPanel({files}: {files: readonly ChangedFile[]}) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const file = files.find(({path}) => path === chosen) ?? files[0]
  if (file === undefined) return <p className={common.empty}>No changes</p>
  return (
    <div className={styles.files}>
      <FileList files={files} chosen={file} onChoose={setChosen} />
      <FileChanges key={file.path} file={file} />
    </div>
  )
}

function FileChanges({file}: {file: ChangedFile}) {
  const {bodies, actions} = useRun()
  useStore(bodies.version)
  const {path} = file
  const calls = file.calls.slice(-MAX_CALLS)
  const inputs = calls.map((call) => {
    const body = call.isCut ? readBody(call, bodies.get) : undefined
    return body?.input ?? call.input
  })
  const missing = inputs.filter((input) => input === undefined).length
  const last = calls.at(-1)
  // Combining changes is slow, so it runs only when they changed.
  const key = `${path} ${file.calls.length} ${last?.id ?? ''} ${missing}`
  const diff = useMemo(() => {
    const known = calls.flatMap(({tool}, at) => {
      return inputs[at] === undefined ? [] : [{tool, input: inputs[at]}]
    })
    return composeChanges(known, path)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key stands for all of it
  }, [key])
  useEffect(() => {
    if (missing > 0) bodies.request(calls.flatMap(({isCut, line}) => (isCut ? [line] : [])))
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key stands for all of it
  }, [bodies, key])
  return (
    <section className={styles.changes} aria-label="Changes of the file">
      <div className={classNames(panel.detailBar, styles.changesBar)}>
        <span className={classNames(common.mono, common.ellipsis, common.grow)}>
          {escapeControls(path)}
        </span>
        <span className={common.muted}>{formatCount(file.calls.length, 'change')}</span>
        {last !== undefined && (
          <Button kind="quiet" size="small" onClick={() => actions.reveal(last.id)}>
            Show the last
          </Button>
        )}
      </div>
      {(missing > 0 || calls.length < file.calls.length) && (
        <p className={common.empty}>
          {calls.length - missing} of {file.calls.length} changes
          {missing > 0 ? ' loaded' : ', the last ones'}
        </p>
      )}
      {calls.length === 0 ? (
        <p className={common.empty}>
          Changed on disk
          {file.sizeBytes === undefined ? '' : `, ${formatBytes(file.sizeBytes)} now`}. No tool
          reported it, so its changes are unknown.
        </p>
      ) : (
        <div className={styles.diff}>
          <DiffView hunks={diff.hunks} label={`Changes of ${escapeControls(path)}`} />
        </div>
      )}
    </section>
  )
}
