import {Icon, type IconName} from '../ui/icon.tsx'
import {WORK_WORDS, type WorkKind} from '../ui/work.ts'
import type {Zoom} from '../ui/scale.ts'

const LEGEND: readonly {kind: WorkKind; icon: IconName}[] = [
  {kind: 'look', icon: 'read'},
  {kind: 'change', icon: 'edit'},
  {kind: 'shell', icon: 'bash'},
  {kind: 'reach', icon: 'web'},
  {kind: 'hand', icon: 'task'},
]

/** The bar above the lanes: the legend and the zoom. */
export function TimelineBar({
  zoom,
  onFit,
  onLast,
  onZoomIn,
  onZoomOut,
}: {
  zoom: Zoom['type']
  onFit: () => void
  onLast: () => void
  onZoomIn: () => void
  onZoomOut: () => void
}) {
  return (
    <div className="tl-bar">
      <h2>Timeline</h2>
      <span className="legend">
        {LEGEND.map(({kind, icon}) => (
          <span key={kind} className={`k-${kind}`}>
            <Icon name={icon} size={14} />
            {WORK_WORDS[kind]}
          </span>
        ))}
        <span className="k-wait">
          <Icon name="hourglass" size={14} />
          Wait
        </span>
      </span>
      <span className="grow" />
      <button type="button" className="btn sm quiet" aria-pressed={zoom === 'fit'} onClick={onFit}>
        Fit
      </button>
      <button
        type="button"
        className="btn sm quiet"
        aria-pressed={zoom === 'last'}
        onClick={onLast}
      >
        Last 5 min
      </button>
      <span className="tl-zoom">
        <button
          type="button"
          className="btn sm quiet"
          aria-label="Zoom out"
          disabled={zoom === 'fit'}
          onClick={onZoomOut}
        >
          −
        </button>
        <button type="button" className="btn sm quiet" aria-label="Zoom in" onClick={onZoomIn}>
          +
        </button>
      </span>
    </div>
  )
}
