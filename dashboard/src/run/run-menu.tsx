import {useId, useState} from 'react'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {nameAgent} from '../ui/agent-names.ts'
import {Button, toButtonClass} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {CopyButton} from '../ui/copy-button.tsx'
import {Icon} from '../ui/icon.tsx'
import {isRun} from '../ui/state.ts'
import styles from './run-menu.module.css'
import {useRun} from './run-context.ts'

/** The menu of a run: ids, recording, and the command that shows it elsewhere. */
export function RunMenu({run}: {run: RunSummary}) {
  const {rawUrl} = useRun().source
  const id = useId()
  const [isSession, setSession] = useState(false)
  const {runId, workOrderId, sessionId, cwd, agent} = run
  const isOwn = isRun(run)
  return (
    <>
      <Button
        size="icon"
        aria-label={`More about this ${isOwn ? 'run' : 'session'}`}
        popoverTarget={id}
      >
        <Icon name="dots" />
      </Button>
      <div className={styles.menu} id={id} popover="auto">
        <dl>
          {isOwn ? (
            <Fact name="Run" value={runId} />
          ) : (
            <Fact name="Agent" value={nameAgent(agent)} />
          )}
          {isOwn && workOrderId !== runId && <Fact name="Work order" value={workOrderId} />}
          <Fact name="Folder" value={cwd} />
          {sessionId !== undefined && (
            <div>
              <dt>Session</dt>
              <dd>
                {isSession ? (
                  <span className={common.mono}>{escapeControls(sessionId)}</span>
                ) : (
                  <Button size="small" onClick={() => setSession(true)}>
                    Show
                  </Button>
                )}
              </dd>
            </div>
          )}
        </dl>
        <div className={styles.actions}>
          <CopyButton text={location.href} label="Copy link" />
          {!isOwn && <CopyButton text={`vitrine view ${runId}`} label="Copy command" />}
          {isOwn && rawUrl !== undefined && (
            <>
              <CopyButton text={`vitrine attach ${runId}`} label="Copy command" />
              <Download href={rawUrl('stdout')} name={`${runId}.jsonl`} label="Recording" />
              <Download href={rawUrl('stderr')} name={`${runId}.stderr.txt`} label="stderr" />
            </>
          )}
        </div>
        {isOwn && rawUrl !== undefined && (
          <p className={styles.warning}>
            Downloads contain the original output. Secrets are not masked.
          </p>
        )}
      </div>
    </>
  )
}

function Fact({name, value}: {name: string; value: string}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={common.mono}>{escapeControls(value)}</dd>
    </div>
  )
}

function Download({href, name, label}: {href: string; name: string; label: string}) {
  return (
    <a className={toButtonClass({size: 'small'})} href={href} download={name}>
      <Icon name="down" size={14} />
      {label}
    </a>
  )
}
