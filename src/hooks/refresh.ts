import {join} from 'node:path'
import {needsRefresh} from '../recording/needs-refresh.ts'
import {listProcesses, readProcessStat, tryReadFile} from '../recording/process-id.ts'
import {append, recordingAt} from '../recording/recording.ts'
import {readRunRecord, writeRunRecord} from '../recording/run-record-file.ts'
import type {HookRequest, RunRecord} from '../recording/run-record.ts'
import {recordWithLock} from './session-lock.ts'
import {appendLines, appendRows, liveOf, setLive} from './append.ts'
import {applyProcess} from './live-state.ts'
import {readNewRows} from './transcript.ts'

/**
 * Adds facts that no hook reports to the recording of an interactive session: interruptions and refusals are only
 * in the transcript, and a granted permission is only visible as the process of its command.
 */
export async function refreshSession(dir: string, now: () => number = Date.now): Promise<void> {
  const lock = readRunRecord(dir)?.session?.lock ?? ''
  if (lock === '') return
  await recordWithLock(join(dir, '..', lock), () => {
    // Another process may have done it while this one waited.
    const record = readRunRecord(dir)
    if (record?.session === undefined || !needsRefresh(record)) return
    const {session} = record
    const at = now()
    const before = JSON.stringify([session, record.live])
    if (session.transcript !== undefined) {
      appendRows(dir, record, readNewRows(session.transcript, session.offset), at)
    }
    const started = findStarted(record)
    if (started !== undefined) appendProcess(dir, record, started, at)
    if (JSON.stringify([record.session, record.live]) !== before) writeRunRecord(dir, record)
  })
}

interface Started {
  request: HookRequest
  command: string
}

/** The request whose command is running as a child process of the agent. Linux only. */
function findStarted({session, supervisor}: RunRecord): Started | undefined {
  const asked = (session?.requests ?? []).filter(({command}) => command !== undefined)
  if (asked.length === 0) return undefined
  for (const pid of listProcesses()) {
    if (readProcessStat(pid)?.parent !== supervisor.pid) continue
    const command = Buffer.from(tryReadFile(`/proc/${pid}/cmdline`), 'latin1').toString('utf8')
    const request = asked.find((candidate) => command.includes(candidate.command ?? '\0'))
    if (request !== undefined) return {request, command}
  }
  return undefined
}

function appendProcess(dir: string, record: RunRecord, started: Started, at: number): void {
  const {request, command} = started
  const files = recordingAt(dir)
  const line = `${JSON.stringify({vitrine: 'process-started', command})}\n`
  append(files.timing, `[${at},"out",${appendLines(files.stdout, line)}]\n`)
  setLive(record, applyProcess(liveOf(record), request, at))
}
