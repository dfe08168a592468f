import type {UserAnswers} from '../core/events/question.ts'
import type {AnswerItem} from './run-item.ts'

/** Parses a recorded answer to a permission request; `undefined` if it names no request. */
export function parseAnswer(
  answer: Record<string, unknown>,
): Omit<AnswerItem, 'n' | 'at'> | undefined {
  const {requestId, allow, who, rule, answers, waitedMs} = answer
  if (typeof requestId !== 'string') return undefined
  return {
    type: 'answer',
    requestId,
    allow: typeof allow === 'boolean' ? allow : undefined,
    who: typeof who === 'string' ? who : undefined,
    rule: typeof rule === 'string' ? rule : undefined,
    answers: isAnswers(answers) ? answers : undefined,
    waitedMs: typeof waitedMs === 'number' ? waitedMs : undefined,
  }
}

function isAnswers(value: unknown): value is UserAnswers {
  const isTexts = (list: unknown) =>
    Array.isArray(list) && list.every((text) => typeof text === 'string')
  return Array.isArray(value) && value.every(isTexts)
}
