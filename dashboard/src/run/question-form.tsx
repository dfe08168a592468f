import {useId, useRef, useState} from 'react'
import type {UserAnswers, UserQuestion} from '../../../src/core/events/question.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {Tag} from '../ui/tag.tsx'
import textField from '../ui/text-field.module.css'
import dock from './permission-dock.module.css'
import styles from './question-form.module.css'

/** The questions of an agent to its user, with its options and a field for another answer. */
export function QuestionForm({
  questions,
  onAnswer,
  children,
}: {
  questions: readonly UserQuestion[]
  onAnswer(answers: UserAnswers): void
  /** The other buttons. */
  children: React.ReactNode
}) {
  const [drafts, setDrafts] = useState<readonly Draft[]>(() => questions.map(() => NO_DRAFT))
  const answers = questions.map((question, index) => readDraft(question, drafts[index] ?? NO_DRAFT))
  const isComplete = answers.every((answer) => answer.length > 0)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (isComplete) onAnswer(answers)
      }}
    >
      {questions.map((question, index) => (
        <Question
          // oxlint-disable-next-line react/no-array-index-key -- the questions of a request do not change
          key={index}
          question={question}
          draft={drafts[index] ?? NO_DRAFT}
          onChange={(draft) => setDrafts(drafts.with(index, draft))}
        />
      ))}
      <div className={classNames(dock.actions, styles.actions)}>
        <Button type="submit" kind="primary" disabled={!isComplete}>
          {questions.length === 1 ? 'Send answer' : 'Send answers'} <kbd aria-hidden="true">⏎</kbd>
        </Button>
        {children}
      </div>
    </form>
  )
}

/** The current selection and text. */
interface Draft {
  chosen: ReadonlySet<string>
  isOther: boolean
  other: string
}

const NO_DRAFT: Draft = {chosen: new Set(), isOther: false, other: ''}

function readDraft({options}: UserQuestion, {chosen, isOther, other}: Draft): string[] {
  const labels = options.map(({label}) => label).filter((label) => chosen.has(label))
  const text = isOther || options.length === 0 ? other.trim() : ''
  return text === '' ? labels : [...labels, text]
}

function Question({
  question: {text, header, options, isMultiple},
  draft,
  onChange,
}: {
  question: UserQuestion
  draft: Draft
  onChange(draft: Draft): void
}) {
  const name = useId()
  const field = useRef<HTMLInputElement>(null)
  const type = isMultiple ? 'checkbox' : 'radio'
  const {chosen, isOther, other} = draft
  const choose = (label: string, isChosen: boolean) => {
    if (!isMultiple) return onChange({...draft, chosen: new Set([label]), isOther: false})
    const others = [...chosen].filter((each) => each !== label)
    onChange({...draft, chosen: new Set(isChosen ? [...others, label] : others)})
  }
  const changeOther = (change: Partial<Draft>) =>
    onChange({...draft, chosen: isMultiple ? chosen : new Set(), ...change})
  return (
    <fieldset className={styles.question}>
      <legend>
        {header !== undefined && <Tag tone="wait">{escapeControls(header)}</Tag>}{' '}
        {escapeControls(text)}
        {isMultiple && <span className={styles.hint}> Select one or more</span>}
      </legend>
      {options.map(({label, description}) => (
        <label key={label} className={styles.option}>
          <input
            type={type}
            name={name}
            checked={chosen.has(label)}
            onChange={(event) => choose(label, event.target.checked)}
          />
          <span>
            <b>{escapeControls(label)}</b>
            {description !== undefined && <span>{escapeControls(description)}</span>}
          </span>
        </label>
      ))}
      <div className={styles.option}>
        {options.length > 0 && (
          <input
            type={type}
            name={name}
            aria-label="Other answer"
            checked={isOther}
            onChange={(event) => {
              changeOther({isOther: event.target.checked})
              field.current?.focus()
            }}
          />
        )}
        <input
          ref={field}
          className={classNames(textField.textField, common.grow, styles.other)}
          aria-label={`Other answer to: ${escapeControls(text)}`}
          placeholder="Other answer"
          maxLength={10_000}
          value={other}
          onChange={(event) => changeOther({isOther: true, other: event.target.value})}
        />
      </div>
    </fieldset>
  )
}
