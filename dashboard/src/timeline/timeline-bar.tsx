import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {WORK, WORK_WORDS} from '../ui/work.ts'
import type {Zoom} from '../ui/scale.ts'
import styles from './timeline-bar.module.css'

/** A tool of each kind of work. */
const LEGEND = ['Read', 'Edit', 'Bash', 'WebFetch', 'Task'] as const

/** Changes of the zoom by a button or a key. */
export interface ZoomActions {
  zoomIn: () => void
  zoomOut: () => void
  fit: () => void
  lastFiveMinutes: () => void
}

/** The bar above the lanes: the legend and the zoom. */
export function TimelineBar({
  zoom,
  actions: {fit, lastFiveMinutes, zoomIn, zoomOut},
}: {
  zoom: Zoom['type']
  actions: ZoomActions
}) {
  return (
    <div className={styles.bar}>
      <h2>Timeline</h2>
      <span className={styles.legend}>
        {LEGEND.map((tool) => WORK[tool]).map(({kind, icon}) => (
          <span key={kind} data-kind={kind}>
            <Icon name={icon} size={14} />
            {WORK_WORDS[kind]}
          </span>
        ))}
        <span data-kind="wait">
          <Icon name="hourglass" size={14} />
          Wait
        </span>
      </span>
      <span className={common.grow} />
      <Button kind="quiet" size="small" aria-pressed={zoom === 'fit'} onClick={fit}>
        Fit
      </Button>
      <Button kind="quiet" size="small" aria-pressed={zoom === 'last'} onClick={lastFiveMinutes}>
        Last 5 min
      </Button>
      <span className={styles.zoom}>
        <Button
          kind="quiet"
          size="small"
          aria-label="Zoom out"
          disabled={zoom === 'fit'}
          onClick={zoomOut}
        >
          −
        </Button>
        <Button kind="quiet" size="small" aria-label="Zoom in" onClick={zoomIn}>
          +
        </Button>
      </span>
    </div>
  )
}
