import type {StatusNotice} from '../../../src/core/words/status-words.ts'
import type {NoticeEntry} from './entry.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** What a run waits for, if it said so. */
export interface OpenWait {
  /** Whether a notice only tells more of this wait, which it then does: it is one, however often it was tried. */
  goOn(notice: StatusNotice, line: number): boolean
  start(entry: NoticeEntry): void
  end(at: number): void
}

/** Keeps what one run waits for. */
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
