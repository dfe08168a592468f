import type {Control, Decision, Rule} from '../core/events/adapter.ts'
import type {PermissionEvent} from '../core/events/events.ts'
import {findAnswerFlaw, readQuestions} from '../core/events/question.ts'
import {decide, formatRule, parseRule, type PermissionMode} from '../permissions/rules.ts'
import {RunError} from '../recording/run-error.ts'

/** How permission requests are answered. */
export interface PermissionOptions {
  /** Mode for requests that no rule matches; without a mode and rules the agent decides itself. */
  permissions?: PermissionMode | undefined
  /** Rules for allowed actions, such as `Bash(git *)`. */
  allow?: readonly string[] | undefined
  /** Rules for denied actions; they take precedence over `allow`. */
  deny?: readonly string[] | undefined
  /**
   * Time after which an unanswered request is denied.
   *
   * @defaultValue no limit
   */
  answerTimeoutMs?: number | undefined
}

/** An answer to a request, and its origin. */
export interface Answer {
  request: PermissionEvent
  decision: Decision
  who: AnsweringPerson | 'rule' | 'mode' | 'timeout'
  /** The rule that matched, or that the user added for the rest of the run. */
  rule?: string | undefined
  waitedMs: number
}

/** A notice about a permission request. */
export type PermissionNotice =
  | {type: 'asked'; request: PermissionEvent}
  | {type: 'answered'; answer: Answer}
  | {type: 'cancelled'; requestId: string}

/** The user at the terminal or in the dashboard. */
export type AnsweringPerson = 'you' | 'dashboard'

/** A user's answer. */
export type PersonalAnswer = Decision & {
  /** Also allow every later request that matches this rule. */
  rule?: string | undefined
}

/** Answers permission requests by rules, or forwards them to the user. */
export interface PermissionBroker {
  submit(request: PermissionEvent): void
  /**
   * Sends the answer of the user; false when no such request is open.
   *
   * @throws RunError when a question to the user is allowed without its answers.
   */
  answer(requestId: string, answer: PersonalAnswer, who?: AnsweringPerson): boolean
  /** Called when the agent withdraws a request. */
  cancel(requestId: string): void
  /** Drops pending requests: the agent no longer waits for answers. */
  close(): void
}

export interface PermissionTransport {
  control: Control
  /** Working directory of the agent; paths in rules are relative to it. */
  cwd: string
  send(line: string): void
  onNotice(notice: PermissionNotice): void
}

export function createPermissionBroker(
  options: PermissionOptions,
  transport: PermissionTransport,
): PermissionBroker {
  const {permissions: mode = 'deny', answerTimeoutMs} = options
  const rules = {allow: parseRules(options.allow), deny: parseRules(options.deny)}
  const pending = new Map<
    string,
    {request: PermissionEvent; since: number; timer: NodeJS.Timeout | undefined}
  >()

  return {
    submit(request) {
      const {requestId} = request
      if (requestId === undefined) return
      const found = decide(rules, mode, request, {cwd: transport.cwd})
      if (found.decision !== 'ask') {
        const who = found.rule === undefined ? 'mode' : 'rule'
        const rule = found.rule === undefined ? undefined : formatRule(found.rule)
        const isQuestion = readQuestions(request).length > 0
        const message = isQuestion ? NO_USER : found.isHidden === true ? UNCHECKABLE : REFUSED
        const decision = found.decision === 'allow' ? ALLOWED : {allow: false, message}
        return settle({request, decision, who, rule, waitedMs: 0})
      }
      const since = Date.now()
      const timer =
        answerTimeoutMs === undefined
          ? undefined
          : setTimeout(() => expire(requestId), answerTimeoutMs)
      pending.set(requestId, {request, since, timer})
      transport.onNotice({type: 'asked', request})
    },
    answer(requestId, {rule, ...decision}, who = 'you') {
      const open = pending.get(requestId)
      if (open === undefined) return false
      checkAnswers(open.request, decision)
      if (rule !== undefined) rules.allow.push(parseRule(rule))
      return finish(requestId, decision, who, rule)
    },
    cancel(requestId) {
      const open = pending.get(requestId)
      clearTimeout(open?.timer)
      if (pending.delete(requestId)) transport.onNotice({type: 'cancelled', requestId})
    },
    close() {
      for (const {timer} of pending.values()) clearTimeout(timer)
      pending.clear()
    },
  }

  function expire(requestId: string): void {
    finish(requestId, {allow: false, message: 'The user did not answer in time.'}, 'timeout')
  }

  function finish(
    requestId: string,
    decision: Decision,
    who: Answer['who'],
    rule?: string,
  ): boolean {
    const open = pending.get(requestId)
    if (open === undefined) return false
    pending.delete(requestId)
    clearTimeout(open.timer)
    settle({request: open.request, decision, who, rule, waitedMs: Date.now() - open.since})
    return true
  }

  function settle(answer: Answer): void {
    transport.send(transport.control.answer(answer.request, answer.decision))
    transport.onNotice({type: 'answered', answer})
  }
}

/** An input from the caller is not checked. */
function checkAnswers(request: PermissionEvent, decision: Decision): void {
  if (!decision.allow || (decision.input !== undefined && decision.answers === undefined)) return
  const flaw = findAnswerFlaw(readQuestions(request), decision.answers)
  if (flaw !== undefined) throw new RunError('bad-options', flaw)
}

const ALLOWED: Decision = {allow: true}
const UNCHECKABLE =
  'Not allowed in this run: some commands are denied, and the commands that this one runs cannot be checked (source, an alias, a renamed program, a pipe into a shell). Run the commands themselves.'
const NO_USER =
  'No user can answer questions in this run. Choose the most reasonable option yourself and say which one you chose.'
const REFUSED = 'Not allowed in this run. Continue without it, or describe what you need.'

export function parseRules(texts: readonly string[] = []): Rule[] {
  return texts.map((text) => {
    try {
      return parseRule(text)
    } catch (error) {
      throw new RunError('bad-options', (error as Error).message)
    }
  })
}
