import type {ReactNode} from 'react'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Icon, type IconName} from '../ui/icon.tsx'
import styles from './panel.module.css'
import type {PanelTab} from './use-panels.ts'

const TABS: readonly (readonly [PanelTab, IconName, string])[] = [
  ['files', 'files', 'Files'],
  ['plan', 'plan', 'Plan'],
  ['stats', 'chart', 'Stats'],
  ['raw', 'raw', 'Raw'],
]

/** The details of a run, one tab at a time; on a wide screen the stats are always beside them. */
export function Panel({
  tab,
  counts,
  isOpen,
  isPinned,
  isPhoneView,
  onTab,
  onClose,
  children,
  stats,
}: {
  tab: PanelTab
  counts: Partial<Record<PanelTab, string | undefined>>
  /** Whether it covers the feed, on a screen with no room beside it. */
  isOpen: boolean
  /** Whether the stats are always shown beside the other tabs. */
  isPinned: boolean
  /** Whether a phone shows it instead of the feed or the timeline. */
  isPhoneView: boolean
  onTab(tab: PanelTab): void
  onClose(): void
  children: ReactNode
  stats: ReactNode
}) {
  const tabs = isPinned ? TABS.filter(([id]) => id !== 'stats') : TABS
  return (
    <aside
      className={classNames(
        styles.panel,
        isOpen && styles.isOpen,
        isPhoneView && styles.isPhoneView,
      )}
      aria-label="Details"
    >
      <h2 className={common.visuallyHidden}>Details</h2>
      <div className={styles.tabs} role="tablist" aria-label="Details">
        {tabs.map(([id, icon, word]) => (
          <button
            key={id}
            type="button"
            role="tab"
            className={styles.tab}
            id={`tab-${id}`}
            aria-selected={tab === id}
            aria-controls="panel"
            tabIndex={tab === id ? 0 : -1}
            onClick={() => onTab(id)}
            onKeyDown={({key}) => {
              const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
              const next =
                tabs[
                  (tabs.findIndex(([other]) => other === tab) + step + tabs.length) % tabs.length
                ]
              if (step === 0 || next === undefined) return
              onTab(next[0])
              document.getElementById(`tab-${next[0]}`)?.focus()
            }}
          >
            <Icon name={icon} size={14} />
            {word} {counts[id] !== undefined && <small>{counts[id]}</small>}
          </button>
        ))}
        <span className={common.grow} />
        <Button
          kind="quiet"
          size="icon"
          className={styles.close}
          aria-label="Close details"
          onClick={onClose}
        >
          <Icon name="chev" />
        </Button>
      </div>
      <div className={classNames(styles.views, isPinned && styles.hasStats)}>
        <div
          className={styles.view}
          data-tab={tab}
          role="tabpanel"
          id="panel"
          aria-labelledby={`tab-${tab}`}
          // A panel without focusable content scrolls by key itself.
          tabIndex={tab === 'stats' || tab === 'plan' ? 0 : undefined}
        >
          {children}
        </div>
        {isPinned && (
          // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls by key and has no focusable content
          <section className={styles.view} aria-label="Stats" tabIndex={0}>
            {stats}
          </section>
        )}
      </div>
    </aside>
  )
}
