import {Icon} from '../ui/icon.tsx'
import type {PlacedTrack} from './place-tracks.ts'

/** The names of the lanes, beside them or above. */
export function LaneLabels({
  placed,
  isUnfolded,
  onFold,
}: {
  placed: readonly PlacedTrack[]
  isUnfolded: boolean
  onFold: () => void
}) {
  return (
    <div className="tl-labels">
      {placed.map((one) => (
        <div
          key={one.track.id}
          className={one.track.kind === 'main' ? 'lane-l' : 'lane-l sub'}
          style={{top: one.top, height: one.height}}
        >
          {one.track.kind === 'fold' ? (
            <button type="button" className="tl-fold" aria-expanded={isUnfolded} onClick={onFold}>
              <Icon name="chev" size={14} />
              <span className="cut">{one.track.label}</span>
            </button>
          ) : (
            <LaneLabel track={one.track} />
          )}
        </div>
      ))}
    </div>
  )
}

function LaneLabel({track}: {track: PlacedTrack['track']}) {
  const isMain = track.kind === 'main'
  const detail = <small className="num cut">{track.detail}</small>
  return (
    <>
      <b title={track.label}>
        {isMain ? (
          track.monogram !== undefined && <span className="ag">{track.monogram}</span>
        ) : (
          <Icon name={track.kind === 'background' ? 'hourglass' : 'task'} size={14} />
        )}
        <span className="cut grow">{track.label}</span>
        {!isMain && detail}
      </b>
      {isMain && detail}
    </>
  )
}
