import {useEffect, useState, type ReactNode} from 'react'
import type {ExportedRun} from '../../../src/export/exported-run.ts'
import {LiveRegions} from '../shell/announce.tsx'
import {ErrorBoundary} from '../shell/error-boundary.tsx'
import frame from '../shell/frame.module.css'
import {KeyHints} from '../shell/key-hints.tsx'
import {KeysDialog} from '../shell/keys-dialog.tsx'
import {listenToKeys, useKeys} from '../shell/keys.ts'
import {Logo} from '../shell/logo.tsx'
import {flipTheme} from '../ui/theme.ts'
import {ThemeButton} from '../shell/theme-button.tsx'
import topBar from '../shell/top-bar.module.css'
import common from '../ui/common.module.css'
import styles from './export-frame.module.css'

/** The frame of an exported run: its origin, the keys, the theme. */
export function ExportFrame({run, children}: {run: ExportedRun; children: ReactNode}) {
  const [isShowingKeys, setShowingKeys] = useState(false)
  useEffect(listenToKeys, [])
  useKeys(
    'This page',
    {
      t: {words: 'light or dark', act: flipTheme},
      '?': {words: 'all keys', act: () => setShowingKeys(true)},
    },
    OUTERMOST,
  )
  const notes = describeLacks(run)
  return (
    <div className={frame.frame}>
      <header className={topBar.topBar}>
        <span className={topBar.logo}>
          <Logo />
        </span>
        <p className={styles.origin}>
          Exported from Vitrine {run.version} on{' '}
          <time dateTime={new Date(run.exportedAt).toISOString()}>{formatDay(run.exportedAt)}</time>
          <span className={common.muted}> · secrets masked</span>
        </p>
        <span className={topBar.spacer} />
        <ThemeButton />
      </header>
      {notes.length > 0 && <p className={styles.notes}>{notes.join(' ')}</p>}
      <ErrorBoundary isAlone>{children}</ErrorBoundary>
      <KeyHints onShowAll={() => setShowingKeys(true)} />
      <LiveRegions />
      {isShowingKeys && <KeysDialog onClose={() => setShowingKeys(false)} />}
    </div>
  )
}

const OUTERMOST = {isOutermost: true}

/** The omitted parts, in full sentences. */
function describeLacks({state, records}: ExportedRun): string[] {
  const notes: string[] = []
  if (state === 'running') notes.push('The run was still live when it was exported.')
  if (state === 'lost') notes.push('The recording ends before the run does.')
  if (records.full < records.count) {
    const [full, count] = [records.full, records.count].map((number) => number.toLocaleString('en'))
    notes.push(
      `${full} of ${count} records are complete. Use vitrine export --full for all of them.`,
    )
  }
  return notes
}

function formatDay(at: number): string {
  return new Date(at).toLocaleString('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  })
}
