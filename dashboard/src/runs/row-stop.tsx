import {useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useHub, useOrder} from '../hub/hub.tsx'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {StopQuestion} from '../ui/stop-question.tsx'
import styles from './row-actions.module.css'

/** Stops a run after a confirmation in place. */
export function RowStop({
  run,
  isAsking,
  hasKeys,
  onAsk,
}: {
  run: RunSummary
  isAsking: boolean
  hasKeys: boolean
  /** Whether the confirmation is shown. */
  onAsk: (isAsking: boolean) => void
}) {
  const {orders} = useHub()
  const order = useOrder(run.runId)
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) yes.current?.focus({preventScroll: true})
  }, [isAsking])
  if (order?.status === 'sent' && order.what === 'stop') {
    return (
      <div className={styles.actions}>
        <output className={common.muted}>Stopping…</output>
      </div>
    )
  }
  return (
    <div className={styles.actions}>
      {isAsking ? (
        <StopQuestion
          yes={yes}
          isSmall
          onAnswer={(isMeant) => {
            onAsk(false)
            if (isMeant) orders.stop(run.runId)
          }}
        />
      ) : (
        <Button kind="danger" size="small" onClick={() => onAsk(true)}>
          Stop {hasKeys && <kbd aria-hidden="true">x</kbd>}
        </Button>
      )}
      {order?.status === 'failed' && order.what === 'stop' && (
        <span className={styles.error} role="alert">
          {order.message}
        </span>
      )}
    </div>
  )
}
