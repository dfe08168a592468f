import {Icon, type IconName} from '../ui/icon.tsx'
import styles from './phone-tabs.module.css'
import type {PhoneTab} from './use-panels.ts'

const TABS: readonly (readonly [PhoneTab, IconName, string])[] = [
  ['feed', 'list', 'Feed'],
  ['time', 'time', 'Timeline'],
  ['files', 'files', 'Files'],
  ['stats', 'chart', 'Stats'],
  ['raw', 'raw', 'Raw'],
]

/** Tabs of the run page on a phone, which shows one view at a time. */
export function PhoneTabs({tab, onTab}: {tab: PhoneTab; onTab(tab: PhoneTab): void}) {
  return (
    <nav className={styles.tabs} aria-label="Views">
      {TABS.map(([id, icon, word]) => (
        <button
          key={id}
          type="button"
          aria-current={tab === id ? 'page' : undefined}
          onClick={() => onTab(id)}
        >
          <Icon name={icon} />
          {word}
        </button>
      ))}
    </nav>
  )
}
