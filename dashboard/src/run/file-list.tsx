import {useMemo, useRef, useState, type KeyboardEvent} from 'react'
import {escapeControls} from '../../../src/core/text/text.ts'
import {CountBlocks, Counts} from '../cards/counts.tsx'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatNumber} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import type {ChangedFile} from './changed-files.ts'
import {listTreeRows, type FileRow, type FolderRow, type TreeRow} from './file-tree.ts'
import styles from './files-panel.module.css'

const LETTERS = {created: 'A', modified: 'M', deleted: 'D'} as const

/** More rows are shown on request. */
const MAX_ROWS = 200

/** The files changed by a run, as a tree when there are many. */
export function FileList({
  files,
  chosen,
  onChoose,
}: {
  files: readonly ChangedFile[]
  chosen: ChangedFile
  onChoose(path: string): void
}) {
  const box = useRef<HTMLDivElement>(null)
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [areAllShown, setAllShown] = useState(false)
  const [focused, setFocused] = useState<string>()
  const rows = useMemo(() => listTreeRows(files, closed), [files, closed])
  const shown = areAllShown ? rows : rows.slice(0, MAX_ROWS)
  // One row is reachable with Tab, the others with arrow keys.
  const reachable =
    shown.find(({key}) => key === focused) ?? shown.find(({key}) => key === chosen.path) ?? shown[0]
  return (
    <div className={styles.list}>
      <div role="tree" aria-label="Changed files" ref={box}>
        {shown.map((row) => (
          <div
            key={`${row.type} ${row.key}`}
            role="treeitem"
            className={styles.row}
            style={{paddingLeft: `${16 + row.depth * 16}px`}}
            tabIndex={row === reachable ? 0 : -1}
            aria-level={row.depth + 1}
            aria-posinset={row.place}
            aria-setsize={row.placeCount}
            aria-selected={row.key === chosen.path}
            aria-expanded={row.type === 'folder' ? row.isOpen : undefined}
            onClick={() => act(row)}
            onFocus={() => setFocused(row.key)}
            onKeyDown={(event) => walk(event, row)}
          >
            {row.type === 'folder' ? <FolderLine row={row} /> : <FileLine row={row} />}
            <Counts {...sumOf(row)} />
            <CountBlocks {...sumOf(row)} />
          </div>
        ))}
      </div>
      {rows.length > shown.length && (
        <Button
          kind="quiet"
          size="small"
          className={styles.showAll}
          onClick={() => setAllShown(true)}
        >
          Show all {formatNumber(files.length)}
        </Button>
      )}
    </div>
  )

  function act(row: TreeRow): void {
    if (row.type === 'file') onChoose(row.key)
    else toggle(row.key, !row.isOpen)
  }

  function toggle(key: string, isOpen: boolean): void {
    const next = new Set(closed)
    if (isOpen) next.delete(key)
    else next.add(key)
    setClosed(next)
  }

  /** Moves as in every tree: up and down, right into a folder, left out of it. */
  function walk(event: KeyboardEvent, row: TreeRow): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const at = shown.indexOf(row)
    const isOpen = row.type === 'folder' && row.isOpen
    switch (event.key) {
      case 'ArrowDown':
        focusRow(shown[at + 1])
        break
      case 'ArrowUp':
        focusRow(shown[at - 1])
        break
      case 'Home':
        focusRow(shown[0])
        break
      case 'End':
        focusRow(shown.at(-1))
        break
      case 'ArrowRight':
        if (row.type === 'folder' && !isOpen) toggle(row.key, true)
        else if (isOpen) focusRow(shown[at + 1])
        break
      case 'ArrowLeft':
        if (isOpen) toggle(row.key, false)
        else focusRow(shown.slice(0, at).findLast(({depth}) => depth < row.depth))
        break
      case 'Enter':
      case ' ':
        act(row)
        break
      default:
        return
    }
    // Otherwise the feed would move as well.
    event.preventDefault()
  }

  function focusRow(row: TreeRow | undefined): void {
    const element = row === undefined ? undefined : box.current?.children[shown.indexOf(row)]
    if (element instanceof HTMLElement) element.focus()
  }
}

function FolderLine({row}: {row: FolderRow}) {
  return (
    <>
      <span className={styles.chevron}>
        <Icon name="chev" size={14} />
      </span>
      <span className={common.ellipsis}>
        <span className={common.mono}>{escapeControls(row.name)}</span>{' '}
        <small className={classNames(common.muted, common.tabular)}>
          {formatNumber(row.fileCount)}
          <span className={common.visuallyHidden}> {row.fileCount === 1 ? 'file' : 'files'}</span>
        </small>
      </span>
    </>
  )
}

const UNCERTAIN = 'Another run was active in this folder and may have changed this file'

function FileLine({row: {name, file}}: {row: FileRow}) {
  return (
    <>
      <span className={styles.action} data-action={file.action} title={file.action}>
        {LETTERS[file.action]}
        <span className={common.visuallyHidden}> {file.action} </span>
      </span>
      {file.isUncertain ? (
        <span className={common.ellipsis} title={UNCERTAIN}>
          <span className={common.mono}>{escapeControls(name)}</span>{' '}
          <small className={common.muted}>Uncertain</small>
        </span>
      ) : (
        <span
          className={classNames(common.mono, common.ellipsis, styles.path)}
          title={escapeControls(file.path)}
        >
          <bdi>{escapeControls(name)}</bdi>
        </span>
      )}
    </>
  )
}

function sumOf(row: TreeRow): {added: number; removed: number} {
  const {added, removed} = row.type === 'file' ? row.file : row
  return {added, removed}
}
