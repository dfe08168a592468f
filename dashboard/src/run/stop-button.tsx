import {useEffect, useRef, useState} from 'react'
import {useHub, useOrder} from '../hub/hub.tsx'
import {useKeys} from '../shell/keys.ts'
import {Icon} from '../ui/icon.tsx'
import {StopQuestion} from '../ui/stop-question.tsx'

/** Stops a run, and asks once before, in place. */
export function StopButton({runId}: {runId: string}) {
  const {orders} = useHub()
  const order = useOrder(runId)
  const [isAsking, setAsking] = useState(false)
  const yes = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isAsking) yes.current?.focus()
  }, [isAsking])
  useKeys('Run', {
    x: {words: 'stop the run (asks)', hint: 'stop', act: () => setAsking(true)},
    ...(isAsking && {Escape: {words: 'do not stop', act: () => setAsking(false)}}),
  })
  if (order?.status === 'sent' && order.what === 'stop') {
    return <output className="btn danger">Stopping…</output>
  }
  if (!isAsking) {
    const trouble = order?.status === 'failed' && order.what === 'stop' ? order.message : undefined
    return (
      <>
        {trouble !== undefined && (
          <span className="x" role="alert">
            {trouble}
          </span>
        )}
        <button
          type="button"
          className="btn danger"
          aria-label="Stop the run"
          onClick={() => setAsking(true)}
        >
          <Icon name="stop" />
          <span>Stop</span>
        </button>
      </>
    )
  }
  return (
    <span className="asks">
      <StopQuestion
        yes={yes}
        onAnswer={(isMeant) => {
          setAsking(false)
          if (isMeant) orders.stop(runId)
        }}
      />
    </span>
  )
}
