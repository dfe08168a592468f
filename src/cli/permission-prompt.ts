import type {PermissionEvent} from '../core/events/events.ts'
import {readQuestions, type UserAnswers} from '../core/events/question.ts'
import {escapeControls} from '../core/text/text.ts'
import {suggestRule} from '../permissions/suggest-rule.ts'
import type {AgentRun} from '../runner/agent-run.ts'
import type {ScreenStyle} from '../terminal/layout.ts'
import {formatPermission} from '../terminal/permission-box.ts'
import {formatQuestion} from '../terminal/question-box.ts'
import type {RunStatus} from '../terminal/status-line.ts'
import {createQuestionDraft, type QuestionDraft} from './question-draft.ts'

/** Shows permission requests on the terminal and reads the answers. */
export interface PermissionPrompt {
  ask(request: PermissionEvent): void
  /** Removes a request that was answered elsewhere or cancelled. */
  settle(requestId: string | undefined): void
  /** Returns the rows of the current request; `undefined` without one. */
  rows(status: RunStatus, style: ScreenStyle): string[] | undefined
  close(): void
}

interface Question {
  request: PermissionEvent & {requestId: string}
  rule: string | undefined
  /** The answers so far, if the request is a question to the user. */
  draft: QuestionDraft | undefined
  askedAt: number
  /** When it was first drawn. */
  shownAt?: number
}

/** Keys are ignored until the request could have been read. */
const MIN_READING_MS = 300

/** Rows of the box around the input. */
const FRAME_ROWS = 12

/** Creates a prompt that reads keys from stdin while a request is open. */
export function createPermissionPrompt(
  run: AgentRun,
  cwd: string,
  redraw: () => void,
): PermissionPrompt {
  const questions: Question[] = []
  let typed: {purpose: 'reason' | 'answer'; text: string} | undefined
  let isListening = false

  return {
    ask(request) {
      const {requestId, name, input, at: askedAt} = request
      if (requestId === undefined) return
      const rule = suggestRule(name, input, {cwd})
      const asked = readQuestions(request)
      const draft = asked.length > 0 ? createQuestionDraft(asked) : undefined
      questions.push({request: {...request, requestId}, rule, draft, askedAt})
      listen()
      redraw()
    },
    settle(requestId) {
      const index = questions.findIndex(({request}) => request.requestId === requestId)
      if (index === -1) return
      questions.splice(index, 1)
      typed = undefined
      if (questions.length === 0) close()
      redraw()
    },
    rows(status, style) {
      const [question] = questions
      if (question === undefined) return undefined
      question.shownAt ??= Date.now()
      const {request, rule, draft, askedAt} = question
      const maxInputRows = Math.max(3, Math.min(20, process.stdout.rows - FRAME_ROWS))
      const asked = {...request, askedAt}
      const because = ['no rule covers it']
      const rows =
        draft === undefined
          ? formatPermission({request: asked, rule, because, status, maxInputRows}, style)
          : formatQuestion({...draft.current(), askedAt, status, maxRows: maxInputRows}, style)
      if (typed === undefined) return rows
      const label = typed.purpose === 'reason' ? 'Why?' : 'Answer:'
      const field = `  ${label} ${escapeControls(typed.text)}_  (Enter to send, Esc to go back)`
      return [...rows.slice(0, -1), field]
    },
    close,
  }

  function listen(): void {
    if (isListening || !process.stdin.isTTY) return
    isListening = true
    process.stdin.setRawMode(true)
    process.stdin.on('data', onData).resume()
  }

  function close(): void {
    if (!isListening) return
    isListening = false
    process.stdin.off('data', onData).pause()
    process.stdin.setRawMode(false)
  }

  function onData(data: Uint8Array): void {
    for (const key of Buffer.from(data).toString('utf8')) press(key)
    redraw()
  }

  function press(key: string): void {
    const [question] = questions
    // In raw mode the terminal does not send SIGINT itself.
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
    if (question?.shownAt === undefined || Date.now() - question.shownAt < MIN_READING_MS) return
    if (typed !== undefined) return type(key, question, typed)
    const {draft, rule} = question
    const {requestId} = question.request
    switch (key) {
      case 'd':
        return void run.answer(requestId, {allow: false, message: getRefusal(question)})
      case 'D':
        typed = {purpose: 'reason', text: ''}
        return
      case 'x':
        run.answer(requestId, {allow: false, message: 'The user stopped the run.', stop: true})
        run.stop()
        return
      default:
    }
    if (draft !== undefined) {
      if (key === 'o') typed = {purpose: 'answer', text: ''}
      else advance(question, draft, () => draft.press(key))
    } else if (key === 'a') run.answer(requestId, {allow: true})
    else if (key === 'A' && rule !== undefined) run.answer(requestId, {allow: true, rule})
    // Other keys are ignored, so that Enter alone never allows anything.
  }

  /** Applies a step to a draft and sends the answers once it is complete. */
  function advance(
    question: Question,
    draft: QuestionDraft,
    step: () => UserAnswers | undefined,
  ): void {
    const {index} = draft.current()
    const answers = step()
    if (answers !== undefined) run.answer(question.request.requestId, {allow: true, answers})
    // The next question must be readable first, too.
    else if (draft.current().index !== index) delete question.shownAt
  }

  /** Handles a key while a reason or an answer is typed. */
  function type(key: string, question: Question, {purpose, text}: NonNullable<typeof typed>): void {
    if (key === ESCAPE) typed = undefined
    else if (key === BACKSPACE || key === '\b') {
      typed = {purpose, text: [...text].slice(0, -1).join('')}
    } else if (key !== '\r' && key !== '\n') typed = {purpose, text: text + key}
    else if (purpose === 'reason') {
      const message = text.trim() || getRefusal(question)
      typed = undefined
      run.answer(question.request.requestId, {allow: false, message})
    } else if (text.trim() !== '' && question.draft !== undefined) {
      const {draft} = question
      typed = undefined
      advance(question, draft, () => draft.write(text.trim()))
    }
  }
}

function getRefusal({draft}: Question): string {
  return draft === undefined ? DENIED : 'The user did not answer.'
}

const CTRL_C = '\u0003'
const ESCAPE = '\u001b'
const BACKSPACE = '\u007f'
const DENIED = 'The user denied this request.'
