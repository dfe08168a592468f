import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import monogram from '../ui/monogram.module.css'
import styles from './lane-labels.module.css'
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
    <div className={styles.labels}>
      {placed.map((one) => (
        <div
          key={one.track.id}
          className={classNames(styles.label, one.track.kind !== 'main' && styles.isSubAgent)}
          style={{top: one.top, height: one.height}}
        >
          {one.track.kind === 'fold' ? (
            <button
              type="button"
              className={styles.fold}
              aria-expanded={isUnfolded}
              onClick={onFold}
            >
              <Icon name="chev" size={14} />
              <span className={common.ellipsis}>{one.track.label}</span>
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
  const detail = (
    <small className={classNames(common.tabular, common.ellipsis)}>{track.detail}</small>
  )
  return (
    <>
      <b title={track.label}>
        {isMain ? (
          track.monogram !== undefined && (
            <span className={classNames(monogram.monogram, styles.monogram)}>{track.monogram}</span>
          )
        ) : (
          <Icon name={track.kind === 'background' ? 'hourglass' : 'task'} size={14} />
        )}
        <span className={classNames(common.ellipsis, common.grow)}>{track.label}</span>
        {!isMain && detail}
      </b>
      {isMain && detail}
    </>
  )
}
