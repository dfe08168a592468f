import {useMemo, useState} from 'react'
import {updateQuery} from '../shell/router.ts'

/** The panels beside the feed. */
export type PanelTab = 'files' | 'plan' | 'stats' | 'raw'
/** The views of a phone, which shows one at a time. */
export type PhoneTab = 'feed' | 'time' | PanelTab

/** State of the panels, and commands that change it. */
export type Panels = ReturnType<typeof usePanels>

/** Panels of the run page: the one that is shown, and the selected record. */
export function usePanels() {
  const [tab, setTab] = useState<PanelTab>('files')
  const [phoneTab, setPhoneTab] = useState<PhoneTab>('feed')
  /** Whether the panel is open where it covers the feed. */
  const [isPanelOpen, openPanel] = useState(false)
  const [line, selectRecord] = useState<number | undefined>(undefined)
  const actions = useMemo(() => {
    const show = (next: PanelTab) => {
      setTab(next)
      setPhoneTab(next)
      openPanel(true)
    }
    return {
      /** Shows a panel and puts it into the address. */
      showTab(next: PanelTab): void {
        show(next)
        updateQuery({tab: next})
      },
      showPhoneTab(next: PhoneTab): void {
        setPhoneTab(next)
        if (next !== 'feed' && next !== 'time') setTab(next)
      },
      /** Shows a line in the raw panel and puts it into the address. */
      showRecord(next: number): void {
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
