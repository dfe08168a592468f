import {useEffect, useMemo, useRef, useState, type ReactNode} from 'react'
import {useConnectionState, useRunList} from '../hub/hub.tsx'
import {needsAttention} from '../ui/state.ts'
import {LiveRegions} from './announce.tsx'
import {useCommands, type Command} from './commands.ts'
import {ErrorBoundary} from './error-boundary.tsx'
import styles from './frame.module.css'
import {KeyHints} from './key-hints.tsx'
import {listenToKeys, useKeys} from './keys.ts'
import {KeysDialog} from './keys-dialog.tsx'
import {LoginPage} from './login-page.tsx'
import {LostBar} from './lost-bar.tsx'
import {focusMain} from './page.tsx'
import {Palette} from './palette.tsx'
import {navigate, pathOfRun, usePath} from './router.ts'
import {flipTheme} from '../ui/theme.ts'
import {useLatest} from '../ui/use-latest.ts'
import {TopBar} from './top-bar.tsx'
import {allowNotifications, canAskToNotify, useRunNews} from './use-run-news.ts'

/** The frame of every page: top bar, key hints, palette. */
export function Frame({children}: {children: ReactNode}) {
  const [dialog, setDialog] = useState<'palette' | 'keys' | undefined>(undefined)
  const path = usePath()
  const {kind} = useConnectionState()
  const close = () => setDialog(undefined)
  const goToUrgent = useUrgentRun()
  useRunNews()
  useEffect(listenToKeys, [])
  useFocusOnMain(path)
  usePaletteKey(() => setDialog((open) => (open === 'palette' ? undefined : 'palette')))
  useKeys(
    'Everywhere',
    {
      n: {words: 'next run that needs you', act: goToUrgent},
      'g r': {words: 'runs', act: () => navigate('/')},
      'g u': {words: 'usage', act: () => navigate('/usage')},
      t: {words: 'light or dark', act: flipTheme},
      '?': {words: 'all keys', act: () => setDialog('keys')},
    },
    OUTERMOST,
  )
  const commands: Command[] = [
    {id: 'runs', title: 'Go to runs', icon: 'list', keys: 'g r', run: () => navigate('/')},
    {id: 'usage', title: 'Go to usage', icon: 'chart', keys: 'g u', run: () => navigate('/usage')},
    {
      id: 'needy',
      title: 'Go to the next run that needs you',
      icon: 'hand',
      keys: 'n',
      run: () => void goToUrgent(),
    },
    {id: 'theme', title: 'Switch between light and dark', icon: 'sun', keys: 't', run: flipTheme},
    {id: 'keys', title: 'Show all keys', icon: 'dots', keys: '?', run: () => setDialog('keys')},
  ]
  useCommands('Everywhere', canAskToNotify() ? [...commands, NOTIFY] : commands, OUTERMOST)
  return (
    <div className={styles.frame}>
      <a className={styles.skipLink} href="#main" onClick={skip}>
        Skip to content
      </a>
      <TopBar onFind={() => setDialog('palette')} />
      {kind === 'refused' ? <LoginPage /> : <ErrorBoundary key={path}>{children}</ErrorBoundary>}
      <LostBar />
      <KeyHints onShowAll={() => setDialog('keys')} onFind={() => setDialog('palette')} />
      <LiveRegions />
      {dialog === 'palette' && <Palette onClose={close} />}
      {dialog === 'keys' && <KeysDialog onClose={close} />}
    </div>
  )
}

const OUTERMOST = {isOutermost: true}

const NOTIFY: Command = {
  id: 'notify',
  title: 'Notify me when a run needs me',
  icon: 'flag',
  run: allowNotifications,
}

/** Cycles through the runs that need attention. */
function useUrgentRun(): () => boolean {
  const {runs} = useRunList()
  const path = usePath()
  const urgent = useMemo(() => [...runs.values()].filter(needsAttention), [runs])
  return () => {
    const here = urgent.findIndex(({runId}) => pathOfRun(runId) === path)
    const next = urgent[(here + 1) % Math.max(urgent.length, 1)]
    if (next === undefined) return false
    navigate(pathOfRun(next.runId))
    return true
  }
}

/** A new page starts at its top. */
function useFocusOnMain(path: string): void {
  const last = useRef(path)
  useEffect(() => {
    if (last.current === path) return
    last.current = path
    focusMain()
  }, [path])
}

function skip(event: {preventDefault(): void}): void {
  event.preventDefault()
  focusMain()
}

/** The palette opens from anywhere, even from a field. */
function usePaletteKey(toggle: () => void): void {
  const latest = useLatest(toggle)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return
      if (event.shiftKey || event.altKey) return
      event.preventDefault()
      latest.current()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [latest])
}
