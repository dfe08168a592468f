import type {StatusNotice} from '../../../src/core/words/status-words.ts'
import type {NoticeEntry} from './entry.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** The reason why a run waits, if it was reported. */
export interface OpenWait {
  /** Whether a notice updates the current wait: any number of retries is one wait. */
  goOn(notice: StatusNotice, line: number): boolean
  start(entry: NoticeEntry): void
  end(at: number): void
}

/** Tracks the current wait of a run. */
export function createOpenWait(timeline: TimelineBuilder): OpenWait {
  let wait: NoticeEntry | undefined

  return {
    goOn(notice, line) {
      if (wait === undefined || !notice.isWait || wait.kind !== notice.kind) return false
      wait.text = notice.text
      wait.lastLine = line
      return true
    },
    start(entry) {
      wait = entry
      timeline.startWait(entry)
    },
    end(at) {
      if (wait === undefined) return
      wait.endAt = at
      timeline.endWait(wait.id, at)
      wait = undefined
    },
  }
}
