import {useEffect, useRef, useState, type RefObject} from 'react'
import {readQuestions, type UserQuestion} from '../../../src/core/events/question.ts'
import type {AnswerPermissionMessage} from '../../../src/core/protocol/client-message.ts'
import type {PermissionRequestEvent} from '../../../src/core/protocol/server-message.ts'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import {escapeControls} from '../../../src/core/text/text.ts'
import {isRecord, type JsonObject} from '../../../src/core/wire/json.ts'
import {useHub, useOrder, useRequest} from '../hub/hub.tsx'
import {requestKey} from '../hub/request-list.ts'
import {useSeen, wasSeen} from '../shell/seen.ts'
import {useKeys} from '../shell/keys.ts'
import {useNow} from '../shell/now.ts'
import {Button} from '../ui/button.tsx'
import {classNames} from '../ui/class-names.ts'
import common from '../ui/common.module.css'
import {formatElapsed} from '../ui/figures.ts'
import {Icon} from '../ui/icon.tsx'
import textField from '../ui/text-field.module.css'
import dock from './dock.module.css'
import styles from './permission-dock.module.css'
import {QuestionForm} from './question-form.tsx'
import {RequestInput} from './request-input.tsx'

/** A permission request: its exact content, its reason, and the answers. */
export function PermissionDock({run}: {run: RunSummary}) {
  const {runId} = run
  const open = run.requests[0]
  const requestId = open?.requestId
  const request = useRequest(run)
  if (open === undefined) return null
  const count = run.requests.length
  const questions = request === undefined ? [] : readQuestions(request)
  return (
    <section className={dock.dock} aria-label="Permission">
      <div className={classNames(dock.card, styles.request)}>
        <Icon name="hand" />
        <h2>{titleOf(request?.tool ?? open.name, questions.length)}</h2>
        <span className={styles.age}>
          {count > 1 && `1 of ${count} · `}
          <Age since={open.askedAt} />
        </span>
        {request === undefined ? (
          <p className={styles.content}>
            {requestId === undefined
              ? 'It can only be answered on the agent’s own screen.'
              : 'Loading the request…'}
          </p>
        ) : (
          <Question
            key={requestId}
            request={request}
            questions={questions}
            runId={runId}
            requestId={requestId ?? ''}
          />
        )}
      </div>
    </section>
  )
}

function Question({
  request,
  questions,
  runId,
  requestId,
}: {
  request: PermissionRequestEvent
  /** If it is a question to the user. */
  questions: readonly UserQuestion[]
  runId: string
  requestId: string
}) {
  const {orders} = useHub()
  const order = useOrder(runId)
  const box = useRef<HTMLDivElement>(null)
  const [mode, setMode] = useState<'ask' | 'deny' | 'edit'>('ask')
  const key = requestKey(runId, requestId)
  useSeen(box, key)
  const {suggestedRule: rule} = request
  const isSent = order?.status === 'sent' && order.requestId === requestId
  const isQuestion = questions.length > 0
  const answer = (
    allow: boolean,
    more: Pick<AnswerPermissionMessage, 'rule' | 'message' | 'input' | 'answers'> = {},
  ) => orders.answer({runId, requestId, allow, ...more})
  const deny = () => answer(false, isQuestion ? {message: 'The user did not answer.'} : {})
  // A key that was meant for something else must not answer.
  const onlyIfSeen = (act: () => void) => () => {
    if (!wasSeen(key) || isSent) return false
    act()
    return true
  }
  useKeys('Permission', {
    a: isQuestion
      ? {words: 'go to the question', hint: 'answer', act: () => focusFirst(box.current)}
      : {words: 'allow once', hint: 'allow', act: onlyIfSeen(() => answer(true))},
    ...(rule !== undefined && {
      A: {words: 'allow by rule, for this run', act: onlyIfSeen(() => answer(true, {rule}))},
    }),
    d: {
      words: isQuestion ? 'do not answer' : 'deny',
      hint: isQuestion ? 'do not answer' : 'deny',
      act: onlyIfSeen(deny),
    },
    D: {
      words: isQuestion ? 'do not answer, with a reason' : 'deny with a reason',
      act: onlyIfSeen(() => setMode('deny')),
    },
  })
  return (
    <div className={styles.content} ref={box}>
      {mode === 'edit' ? (
        <EditInput
          request={request}
          onCancel={() => setMode('ask')}
          onDone={(input) => answer(true, {input})}
        />
      ) : isQuestion ? null : (
        <>
          <RequestInput request={request} />
          {request.reason !== undefined && <p>{escapeControls(request.reason)}</p>}
        </>
      )}
      {isSent ? (
        <output className={styles.actions}>
          {isQuestion ? 'Sent' : order.what === 'allow' ? 'Allowed' : 'Denied'}. Sending to the
          agent…
        </output>
      ) : mode === 'deny' ? (
        <DenyForm
          label={isQuestion ? 'Do not answer' : 'Deny'}
          onCancel={() => setMode('ask')}
          onDone={(message) => answer(false, {message})}
        />
      ) : isQuestion ? (
        <QuestionForm questions={questions} onAnswer={(answers) => answer(true, {answers})}>
          <Button kind="danger" onClick={deny}>
            Do not answer <kbd aria-hidden="true">d</kbd>
          </Button>
          <Button kind="quiet" className={styles.secondary} onClick={() => setMode('deny')}>
            Give a reason <kbd aria-hidden="true">D</kbd>
          </Button>
        </QuestionForm>
      ) : mode === 'ask' ? (
        <div className={styles.actions}>
          <Button kind="primary" onClick={() => answer(true)}>
            Allow once <kbd aria-hidden="true">a</kbd>
          </Button>
          {rule !== undefined && (
            <Button className={styles.byRule} onClick={() => answer(true, {rule})}>
              <span>
                Allow <code>{escapeControls(rule)}</code> for this run
              </span>
              <kbd aria-hidden="true">A</kbd>
            </Button>
          )}
          <Button kind="danger" onClick={deny}>
            Deny <kbd aria-hidden="true">d</kbd>
          </Button>
          <Button kind="quiet" className={styles.secondary} onClick={() => setMode('deny')}>
            Deny with reason <kbd aria-hidden="true">D</kbd>
          </Button>
          <Button kind="quiet" className={styles.secondary} onClick={() => setMode('edit')}>
            Change it…
          </Button>
        </div>
      ) : null}
      {order?.status === 'failed' && order.requestId === requestId && (
        <p className={common.failed} role="alert">
          {order.message}
        </p>
      )}
    </div>
  )
}

/** Moves the focus to the first option of a question. */
function focusFirst(box: HTMLElement | null): boolean {
  const field = box?.querySelector('input')
  field?.focus()
  return field !== null && field !== undefined
}

function titleOf(tool: string, questionCount: number): string {
  if (questionCount > 0)
    return questionCount === 1
      ? 'The agent has a question'
      : `The agent has ${questionCount} questions`
  switch (tool) {
    case 'Bash':
      return 'Allow this command?'
    case 'Edit':
    case 'Write':
      return 'Allow this edit?'
    default:
      return 'Allow this tool?'
  }
}

function DenyForm({
  label,
  onCancel,
  onDone,
}: {
  label: string
  onCancel(): void
  onDone(message: string): void
}) {
  const field = useRef<HTMLInputElement>(null)
  useFocus(field)
  return (
    <form
      className={styles.actions}
      onSubmit={(event) => {
        event.preventDefault()
        onDone(field.current?.value.trim() || 'No.')
      }}
    >
      <input
        ref={field}
        className={classNames(textField.textField, common.grow)}
        aria-label="Reason"
        placeholder="Message to the agent"
        maxLength={10_000}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <Button type="submit" kind="danger">
        {label}
      </Button>
      <Button kind="quiet" className={styles.secondary} onClick={onCancel}>
        Cancel
      </Button>
    </form>
  )
}

/** The replacement of a secret. */
const MASK = '‹secret'

function EditInput({
  request: {input, tool},
  onCancel,
  onDone,
}: {
  request: PermissionRequestEvent
  onCancel(): void
  onDone(input: JsonObject): void
}) {
  const {command} = input
  const isCommand = tool === 'Bash' && typeof command === 'string'
  const [text, setText] = useState(isCommand ? command : JSON.stringify(input, undefined, 2))
  const field = useRef<HTMLTextAreaElement>(null)
  useFocus(field)
  const changed = isCommand ? {...input, command: text} : parseInput(text)
  const error = text.includes(MASK)
    ? 'A secret is masked here. Replace it with its value, or allow the original input.'
    : changed === undefined
      ? 'Not a JSON object'
      : undefined
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        if (error === undefined && changed !== undefined) onDone(changed)
      }}
    >
      <textarea
        ref={field}
        className={classNames(textField.textField, styles.subject)}
        aria-label={isCommand ? 'The command' : 'The input, in JSON'}
        value={text}
        rows={Math.min(12, text.split('\n').length + 1)}
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => event.key === 'Escape' && onCancel()}
      />
      <div className={styles.actions}>
        <Button type="submit" kind="primary" disabled={error !== undefined}>
          Allow this instead
        </Button>
        <Button kind="quiet" className={styles.secondary} onClick={onCancel}>
          Cancel
        </Button>
        {error !== undefined && <span className={common.failed}>{error}</span>}
      </div>
    </form>
  )
}

function parseInput(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

function useFocus(field: RefObject<HTMLElement | null>): void {
  useEffect(() => field.current?.focus(), [field])
}

function Age({since}: {since: number}) {
  const now = useNow()
  return <>{formatElapsed(now - since)}</>
}
