import {formatAnswers, readQuestions} from '../core/events/question.ts'
import type {StopCause} from '../core/run/verdict.ts'
import {escapeControls} from '../core/text/text.ts'
import type {Notice} from '../runner/agent-run.ts'
import {describeProcess} from '../runner/describe-process.ts'
import type {Answer} from '../runner/permission-broker.ts'
import type {PermissionAnswer} from '../terminal/permission-box.ts'

/** Describes a notice on one line; `undefined` if it is shown elsewhere. */
export function describeNotice(notice: Notice): string | undefined {
  switch (notice.type) {
    case 'stuck':
      return notice.isStopping
        ? `stuck: ${notice.breach.reason}, ${describeProcess(notice.process).details}; stopping the run (--on-stuck stop)`
        : `stuck: ${notice.breach.reason}; continuing (--on-stuck warn)`
    case 'stopping':
      return describeStopping(notice.cause, notice.reason)
    case 'killing':
      return 'the agent did not stop; sending SIGKILL'
    case 'not-recorded':
      return `the recording is incomplete: ${notice.reason}. The agent continues`
    case 'not-watched':
    case 'budget-in-doubt':
      return notice.reason
    case 'asked':
    case 'cancelled':
      return undefined
    case 'answered':
      return describeDecision(notice.answer)
    default:
      notice satisfies never
      return undefined
  }
}

/** A stuck run was reported before, and a lingering one has finished. */
function describeStopping(cause: StopCause, reason: string): string | undefined {
  const about = CAUSE_PREFIXES[cause]
  return about === undefined ? undefined : `stopping: ${about}${reason}`
}

/** Prefixes for reasons that do not name their cause. */
const CAUSE_PREFIXES: Readonly<Partial<Record<StopCause, string>>> = {
  user: '',
  timeout: 'timed out, ',
  cost: 'over budget, ',
  turns: 'over budget, ',
}

function describeDecision(answer: Answer): string {
  const {request, decision, who, rule} = answer
  const questions = readQuestions(request)
  if (questions.length > 0) {
    const answers = decision.allow ? decision.answers : undefined
    if (answers !== undefined)
      return escapeControls(`answered: ${formatAnswers(questions, answers)}`)
    const why = who === 'mode' ? ', only --permissions ask asks the user' : ''
    const asked = questions.map(({text}) => text).join(' ')
    return escapeControls(`not answered${why}: ${asked}`)
  }
  const outcome = decision.allow ? 'allowed' : 'denied'
  const by = rule === undefined ? '' : ` by rule ${rule}`
  return `${outcome}${by || (who === 'timeout' ? ', no answer in time' : '')}: ${request.name}`
}

/** Describes an answer for the terminal. */
export function describeAnswer(agent: string, answer: Answer): PermissionAnswer {
  const {request, decision, who, rule, waitedMs} = answer
  const {name} = request
  // The user may have changed the input.
  const input = (decision.allow ? decision.input : undefined) ?? request.input
  const isAsked = who === 'you' || who === 'dashboard'
  const scope = isAsked && rule !== undefined ? 'run' : 'once'
  const answers = decision.allow ? decision.answers : undefined
  return {agent, who, allowed: decision.allow, rule, name, input, answers, scope, waitedMs}
}
