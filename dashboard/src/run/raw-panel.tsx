import {useVirtualizer} from '@tanstack/react-virtual'
import {useDeferredValue, useEffect, useMemo, useRef, useState} from 'react'
import {escapeControls} from '../../../src/core/text/text.ts'
import {JsonTree} from '../cards/json-tree.tsx'
import type {RecordRow} from '../model/records.ts'
import type {RunSnapshot} from '../model/run-model.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {CopyButton} from '../ui/copy-button.tsx'
import {formatBytes, formatCount, formatNumber, formatOffset} from '../ui/figures.ts'
import {SectionHead} from '../ui/section-head.tsx'
import {Tag} from '../ui/tag.tsx'
import textField from '../ui/text-field.module.css'
import panel from './panel.module.css'
import styles from './raw-panel.module.css'
import {LEFT_OUT, useRecord, useRun} from './run-context.ts'

/** The search field for records. */
export const FIND_RECORDS = 'find-records'

/** Every line of a run as it arrived, with its events. */
export function RawPanel({snapshot, line}: {snapshot: RunSnapshot; line: number | undefined}) {
  const {startedAt, until, actions} = useRun()
  const box = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const filter = useDeferredValue(text.trim().toLowerCase())
  const found = useFoundLines(filter)
  const rows = useMemo(() => {
    const {records} = snapshot
    const kept: RecordRow[] = []
    for (let index = 0; index < records.count; index++) {
      const row = records.at(index)
      if (row === undefined || (until !== undefined && row.at > until)) continue
      if (filter === '' || matches(row, filter) || found.lines.has(row.line)) kept.push(row)
    }
    return kept
  }, [snapshot, filter, until, found])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => 24,
    overscan: 10,
  })
  const index = line === undefined ? -1 : rows.findIndex((row) => row.line === line)
  useEffect(() => {
    if (index >= 0) virtualizer.scrollToIndex(index, {align: 'auto'})
    // Only when another line is selected: new lines must not move the text.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [line, virtualizer])
  // A search jumps to its first match.
  useEffect(() => {
    if (filter !== '') box.current?.scrollTo({top: 0})
  }, [filter])
  const {count, size, malformedCount, unknownCount} = snapshot.records
  return (
    <div className={styles.panel}>
      <SectionHead
        title="Records"
        fact={`${formatNumber(count)} lines · ${formatBytes(size)} · ${malformedCount} malformed · ${unknownCount} unknown`}
      />
      <div className={styles.search}>
        <input
          id={FIND_RECORDS}
          className={classNames(textField.textField, common.grow)}
          type="search"
          aria-label="Find records"
          placeholder="Text, kind or line number"
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        {filter !== '' && (
          <output className={classNames(common.muted, common.tabular)}>
            {formatNumber(rows.length)} of {formatNumber(count)}
            {found.total > found.lines.size &&
              `, the first ${formatNumber(found.lines.size)} found`}
          </output>
        )}
      </div>
      <div
        className={styles.records}
        ref={box}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a select cannot hold 100,000 rows
        role="listbox"
        aria-label="Records"
        tabIndex={0}
        onKeyDown={(event) => walk(event.key)}
      >
        <div style={{height: virtualizer.getTotalSize(), position: 'relative'}}>
          {virtualizer.getVirtualItems().map((item) => {
            const row = rows[item.index]
            if (row === undefined) return null
            return (
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the list has the keys
              <div
                key={row.line}
                // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role
                role="option"
                tabIndex={-1}
                aria-selected={row.line === line}
                className={styles.row}
                style={{transform: `translateY(${item.start}px)`}}
                onClick={() => actions.selectRecord(row.line)}
              >
                <span>{row.line}</span>
                <span>+{formatOffset(row.at - startedAt)}</span>
                <b className={common.ellipsis}>
                  {escapeControls(row.kind) || 'blank'} {row.isOdd && <Tag tone="drift">odd</Tag>}
                </b>
                <span>{formatBytes(row.size)}</span>
              </div>
            )
          })}
        </div>
      </div>
      {line === undefined ? (
        <p className={common.empty}>Select a record to show its original content</p>
      ) : (
        <RecordView line={line} />
      )}
    </div>
  )

  function walk(key: string): void {
    const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0
    const next = rows[index + step]
    if (step !== 0 && next !== undefined) actions.selectRecord(next.line)
  }
}

/** Finds lines that contain a text, after the user stopped typing. */
function useFoundLines(filter: string): {lines: ReadonlySet<number>; total: number} {
  const {source} = useRun()
  const [found, setFound] = useState({filter: '', lines: NONE, total: 0})
  useEffect(() => {
    if (filter.length < 2 || source.findLines === undefined) return undefined
    let isGone = false
    const timer = setTimeout(() => void search(), TYPING_MS)
    return () => {
      isGone = true
      clearTimeout(timer)
    }

    async function search(): Promise<void> {
      try {
        const answer = await source.findLines?.(filter)
        if (answer === undefined || isGone) return
        setFound({filter, lines: new Set(answer.lines), total: answer.total})
      } catch {
        // Users without access to the bytes can still search kinds and numbers.
      }
    }
  }, [source, filter])
  return found.filter === filter ? found : NOTHING
}

const TYPING_MS = 200
const NONE: ReadonlySet<number> = new Set()
const NOTHING = {lines: NONE, total: 0}

function matches(row: RecordRow, filter: string): boolean {
  if (filter === 'odd') return row.isOdd
  return /^\d+$/.test(filter)
    ? String(row.line).startsWith(filter)
    : row.kind.toLowerCase().includes(filter)
}

function RecordView({line}: {line: number}) {
  const {source} = useRun()
  const record = useRecord(line)
  const [isExact, setExact] = useState(false)
  const value = useMemo(() => (record === undefined ? undefined : parse(record.raw)), [record])
  const row = source.get().snapshot.records.find(line)
  const shown = record?.raw.length ?? 0
  return (
    <div className={styles.record}>
      <div className={panel.detailBar}>
        <span className={common.grow}>Line {line}, as received</span>
        <Button kind="quiet" size="small" aria-pressed={!isExact} onClick={() => setExact(false)}>
          Pretty
        </Button>
        <Button kind="quiet" size="small" aria-pressed={isExact} onClick={() => setExact(true)}>
          Exact
        </Button>
        {record !== undefined && <CopyButton text={record.raw} />}
      </div>
      {record === undefined ? (
        <p className={common.empty}>{source.isLeftOut?.(line) === true ? LEFT_OUT : 'Loading…'}</p>
      ) : (
        <>
          {isExact || value === undefined ? (
            <pre className={styles.source}>{escapeControls(record.raw.trimEnd())}</pre>
          ) : (
            <div className={styles.source}>
              <JsonTree value={value} />
            </div>
          )}
          {row !== undefined && row.size > shown * 4 && (
            <p className={common.empty}>
              The first {formatBytes(shown)} of {formatBytes(row.size)}. All of it is in the
              {source.rawUrl === undefined ? ' recording.' : ' download of the recording.'}
            </p>
          )}
          <div className={panel.detailBar}>
            <span className={common.grow}>Parsed events</span>
            <span className={common.muted}>{formatCount(record.events.length, 'event')}</span>
          </div>
          <div className={styles.source}>
            {record.events.length === 0 ? (
              <span className={common.muted}>No events</span>
            ) : (
              <JsonTree value={record.events} />
            )}
          </div>
        </>
      )}
    </div>
  )
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw) as unknown
  } catch {
    return undefined
  }
}
