import {appendFileSync} from 'node:fs'
import {mkdir, rm, utimes, writeFile} from 'node:fs/promises'
import {dirname, join} from 'node:path'
import {PRIVATE_FILE_MODE, PRIVATE_FOLDER_MODE} from '../recording/private-mode.ts'
import type {Machine} from '../core/events/transcript.ts'
import {listClaudeRows} from './sessions/claude-rows.ts'
import {listCodexRows} from './sessions/codex-rows.ts'
import type {Conversation, Row} from './sessions/conversation.ts'
import {listGeminiRows} from './sessions/gemini-rows.ts'
import {listPiRows} from './sessions/pi-rows.ts'
import {planSessions} from './sessions/plan.ts'

/** The sessions of the demo on disk. */
export interface DemoSessions {
  /** Where the hub finds them, instead of the home folder of the user. */
  machine: Machine
  /** Continues the live session until it is stopped. */
  play(): {stop(): void}
}

const APPEND_INTERVAL_MS = 1000
/** Some sessions are nearly as old, so that the list offers to archive them. */
const KEPT_DAYS = 48

/**
 * Writes the session files of the last weeks, in the formats of their agents.
 *
 * @param home - The folder for them. Its files are removed first.
 * @param folderOf - Returns the folder of a project.
 */
export async function writePastSessions(
  home: string,
  folderOf: (project: string) => string,
  now: number = Date.now(),
): Promise<DemoSessions> {
  await rm(home, {recursive: true, force: true})
  await mkdir(home, {recursive: true, mode: PRIVATE_FOLDER_MODE})
  const {past, idle, live} = planSessions(now, folderOf)
  const ended = [...past, idle]
  const names = ended.filter(({agent}) => agent === 'codex').map(toThreadName)
  const rows = listRows(live)
  const [path] = await Promise.all([
    writeRows(home, live, rows.filter(isOver)),
    write(join(home, '.codex', 'session_index.jsonl'), names),
    write(join(home, '.claude', 'settings.json'), [{cleanupPeriodDays: KEPT_DAYS}]),
    ...ended.map((conversation) => writeRows(home, conversation, listRows(conversation))),
  ])
  return {
    machine: {home, env: {}},
    play: () =>
      append(
        path,
        rows.filter((row) => !isOver(row)),
      ),
  }

  function isOver({at}: Row): boolean {
    return at <= now
  }
}

/** Appends rows when their time has come. */
function append(path: string, rows: readonly Row[]): {stop(): void} {
  let done = 0
  const timer = setInterval(() => {
    const now = Date.now()
    const due = rows.slice(done).filter(({at}) => at <= now)
    if (due.length === 0) return
    done += due.length
    try {
      appendFileSync(path, toLines(due.map(({record}) => record)))
    } catch {
      // The folder was removed.
      clearInterval(timer)
    }
  }, APPEND_INTERVAL_MS)
  timer.unref()
  return {stop: () => clearInterval(timer)}
}

function listRows(conversation: Conversation): Row[] {
  switch (conversation.agent) {
    case 'claude':
      return listClaudeRows(conversation)
    case 'codex':
      return listCodexRows(conversation)
    case 'gemini':
      return listGeminiRows(conversation)
    case 'pi':
      return listPiRows(conversation)
  }
}

/** Writes a session file and returns its path. */
async function writeRows(
  home: string,
  conversation: Conversation,
  rows: readonly Row[],
): Promise<string> {
  const path = join(home, pathOf(conversation))
  const lines = rows.map(({record}) => record)
  await write(path, lines)
  if (conversation.agent === 'gemini') {
    // Gemini CLI keeps the folder of a project beside its sessions.
    const marker = join(dirname(path), '..', '.project_root')
    await writeFile(marker, conversation.cwd, {mode: PRIVATE_FILE_MODE})
  }
  // A session that was not written for an hour has ended.
  const writtenAt = new Date(rows.at(-1)?.at ?? 0)
  await utimes(path, writtenAt, writtenAt)
  return path
}

/** Where the agent keeps the session, relative to the home folder. */
function pathOf({agent, sessionId, cwd, turns}: Conversation): string {
  const startedAt = new Date(turns[0]?.at ?? 0).toISOString()
  const day = startedAt.slice(0, 10)
  const time = startedAt.slice(0, 19).replaceAll(':', '-')
  const folder = cwd.replaceAll(/[^a-zA-Z0-9]/g, '-')
  switch (agent) {
    case 'claude':
      return `.claude/projects/${folder}/${sessionId}.jsonl`
    case 'codex':
      return `.codex/sessions/${day.replaceAll('-', '/')}/rollout-${time}-${sessionId}.jsonl`
    case 'gemini':
      return `.gemini/tmp/${folder}/chats/session-${time.slice(0, 16)}-${sessionId.slice(0, 8)}.jsonl`
    case 'pi':
      return `.pi/agent/sessions/-${folder}--/${time}_${sessionId}.jsonl`
  }
}

function toThreadName({sessionId, title}: Conversation): object {
  return {id: sessionId, thread_name: title}
}

async function write(path: string, records: readonly object[]): Promise<void> {
  await mkdir(dirname(path), {recursive: true})
  await writeFile(path, toLines(records), {mode: PRIVATE_FILE_MODE})
}

function toLines(records: readonly object[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('')
}
