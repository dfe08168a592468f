import {useEffect, useState} from 'react'
import {useHub, useRunList} from '../hub/hub.tsx'
import {Logo} from '../shell/logo.tsx'
import message from '../shell/message.module.css'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {CopyButton} from '../ui/copy-button.tsx'
import styles from './empty-runs.module.css'

const COMMAND = 'vitrine run -- claude -p "Fix the failing test"'

/** The page without any run: how to start one. */
export function EmptyRuns() {
  const {indexing} = useRunList()
  return (
    <div className={message.message}>
      <Logo className={message.logo} />
      <h1>No runs yet</h1>
      <p>Start an agent through Vitrine and it shows up here at once.</p>
      <pre>
        <span className={common.grow}>{COMMAND}</span>
        <CopyButton text={COMMAND} />
      </pre>
      <p className={message.hint}>
        A session you start in a terminal shows up too, as soon as its agent writes it to disk.
      </p>
      {indexing > 0 && <output>{indexing} recordings are being read.</output>}
    </div>
  )
}

/** The page when the first request failed. */
export function FailedRuns() {
  const {connection, runList} = useHub()
  const {error} = useRunList()
  return (
    <div className={message.message}>
      <h1>Runs could not be loaded</h1>
      <p role="alert">{error?.message ?? 'The hub does not respond.'}</p>
      <p>Agents keep running and keep being recorded.</p>
      <Button
        onClick={() => {
          connection.tryNow()
          void runList.reload()
        }}
      >
        Try again
      </Button>
    </div>
  )
}

/** A shorter delay is not shown. */
const NOTICE_DELAY_MS = 400

/** The page while the first runs load. */
export function LoadingRuns() {
  const [isLate, setIsLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setIsLate(true), NOTICE_DELAY_MS)
    return () => clearTimeout(timer)
  }, [])
  return <output className={styles.loading}>{isLate && 'Loading runs…'}</output>
}
