import type {Control, Decision, Rule} from '../core/events/adapter.ts'
import type {PermissionEvent} from '../core/events/events.ts'
import {findAnswerFlaw, readQuestions} from '../core/events/question.ts'
import {decide, formatRule, parseRule, type PermissionMode} from '../permissions/rules.ts'
import {RunError} from '../recording/run-error.ts'

/** Who may do what, and who says so. */
export interface PermissionOptions {
  /** What to do with requests that no rule covers; without it and without rules the agent decides for itself. */
  permissions?: PermissionMode | undefined
  /** Rules such as `Bash(git *)` for what may be done. */
  allow?: readonly string[] | undefined
  /** Rules for what may not be done; they win over the others. */
  deny?: readonly string[] | undefined
  /**
   * How long to wait for an answer before it is no.
   *
   * @defaultValue for ever
   */
  answerTimeoutMs?: number | undefined
}

/** An answer to a request, and who gave it. */
export interface Answer {
  request: PermissionEvent
  decision: Decision
  who: AnsweringPerson | 'rule' | 'mode' | 'timeout'
  /** The rule that decided it, or was made of it for the rest of the run. */
  rule?: string | undefined
  waitedMs: number
}

/** The person at the terminal, or one who looks on from elsewhere. */
export type AnsweringPerson = 'you' | 'dashboard'

/** A person's answer. */
export type PersonalAnswer = Decision & {
  /** Allow all that this rule covers from now on. */
  rule?: string | undefined
}

/** Answers what an agent asks, by rules or by asking on. */
export interface PermissionDesk {
  ask(request: PermissionEvent): void
  /**
   * Passes on the answer of the user; false when no such request is open.
   *
   * @throws RunError when a question to the user is allowed without its answers.
   */
  answer(requestId: string, answer: PersonalAnswer, who?: AnsweringPerson): boolean
  /** The agent does not want to know any more. */
  cancel(requestId: string): void
  /** Forgets what was asked: nobody waits for answers any more. */
  close(): void
}

/** What a desk does with its answers. */
export interface DeskOffice {
  control: Control
  /** Where the agent works: what rules say of paths is meant from there. */
  cwd: string
  send(line: string): void
  onAsked(request: PermissionEvent): void
  onAnswered(answer: Answer): void
  onCancelled(requestId: string): void
}

/** Opens a desk for one run. */
export function openPermissionDesk(options: PermissionOptions, office: DeskOffice): PermissionDesk {
  const {permissions: mode = 'deny', answerTimeoutMs} = options
  const rules = {allow: parseRules(options.allow), deny: parseRules(options.deny)}
  const waiting = new Map<
    string,
    {request: PermissionEvent; since: number; timer?: NodeJS.Timeout}
  >()

  return {
    ask(request) {
      const {requestId} = request
      if (requestId === undefined) return
      const found = decide(rules, mode, request, {cwd: office.cwd})
      if (found.decision !== 'ask') {
        const who = found.rule === undefined ? 'mode' : 'rule'
        const rule = found.rule === undefined ? undefined : formatRule(found.rule)
        const isQuestion = readQuestions(request).length > 0
        const message = isQuestion ? NO_USER : found.isHidden === true ? HIDDEN : REFUSED
        const decision = found.decision === 'allow' ? ALLOWED : {allow: false, message}
        return settle({request, decision, who, rule, waitedMs: 0})
      }
      const since = Date.now()
      const timer =
        answerTimeoutMs === undefined
          ? undefined
          : setTimeout(() => giveUp(requestId), answerTimeoutMs)
      waiting.set(requestId, {request, since, ...(timer && {timer})})
      office.onAsked(request)
    },
    answer(requestId, {rule, ...decision}, who = 'you') {
      const open = waiting.get(requestId)
      if (open === undefined) return false
      checkAnswers(open.request, decision)
      if (rule !== undefined) rules.allow.push(parseRule(rule))
      return finish(requestId, decision, who, rule)
    },
    cancel(requestId) {
      const open = waiting.get(requestId)
      clearTimeout(open?.timer)
      if (waiting.delete(requestId)) office.onCancelled(requestId)
    },
    close() {
      for (const {timer} of waiting.values()) clearTimeout(timer)
      waiting.clear()
    },
  }

  function giveUp(requestId: string): void {
    finish(requestId, {allow: false, message: 'The user did not answer in time.'}, 'timeout')
  }

  function finish(
    requestId: string,
    decision: Decision,
    who: Answer['who'],
    rule?: string,
  ): boolean {
    const open = waiting.get(requestId)
    if (open === undefined) return false
    waiting.delete(requestId)
    clearTimeout(open.timer)
    settle({request: open.request, decision, who, rule, waitedMs: Date.now() - open.since})
    return true
  }

  function settle(answer: Answer): void {
    office.send(office.control.answer(answer.request, answer.decision))
    office.onAnswered(answer)
  }
}

/** An input of the caller's own is passed on as it is. */
function checkAnswers(request: PermissionEvent, decision: Decision): void {
  if (!decision.allow || (decision.input !== undefined && decision.answers === undefined)) return
  const flaw = findAnswerFlaw(readQuestions(request), decision.answers)
  if (flaw !== undefined) throw new RunError('bad-options', flaw)
}

const ALLOWED: Decision = {allow: true}
const HIDDEN =
  'Not allowed in this run: some commands are denied, and the commands that this one runs cannot be checked (source, an alias, a renamed program, a pipe into a shell). Run the commands themselves.'
const NO_USER =
  'No user can answer questions in this run. Choose the most reasonable option yourself and say which one you chose.'
const REFUSED = 'Not allowed in this run. Continue without it, or describe what you need.'

/** Reads rules; one that is none is told with a sentence of what it should be. */
export function parseRules(texts: readonly string[] = []): Rule[] {
  return texts.map((text) => {
    try {
      return parseRule(text)
    } catch (error) {
      throw new RunError('bad-options', (error as Error).message)
    }
  })
}
