import type {StatusNotice} from '../../../src/core/words/status-words.ts'
import type {NoticeEntry} from './entry.ts'
import type {TimelineBuilder} from './timeline-builder.ts'

/** Tracks the current wait of a run, if its reason was reported. */
export function createOpenWait(timeline: TimelineBuilder) {
  let wait: NoticeEntry | undefined

  return {
    /** Whether a notice updates the current wait: any number of retries is one wait. */
    goOn(notice: StatusNotice, line: number): boolean {
      if (wait === undefined || !notice.isWait || wait.kind !== notice.kind) return false
      wait.text = notice.text
      wait.lastLine = line
      return true
    },
    start(entry: NoticeEntry): void {
      wait = entry
      timeline.startWait(entry)
    },
    end(at: number): void {
      if (wait === undefined) return
      wait.endAt = at
      timeline.endWait(wait.id, at)
      wait = undefined
    },
  }
}
