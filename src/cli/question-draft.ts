import type {UserAnswers, UserQuestion} from '../core/events/question.ts'
import type {ShownQuestion} from '../terminal/question-box.ts'

/** The answers of the user to the questions of a request, one question after the other. */
export interface QuestionDraft {
  /** The question to answer next. */
  current(): Pick<ShownQuestion, 'question' | 'index' | 'count' | 'chosen'>
  /** Applies a key: a digit chooses, Enter confirms, `b` goes back. Returns the answers once the draft is complete. */
  press(key: string): UserAnswers | undefined
  /** Answers the current question with other text, in addition to chosen options if several are allowed. */
  write(text: string): UserAnswers | undefined
}

/** Creates a draft for at least one question. */
export function createQuestionDraft(questions: readonly UserQuestion[]): QuestionDraft {
  const answers: string[][] = []
  let chosen = new Set<number>()

  const current = () => {
    const index = answers.length
    const question = questions[index] ?? NO_QUESTION
    return {question, index, count: questions.length, chosen}
  }

  return {
    current,
    press(key) {
      const {options, isMultiple} = current().question
      if (key === 'b') {
        answers.pop()
        chosen = new Set()
        return undefined
      }
      if (key === '\r' || key === '\n') {
        return isMultiple && chosen.size > 0 ? answerCurrent(listChosenLabels()) : undefined
      }
      const at = /^[1-9]$/.test(key) ? Number(key) - 1 : -1
      const option = options[at]
      if (option === undefined) return undefined
      if (!isMultiple) return answerCurrent([option.label])
      if (!chosen.delete(at)) chosen.add(at)
      return undefined
    },
    write: (text) => answerCurrent([...listChosenLabels(), text]),
  }

  function listChosenLabels(): string[] {
    const {options} = current().question
    return options.filter((_, at) => chosen.has(at)).map(({label}) => label)
  }

  function answerCurrent(answer: string[]): UserAnswers | undefined {
    answers.push(answer)
    chosen = new Set()
    return answers.length === questions.length ? answers : undefined
  }
}

const NO_QUESTION: UserQuestion = {text: '', options: [], isMultiple: false}
