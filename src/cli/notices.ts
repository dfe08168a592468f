import {formatAnswers, readQuestions} from '../core/events/question.ts'
import type {StopCause} from '../core/run/verdict.ts'
import {escapeControls} from '../core/text/text.ts'
import type {Notice} from '../runner/agent-run.ts'
import {describeProcess} from '../runner/describe-process.ts'
import type {Answer} from '../runner/permission-broker.ts'
import type {PermissionAnswer} from '../terminal/permission-box.ts'

/** What Vitrine has to say, in a line. */
export function describeNotice(notice: Notice): string | undefined {
  switch (notice.type) {
    case 'stuck':
      return notice.isStopping
        ? `stuck: ${notice.breach.reason}, ${describeProcess(notice.process).details}; stopping it (--on-stuck stop)`
        : `stuck: ${notice.breach.reason}; going on (--on-stuck warn)`
    case 'stopping':
      return describeStopping(notice.cause, notice.reason)
    case 'killing':
      return 'it does not stop by itself; killing it'
    case 'not-recorded':
      return `cannot write all of the recording: ${notice.reason}. The agent goes on as long as it can`
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

/** A run that is stuck was reported as such, and one that lingers is finished. */
function describeStopping(cause: StopCause, reason: string): string | undefined {
  const about = WHY[cause]
  return about === undefined ? undefined : `stopping: ${about}${reason}`
}

/** What a reason is about, where it does not say so itself. */
const WHY: Readonly<Partial<Record<StopCause, string>>> = {
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
  const said = decision.allow ? 'allowed' : 'denied'
  const by = rule === undefined ? '' : ` by rule ${rule}`
  return `${said}${by || (who === 'timeout' ? ', no answer in time' : '')}: ${request.name}`
}

/** An answer as it is shown. */
export function describeAnswer(agent: string, answer: Answer): PermissionAnswer {
  const {request, decision, who, rule, waitedMs} = answer
  const {name} = request
  // What was allowed, which need not be what was asked for.
  const input = (decision.allow ? decision.input : undefined) ?? request.input
  const isAsked = who === 'you' || who === 'dashboard'
  const scope = isAsked && rule !== undefined ? 'run' : 'once'
  const answers = decision.allow ? decision.answers : undefined
  return {agent, who, allowed: decision.allow, rule, name, input, answers, scope, waitedMs}
}
