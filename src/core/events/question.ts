import {isRecord, objectsAt, textAt, type JsonObject} from '../wire/json.ts'

/** A question of an agent for its user. */
export interface UserQuestion {
  text: string
  /** A word or two on the subject. */
  header?: string | undefined
  /** The answers that the agent offers; other text is an answer as well. */
  options: QuestionOption[]
  /** Whether several options can be chosen. */
  isMultiple: boolean
}

/** An answer that an agent offers. */
export interface QuestionOption {
  label: string
  description?: string | undefined
}

/** The answers to each question of a request, in order: labels of options, or other text. */
export type UserAnswers = readonly (readonly string[])[]

/** The tool of Claude Code by which the model asks the user. */
const QUESTION_TOOL = 'AskUserQuestion'

/** Reads the questions of a request; empty when it asks for a permission. */
export function readQuestions({name, input}: {name: string; input: unknown}): UserQuestion[] {
  if (name !== QUESTION_TOOL || !isRecord(input)) return []
  const given = input['questions']
  const questions = objectsAt(input, 'questions').map(readQuestion)
  // A question that cannot be read is shown as it is, with all others.
  const isReadable = Array.isArray(given) && questions.length === given.length
  return isReadable && questions.every(({text}) => text !== '') ? questions : []
}

function readQuestion(question: JsonObject): UserQuestion {
  return {
    text: textAt(question, 'question') ?? '',
    header: textAt(question, 'header') || undefined,
    options: objectsAt(question, 'options').flatMap(readOption),
    isMultiple: question['multiSelect'] === true,
  }
}

function readOption(option: JsonObject): QuestionOption[] {
  const label = textAt(option, 'label') ?? ''
  return label === '' ? [] : [{label, description: textAt(option, 'description') || undefined}]
}

/** Describes why answers do not fit the questions of a request; undefined when they do. */
export function findAnswerFlaw(
  questions: readonly UserQuestion[],
  answers: UserAnswers | undefined,
): string | undefined {
  if (questions.length === 0) {
    return answers && 'This request asks for a permission: answers are for questions to the user.'
  }
  if (answers === undefined || answers.length !== questions.length) {
    return `A question to the user is allowed with its answers only: expected ${questions.length} in answers, got ${answers?.length ?? 'none'}.`
  }
  const index = questions.findIndex(({isMultiple}, at) => {
    const given = answers[at] ?? []
    return given.every((text) => text.trim() === '') || (given.length > 1 && !isMultiple)
  })
  if (index === -1) return undefined
  const count = questions[index]?.isMultiple === true ? 'at least one text' : 'one text'
  return `Invalid answers[${index}]: expected ${count}.`
}

/** Formats the answers to a request in a line: `Database: SQLite; Checks: Types, Lint`. */
export function formatAnswers(questions: readonly UserQuestion[], answers: UserAnswers): string {
  return questions
    .map(({header, text}, index) => `${header ?? text}: ${(answers[index] ?? []).join(', ')}`)
    .join('; ')
}
