import {cancelArchive, startArchive} from '../hub/history-api.ts'
import {dayBefore} from '../shell/day.ts'
import {updateQuery} from '../shell/router.ts'
import {nameAgent} from '../ui/agent-names.ts'
import {Button} from '../ui/button.tsx'
import common from '../ui/common.module.css'
import {formatBytes, formatNumber} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import {Notice} from '../ui/notice.tsx'
import type {Archive, AtRisk} from './use-archive.ts'

/** Warns of sessions that an agent will delete soon, and archives them on request. */
export function ArchiveNotice({
  archive: {state, error, isStarting, run, archived, close},
}: {
  archive: Archive
}) {
  if (state === undefined) return null
  const {atRisk, progress} = state
  if (progress !== null) {
    return (
      <Notice
        tone="neutral"
        icon="archive"
        actions={
          <Button size="small" onClick={() => run(cancelArchive)}>
            Cancel
          </Button>
        }
      >
        <b>
          {progress.of === 0
            ? 'Archiving sessions.'
            : `Archiving: ${formatNumber(progress.done)} of ${formatNumber(progress.of)} sessions.`}
        </b>{' '}
        <small>You can leave this page.</small>
      </Notice>
    )
  }
  if (archived !== undefined) {
    return (
      <Notice
        tone="good"
        icon="ok"
        actions={
          <Button size="small" kind="quiet" onClick={close}>
            Close
          </Button>
        }
      >
        <b>
          Archived {formatNumber(archived.sessions)} sessions of {nameAgent(archived.agent)}.
        </b>{' '}
        <small>
          {formatBytes(archived.bytes)}.
          {state.isEnabled && ' New sessions are archived every day from now on.'}
        </small>
      </Notice>
    )
  }
  if (atRisk === null) return null
  const {agent, sessions, bytes, withinDays, keptDays} = atRisk
  return (
    <Notice
      icon="hourglass"
      actions={
        <>
          <Button kind="primary" disabled={isStarting} onClick={() => run(startArchive)}>
            <Icon name="archive" />
            Archive
          </Button>
          <Button kind="quiet" onClick={() => showAtRisk(atRisk)}>
            Show them
          </Button>
        </>
      }
    >
      <b>
        {formatNumber(sessions)} {sessions === 1 ? 'session' : 'sessions'} of {nameAgent(agent)}{' '}
        will be deleted by it within {withinDays} days
      </b>
      <br />
      <small>
        {nameAgent(agent)} deletes sessions after {keptDays} days
        {agent === 'claude' && (
          <>
            {' '}
            (its setting <code>cleanupPeriodDays</code>)
          </>
        )}
        . Archive copies them, {formatBytes(bytes)}; the originals stay untouched.
      </small>
      {error !== undefined && (
        <>
          <br />
          <span className={common.failed}>{error}</span>
        </>
      )}
    </Notice>
  )
}

/** Lists the sessions that are old enough to be deleted soon. */
function showAtRisk({agent, withinDays, keptDays}: AtRisk): void {
  const last = dayBefore(Date.now(), Math.max(0, keptDays - withinDays))
  updateQuery({agent, kind: 'session', date: `..${last}`, state: undefined}, {isStep: true})
}
