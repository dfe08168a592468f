import {useRef} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {useHub, useOrder} from '../hub/hub.tsx'
import {requestKey} from '../hub/request-list.ts'
import {Link} from '../shell/link.tsx'
import {pathOfRun} from '../shell/router.ts'
import {Button, toButtonClass} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import type {RequestLine} from './describe-request.ts'
import styles from './row-actions.module.css'
import {useSeen} from '../shell/seen.ts'

/** Allow or deny in the row of a run. A request that is not completely visible cannot be allowed here. */
export function RowAnswers({
  run,
  line,
  hasKeys,
}: {
  run: RunSummary
  line: RequestLine | undefined
  hasKeys: boolean
}) {
  const {orders} = useHub()
  const {runId} = run
  const order = useOrder(runId)
  const ref = useRef<HTMLDivElement>(null)
  const requestId = run.requests[0]?.requestId
  // The delay starts when the request is known.
  const isKnown = requestId !== undefined && line !== undefined
  useSeen(ref, isKnown ? requestKey(runId, requestId) : undefined)
  const isSent = order?.status === 'sent' && order.requestId === requestId
  const answer = (allow: boolean) => {
    if (requestId !== undefined) orders.answer({runId, requestId, allow})
  }
  const isOffered = isKnown && !isSent
  return (
    <div className={styles.actions} ref={ref}>
      {isOffered && line.isComplete && (
        <Button kind="primary" size="small" onClick={() => answer(true)}>
          Allow once {hasKeys && <kbd aria-hidden="true">a</kbd>}
        </Button>
      )}
      {isOffered && (
        <Button size="small" onClick={() => answer(false)}>
          Deny {hasKeys && <kbd aria-hidden="true">d</kbd>}
        </Button>
      )}
      {isSent && (
        <output className={common.muted}>
          {order.what === 'allow' ? 'Allowed' : 'Denied'}. Sending to the agent…
        </output>
      )}
      <Link className={toButtonClass({kind: 'quiet', size: 'small'})} href={pathOfRun(runId)}>
        Review {hasKeys && <kbd aria-hidden="true">⏎</kbd>}
      </Link>
      {run.requests.length > 1 && (
        <span className={classNames(common.muted, common.tabular)}>1 of {run.requests.length}</span>
      )}
      {order?.status === 'failed' && order.requestId === requestId && (
        <span className={styles.error} role="alert">
          {order.message}
        </span>
      )}
    </div>
  )
}
