import {
  createRequestTable,
  MAX_PROMPT_LENGTH,
  type Scanner,
  type TranscriptFacts,
  type TranscriptSource,
} from '../../core/events/transcript.ts'
import {cutText} from '../../core/text/text.ts'
import {numberAt, objectAt, textAt, timeAt, type JsonObject} from '../../core/wire/json.ts'
import {hasTokens, readTokens} from './tokens.ts'
import {findOrigin, findRoot} from './transcript-origin.ts'
import {isStarted, promptOf} from './transcript-parts.ts'
import {kindOf} from './transcript-shapes.ts'
import {continuesAfter} from './translate.ts'

/** Collects the facts of a session of OpenCode. */
export function createScanner(facts: TranscriptFacts, source: TranscriptSource): Scanner {
  const requests = createRequestTable(facts)
  /** Answers whose record, which follows the parts, was not read yet. */
  const answers = new Map<string, Answer>()
  const complete = new Set<string>()
  return {read}

  function read(record: JsonObject): void {
    const at = numberAt(record, 'at')
    if (at !== undefined) facts.endedAt = Math.max(facts.endedAt ?? at, at)
    const part = objectAt(record, 'part')
    switch (kindOf(record)) {
      case 'session':
        return readSession(record, at)
      case 'message/user':
        facts.isTurnOver = false
        return
      case 'message/assistant':
        return readAnswer(record)
      case 'part/text':
      case 'part/subtask':
        if (record['role'] === 'user') readPrompt(part)
        return
      case 'part/tool':
        if (isStarted(part)) answerOf(record)?.toolIds.push(textAt(part, 'id') ?? '')
        return
      case 'part/step-finish':
        return readStep(part, answerOf(record))
    }
  }

  function answerOf(record: JsonObject): Answer | undefined {
    const id = textAt(record, 'messageID') ?? ''
    if (complete.has(id)) return undefined
    const answer = answers.get(id) ?? {steps: new Map(), toolIds: []}
    answers.set(id, answer)
    return answer
  }

  function readStep(part: JsonObject, answer: Answer | undefined): void {
    const id = textAt(part, 'id') ?? ''
    if (answer === undefined || answer.steps.has(id)) return
    answer.steps.set(id, {part, toolIds: answer.toolIds})
    answer.toolIds = []
  }

  function readSession(session: JsonObject, at: number | undefined): void {
    const parentId = textAt(session, 'parentID')
    const title = textAt(session, 'title')
    facts.startedAt = at
    facts.cwd = textAt(session, 'directory')
    facts.agentVersion = textAt(session, 'version')
    if (parentId !== undefined) {
      facts.parentId = parentId
      facts.sessionId = findRoot(source, parentId)
      return
    }
    facts.sessionId = textAt(session, 'id') ?? source.file.sessionId
    if (title !== undefined && !DEFAULT_TITLE.test(title)) facts.title = title
    facts.forkedFrom = findOrigin(source, session)
  }

  function readPrompt(part: JsonObject): void {
    const prompt = promptOf(part)
    if (prompt === undefined || facts.prompt !== undefined || facts.parentId !== undefined) return
    facts.prompt = cutText(prompt, MAX_PROMPT_LENGTH)
  }

  function readAnswer(message: JsonObject): void {
    const id = textAt(message, 'id') ?? ''
    const time = objectAt(message, 'time')
    const model = textAt(message, 'modelID')
    const completed = timeAt(time, 'completed')
    const at = timeAt(time, 'created') ?? facts.endedAt ?? 0
    const {steps, toolIds} = answers.get(id) ?? {steps: new Map<string, Step>(), toolIds: []}
    if (complete.has(id)) return
    complete.add(id)
    answers.delete(id)
    facts.model = model ?? facts.model
    const reason = textAt(message, 'finish') ?? textAt([...steps.values()].at(-1)?.part, 'reason')
    facts.isTurnOver = 'error' in message || (completed !== undefined && !continuesAfter(reason))
    // Versions before 1.0 have several requests in an answer, whose own counts are those of the last one.
    if (steps.size === 0 && hasTokens(readTokens(message))) add(message, toolIds.splice(0), 0)
    for (const [index, step] of [...steps.values()].entries()) add(step.part, step.toolIds, index)
    // An interrupted answer has no counts.
    const last = facts.requests.at(-1)
    if (last !== undefined) requests.addTools(last.key, toolIds)
    else if (toolIds.length > 0) add(message, toolIds, 0)

    function add(step: JsonObject, ids: string[], index: number): void {
      const tokens = readTokens(step, message)
      // A fork has copies with other ids.
      const {input, output, cacheRead, cacheWrite} = tokens
      const key = [at, completed, model, index, input, output, cacheRead, cacheWrite].join(' ')
      const isSubAgent = facts.parentId === undefined ? undefined : true
      const costUsd = Math.max(0, numberAt(step, 'cost') ?? 0) || undefined
      requests.add({key, at, model, tokens, costUsd, isSubAgent}, ids)
    }
  }
}

/** A request of an answer, with its calls. */
interface Step {
  part: JsonObject
  toolIds: string[]
}

interface Answer {
  /** By the id of the part. */
  steps: Map<string, Step>
  /** Calls after the last step that is complete. */
  toolIds: string[]
}

/** The title of a session until the model has found one. */
const DEFAULT_TITLE = /^(?:New|Child) session - \d{4}-/
