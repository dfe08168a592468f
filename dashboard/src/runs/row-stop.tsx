import {useEffect, useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useHub, useOrder} from '../hub/hub.tsx'
import {StopQuestion} from '../ui/stop-question.tsx'

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
      <div className="ask">
        <output className="t3">Stopping…</output>
      </div>
    )
  }
  return (
    <div className="ask">
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
        <button type="button" className="btn sm danger" onClick={() => onAsk(true)}>
          Stop {hasKeys && <kbd aria-hidden="true">x</kbd>}
        </button>
      )}
      {order?.status === 'failed' && order.what === 'stop' && (
        <span className="trouble" role="alert">
          {order.message}
        </span>
      )}
    </div>
  )
}
