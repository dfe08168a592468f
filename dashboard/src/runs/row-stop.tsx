import {useHub, useOrder} from '../hub/hub.tsx'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {StopQuestion} from '../ui/stop-question.tsx'
import styles from './row-actions.module.css'

/** Stops a run after a confirmation in place. */
export function RowStop({
  runId,
  isAsking,
  hasKeys,
  onAsk,
}: {
  runId: string
  isAsking: boolean
  hasKeys: boolean
  /** Shows the confirmation of a run, or none. */
  onAsk: (runId: string | undefined) => void
}) {
  const {orders} = useHub()
  const order = useOrder(runId)
  const stop = order?.what === 'stop' ? order : undefined
  return (
    <div className={styles.actions}>
      {stop?.status === 'sent' ? (
        <output className={common.muted}>Stopping…</output>
      ) : isAsking ? (
        <StopQuestion
          isSmall
          onAnswer={(isMeant) => {
            onAsk(undefined)
            if (isMeant) orders.stop(runId)
          }}
        />
      ) : (
        <Button kind="danger" size="small" onClick={() => onAsk(runId)}>
          Stop {hasKeys && <kbd aria-hidden="true">x</kbd>}
        </Button>
      )}
      {stop?.status === 'failed' && (
        <span className={styles.error} role="alert">
          {stop.message}
        </span>
      )}
    </div>
  )
}
