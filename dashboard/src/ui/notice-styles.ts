import type {NoticeKind} from '../../../src/core/words/status-words.ts'
import type {IconName} from './icon.tsx'

/** The colour and the icon of each notice. */
export const NOTICE_STYLES: Readonly<
  Record<NoticeKind, {tone: 'wait' | 'bad' | 'idle'; icon: IconName}>
> = {
  'api-retry': {tone: 'wait', icon: 'retry'},
  'rate-limited': {tone: 'wait', icon: 'gauge'},
  'usage-limit': {tone: 'wait', icon: 'gauge'},
  compacting: {tone: 'wait', icon: 'compact'},
  compacted: {tone: 'wait', icon: 'compact'},
  'model-fallback': {tone: 'wait', icon: 'swap'},
  'wake-up': {tone: 'wait', icon: 'hourglass'},
  hook: {tone: 'idle', icon: 'flag'},
  'hook-failed': {tone: 'bad', icon: 'stuck'},
  warning: {tone: 'bad', icon: 'stuck'},
  interrupted: {tone: 'idle', icon: 'stop'},
  note: {tone: 'idle', icon: 'text'},
  prompt: {tone: 'idle', icon: 'user'},
  denied: {tone: 'bad', icon: 'hand'},
}
