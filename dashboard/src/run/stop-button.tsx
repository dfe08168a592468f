import {useState} from 'react'
import {useHub, useOrder} from '../hub/hub.tsx'
import {useKeys} from '../shell/keys.ts'
import {Button, toButtonClass} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {Icon} from '../ui/icon.tsx'
import {StopQuestion} from '../ui/stop-question.tsx'

/** Stops a run after a confirmation in place. */
export function StopButton({
  runId,
  className,
}: {
  runId: string
  /** For the confirmation that replaces the button. */
  className?: string | undefined
}) {
  const {orders} = useHub()
  const order = useOrder(runId)
  const [isAsking, setAsking] = useState(false)
  const stop = order?.what === 'stop' ? order : undefined
  useKeys('Run', {
    x: {words: 'stop the run (asks for confirmation)', hint: 'stop', act: () => setAsking(true)},
    ...(isAsking && {Escape: {words: 'do not stop', act: () => setAsking(false)}}),
  })
  if (stop?.status === 'sent') {
    return <output className={toButtonClass({kind: 'danger'})}>Stopping…</output>
  }
  if (!isAsking) {
    return (
      <>
        {stop?.status === 'failed' && (
          <span className={common.failed} role="alert">
            {stop.message}
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
        onAnswer={(isMeant) => {
          setAsking(false)
          if (isMeant) orders.stop(runId)
        }}
      />
    </span>
  )
}
