import {useMemo, useState} from 'react'
import {updateQuery} from '../shell/router.ts'

/** The panels beside the feed. */
export type PanelTab = 'files' | 'plan' | 'stats' | 'raw'
/** The views of a phone, which shows one at a time. */
export type PhoneTab = 'feed' | 'time' | PanelTab

/** Opens and closes panels. */
export interface PanelActions {
  /** Shows a panel and puts it into the address. */
  showTab(tab: PanelTab): void
  showPhoneTab(tab: PhoneTab): void
  /** Shows a line in the raw panel and puts it into the address. */
  showRecord(line: number): void
  /** Selects a line in the raw panel. */
  selectRecord(line: number | undefined): void
  /** Opens or closes the panel where it covers the feed. */
  openPanel(isOpen: boolean): void
}

/** Panels of the run page: the one that is shown, and the selected record. */
export function usePanels() {
  const [tab, setTab] = useState<PanelTab>('files')
  const [phoneTab, setPhoneTab] = useState<PhoneTab>('feed')
  const [isPanelOpen, openPanel] = useState(false)
  const [line, selectRecord] = useState<number | undefined>(undefined)
  const actions = useMemo<PanelActions>(() => {
    const show = (next: PanelTab) => {
      setTab(next)
      setPhoneTab(next)
      openPanel(true)
    }
    return {
      showTab(next) {
        show(next)
        updateQuery({tab: next})
      },
      showPhoneTab(next) {
        setPhoneTab(next)
        if (next !== 'feed' && next !== 'time') setTab(next)
      },
      showRecord(next) {
        selectRecord(next)
        show('raw')
        updateQuery({tab: 'raw', line: String(next)})
      },
      selectRecord,
      openPanel,
    }
  }, [])
  return {tab, phoneTab, isPanelOpen, line, actions}
}
