import {createHash} from 'node:crypto'
import type {Tokens} from '../core/events/events.ts'
import {addTokens, NO_TOKENS} from '../core/run/ledger.ts'
import {assignRequests} from './assign-requests.ts'
import {toRequestRows, type RequestRows} from './request-columns.ts'
import type {Scan} from './scan.ts'
import type {ScannedFacts} from './store-records.ts'
import type {Transcript} from './transcripts.ts'
import type {RequestList} from './usage/report.ts'

/** A transcript with its facts. */
export interface ScannedTranscript {
  transcript: Transcript
  facts: ScannedFacts
  requests: RequestRows
}

/** A transcript with the facts of its scan. */
export function toScannedTranscript(transcript: Transcript, scan: Scan): ScannedTranscript {
  const {requests, ...facts} = scan.facts
  return {transcript, facts, requests: toRequestRows(requests)}
}

/** A session of an agent, with all of its transcripts. */
export interface Session {
  /** Identifies the session among runs and sessions: a letter and hexadecimal digits. */
  id: string
  agent: string
  /** The id that the agent uses. */
  sessionId: string
  /** The transcript of the main conversation first, then by time. */
  transcripts: ScannedTranscript[]
  title?: string | undefined
  prompt?: string | undefined
  cwd?: string | undefined
  model?: string | undefined
  agentVersion?: string | undefined
  forkedFrom?: string | undefined
  startedAt: number
  endedAt: number
  /** When a file of the session was last written. */
  writtenAt: number
  isTurnOver: boolean
  /** Requests that no earlier session made. */
  requests: RequestList
}

/** Groups transcripts into sessions, the newest first. Each request counts once, in the session that began first. */
export function groupSessions(scanned: readonly ScannedTranscript[]): Session[] {
  const groups = new Map<string, ScannedTranscript[]>()
  const mainOf = createParentTable(scanned)
  for (const item of scanned) {
    const sessionId = mainOf(item)
    if (sessionId === undefined) continue
    const key = `${item.transcript.format.agent} ${sessionId}`
    const group = groups.get(key)
    if (group === undefined) groups.set(key, [item])
    else group.push(item)
  }
  const sessions: Session[] = []
  for (const [key, group] of groups) {
    const [agent = '', sessionId = ''] = splitOnce(key)
    if (group.some(hasContent)) sessions.push(describeSession(agent, sessionId, group))
  }
  const owners = sessions.map(({agent, startedAt, endedAt, transcripts}) => ({
    agent,
    startedAt,
    endedAt,
    transcripts: transcripts.map((item) => ({rows: item.requests, isSubAgent: isSubAgent(item)})),
  }))
  for (const [index, requests] of assignRequests(owners).entries()) {
    const session = sessions[index]
    if (session !== undefined) session.requests = requests
  }
  return sessions.toSorted((one, other) => other.startedAt - one.startedAt)
}

/** The total tokens of requests. */
export function sumRequests(requests: RequestList): Tokens {
  let sum = NO_TOKENS
  for (const {tokens} of requests) sum = addTokens(sum, tokens)
  return sum
}

/** Creates the id of a session: stable, short when cut, and never that of a run. */
export function createSessionId(agent: string, sessionId: string): string {
  const digest = createHash('sha256').update(`${agent} ${sessionId}`).digest('hex')
  return `s${digest.slice(0, 11)}`
}

/** Finds the session that a transcript belongs to, through the sub-agents between them. */
function createParentTable(
  scanned: readonly ScannedTranscript[],
): (item: ScannedTranscript) => string | undefined {
  const parents = new Map<string, string>()
  for (const {transcript, facts} of scanned) {
    if (facts.parentId === undefined) continue
    for (const own of [transcript.sessionId, transcript.file.subAgentId]) {
      if (own !== undefined && own !== facts.parentId) {
        parents.set(`${transcript.format.agent} ${own}`, facts.parentId)
      }
    }
  }
  return ({transcript, facts}) => {
    const {agent} = transcript.format
    let id = facts.sessionId ?? transcript.file.sessionId ?? transcript.sessionId
    const seen = new Set<string>()
    while (id !== undefined && !seen.has(id)) {
      seen.add(id)
      id = parents.get(`${agent} ${id}`) ?? id
    }
    return id
  }
}

/** Whether a transcript has a prompt, a title or an answer. */
function hasContent({facts: {prompt, title}, requests}: ScannedTranscript): boolean {
  return requests.length > 0 || prompt !== undefined || title !== undefined
}

function describeSession(agent: string, sessionId: string, group: ScannedTranscript[]): Session {
  const sorted = group.toSorted(
    (one, other) =>
      Number(isSubAgent(one)) - Number(isSubAgent(other)) ||
      (one.facts.startedAt ?? Infinity) - (other.facts.startedAt ?? Infinity) ||
      (one.transcript.path < other.transcript.path ? -1 : 1),
  )
  const main = sorted.filter((item) => !isSubAgent(item))
  const first = <K extends keyof ScannedFacts>(name: K): ScannedFacts[K] | undefined =>
    (main.length > 0 ? main : sorted).find(({facts}) => facts[name] !== undefined)?.facts[name]
  const last = <K extends keyof ScannedFacts>(name: K): ScannedFacts[K] | undefined =>
    main.findLast(({facts}) => facts[name] !== undefined)?.facts[name]
  const writtenAt = Math.max(...group.map(writtenAtOf))
  const times = (name: 'startedAt' | 'endedAt') => group.flatMap(({facts}) => facts[name] ?? [])
  const startedAt = first('startedAt') ?? Math.min(writtenAt, ...times('startedAt'))
  return {
    id: createSessionId(agent, sessionId),
    agent,
    sessionId,
    transcripts: sorted,
    title: last('title'),
    prompt: first('prompt'),
    cwd: first('cwd'),
    model: last('model') ?? sorted.at(-1)?.facts.model,
    agentVersion: last('agentVersion'),
    forkedFrom: first('forkedFrom'),
    startedAt,
    endedAt: Math.max(startedAt, ...times('endedAt')),
    writtenAt,
    isTurnOver: last('isTurnOver') ?? false,
    requests: [],
  }
}

/** When a transcript was last written. A database is also written for other sessions. */
function writtenAtOf({transcript: {file, stats}, facts}: ScannedTranscript): number {
  return file.storage === 'database' ? (facts.endedAt ?? stats.mtimeMs) : stats.mtimeMs
}

/** Whether a transcript is that of a sub-agent. */
function isSubAgent({transcript, facts}: ScannedTranscript): boolean {
  return transcript.file.subAgentId !== undefined || facts.parentId !== undefined
}

function splitOnce(key: string): [string, string] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}
