import {useEffect, useRef, useState} from 'react'
import {useHub, useOrder} from '../hub/hub.tsx'
import {useKeys} from '../shell/keys.ts'
import {Button, toButtonClass} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {StopQuestion} from '../ui/stop-question.tsx'

/** Stops a run, and asks once before, in place. */
export function StopButton({
  runId,
  className,
}: {
  runId: string
  /** For the question that replaces the button. */
  className?: string | undefined
}) {
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
    return <output className={toButtonClass({kind: 'danger'})}>Stopping…</output>
  }
  if (!isAsking) {
    const trouble = order?.status === 'failed' && order.what === 'stop' ? order.message : undefined
    return (
      <>
        {trouble !== undefined && (
          <span className={common.failed} role="alert">
            {trouble}
          </span>
        )}
        <Button kind="danger" aria-label="Stop the run" onClick={() => setAsking(true)}>
          <Icon name="stop" />
          <span>Stop</span>
        </Button>
      </>
    )
  }
  return (
    <span className={className}>
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
