import {use, useEffect, useMemo, useState, useSyncExternalStore} from 'react'
import {makeHarmless} from '../../../src/core/index.ts'
import {composeChanges} from '../cards/compose-changes.ts'
import {DiffView} from '../cards/diff.tsx'
import {formatBytes} from '../ui/figures.ts'
import {readBody} from './bodies.ts'
import type {ChangedFile} from './changed-files.ts'
import {FileList} from './file-list.tsx'
import {RunActionsContext} from './run-actions.ts'

/** The files that a run changed, and what became of one of them. */
export function FilesPanel({
  files,
  onSelect,
}: {
  files: readonly ChangedFile[]
  onSelect(id: number): void
}) {
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const file = files.find(({path}) => path === chosen) ?? files[0]
  if (file === undefined) return <p className="none">No file changed.</p>
  return (
    <div className="filesp">
      <FileList files={files} chosen={file} onChoose={setChosen} />
      <FileChanges key={file.path} file={file} onSelect={onSelect} />
    </div>
  )
}

function FileChanges({file, onSelect}: {file: ChangedFile; onSelect(id: number): void}) {
  const actions = use(RunActionsContext)
  const bodies = actions?.bodies
  const version = useSyncExternalStore(bodies?.subscribe ?? nothing, bodies?.getVersion ?? zero)
  const {calls, path} = file
  useEffect(() => {
    const cut = calls.filter((call) => call.isCut)
    bodies?.want(cut.map(({line}) => line))
  }, [bodies, calls, version])
  const {diff, missing} = useMemo(() => {
    const known = calls.map((call) => {
      const body = call.isCut && bodies !== undefined ? readBody(call, bodies.get) : undefined
      return {tool: call.tool, input: body?.input ?? call.input}
    })
    return {
      diff: composeChanges(
        known.filter(({input}) => input !== undefined),
        path,
      ),
      missing: known.filter(({input}) => input === undefined).length,
    }
    // Bodies come in place.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [calls, calls.length, bodies, path, version])
  const last = calls.at(-1)
  return (
    <section className="filed" aria-label="What changed in the file">
      <div className="dh">
        <span className="mono cut grow">{makeHarmless(path)}</span>
        <span className="t3">{describeEdits(file)}</span>
        {last !== undefined && (
          <button type="button" className="btn sm quiet" onClick={() => onSelect(last.id)}>
            Show the last
          </button>
        )}
      </div>
      {missing > 0 && (
        <p className="none">
          {calls.length - missing} of {calls.length} changes loaded
        </p>
      )}
      {calls.length === 0 ? (
        <p className="none">
          Seen to change on disk
          {file.sizeBytes === undefined ? '' : `, ${formatBytes(file.sizeBytes)} now`}. No tool of
          the agent said so, so what changed in it is not known.
        </p>
      ) : (
        <DiffView hunks={diff.hunks} label={`What changed in ${makeHarmless(path)}`} />
      )}
    </section>
  )
}

function describeEdits({calls}: ChangedFile): string {
  return calls.length === 1 ? '1 change' : `${calls.length} changes`
}

const nothing = () => () => {}
const zero = () => 0
