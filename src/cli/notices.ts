import {formatAnswers, formatCount, makeHarmless, readQuestions} from '../core/index.ts'
import type {Answer, Notice, ProcessState} from '../runner/index.ts'
import type {PermissionAnswer} from '../terminal/index.ts'

/** What Vitrine has to say, in a line. */
export function describeNotice(notice: Notice): string | undefined {
  switch (notice.type) {
    case 'stuck':
      return `stuck: ${notice.breach.reason}; going on (--on-stuck warn)`
    case 'stopping':
      return notice.cause === 'linger'
        ? undefined
        : `stopping: ${WHY[notice.cause]}${notice.reason}`
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

/** What a reason is about, where it does not say so itself. */
const WHY = {
  user: '',
  timeout: 'timed out, ',
  cost: 'over budget, ',
  turns: 'over budget, ',
  silence: 'stuck, ',
  tool: 'stuck, ',
}

function describeDecision(answer: Answer): string {
  const {request, decision, who, rule} = answer
  const questions = readQuestions(request)
  if (questions.length > 0) {
    const answers = decision.allow ? decision.answers : undefined
    if (answers !== undefined) return makeHarmless(`answered: ${formatAnswers(questions, answers)}`)
    const why = who === 'mode' ? ', only --permissions ask asks the user' : ''
    const asked = questions.map(({text}) => text).join(' ')
    return makeHarmless(`not answered${why}: ${asked}`)
  }
  const said = decision.allow ? 'allowed' : 'denied'
  const by = rule === undefined ? '' : ` by rule ${rule}`
  return `${said}${by || (who === 'timeout' ? ', nobody answered' : '')}: ${request.name}`
}

/** What the system tells of a process that says nothing: in short, and all of it. */
export function describeProcess(state: ProcessState | null): {facts: string; details: string} {
  if (state === null) return {facts: 'process alive', details: 'process alive'}
  const {cpuPercent, childCount, connectionCount} = state
  const alive = `process alive, ${cpuPercent}% CPU`
  const children =
    childCount === 0 ? 'no child' : formatCount(childCount, 'child').replace('childs', 'children')
  const connections =
    connectionCount === 0 ? 'no open connection' : formatCount(connectionCount, 'open connection')
  const facts = `${alive}, ${children}`
  return {facts, details: `${childCount === 0 ? `${facts} process` : facts}, ${connections}`}
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
