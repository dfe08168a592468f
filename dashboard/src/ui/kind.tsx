import type {EntryKind} from '../../../src/core/run/run-summary.ts'
import {classNames} from './class-names.ts'
import {Icon, type IconName} from './icon.tsx'
import styles from './kind.module.css'

/** The word and the icon of each kind; kinds have no colours. */
export const KINDS: Readonly<Record<EntryKind, {word: string; icon: IconName; title: string}>> = {
  run: {word: 'Run', icon: 'eye', title: 'Supervised run: started with vitrine run'},
  session: {
    word: 'Session',
    icon: 'term',
    title: 'Interactive session: read from the agent’s own files',
  },
  imported: {word: 'Imported', icon: 'import', title: 'Session of another machine'},
}

/** Whether it is a run, a session, or a session of another machine. */
export function Kind({kind, className}: {kind: EntryKind; className?: string | undefined}) {
  const {word, icon, title} = KINDS[kind]
  return (
    <span className={classNames(styles.kind, className)} title={title}>
      <Icon name={icon} />
      {word}
    </span>
  )
}
