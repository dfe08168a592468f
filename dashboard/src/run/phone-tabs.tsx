import {Icon, type IconName} from '../ui/icon.tsx'
import styles from './phone-tabs.module.css'
import type {PhoneTab, ViewState} from './view-state.ts'

const TABS: readonly (readonly [PhoneTab, IconName, string])[] = [
  ['feed', 'list', 'Feed'],
  ['time', 'time', 'Timeline'],
  ['files', 'files', 'Files'],
  ['stats', 'chart', 'Stats'],
  ['raw', 'raw', 'Raw'],
]

/** What a phone shows of a run, one at a time. */
export function PhoneTabs({tab, onTab}: {tab: PhoneTab; onTab(changes: Partial<ViewState>): void}) {
  return (
    <nav className={styles.tabs} aria-label="Views">
      {TABS.map(([id, icon, word]) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? 'page' : undefined}
          onClick={() => {
            onTab(id === 'feed' || id === 'time' ? {phoneTab: id} : {phoneTab: id, tab: id})
          }}
        >
          <Icon name={icon} />
          {word}
        </button>
      ))}
    </nav>
  )
}
