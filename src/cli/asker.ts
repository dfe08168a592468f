import {makeHarmless, suggestRule, type PermissionEvent} from '../core/index.ts'
import type {AgentRun} from '../runner/index.ts'
import {formatPermission, type RunStatus, type ScreenStyle} from '../terminal/index.ts'

/** Asks the person at the terminal what an agent may do. */
export interface Asker {
  ask(request: PermissionEvent): void
  /** Somebody has answered. */
  settle(requestId: string | undefined): void
  /** The rows for the question that is open; `undefined` when none is. */
  rows(status: RunStatus, style: ScreenStyle): string[] | undefined
  close(): void
}

interface Question {
  request: PermissionEvent & {requestId: string}
  rule: string | undefined
  askedAt: number
  /** Since when it is on the screen. */
  shownAt?: number
}

/** Keys that were pressed before anybody could have read the question are no answer to it. */
const READING_MS = 300

/** Rows around the input. */
const FRAME_ROWS = 12

/** Makes an asker that reads keys from stdin while a question is open. */
export function createAsker(run: AgentRun, cwd: string, redraw: () => void): Asker {
  const questions: Question[] = []
  let reason: string | undefined
  let isListening = false

  return {
    ask(request) {
      const {requestId, name, input, at: askedAt} = request
      if (requestId === undefined) return
      const rule = suggestRule(name, input, {cwd})
      questions.push({request: {...request, requestId}, rule, askedAt})
      listen()
      redraw()
    },
    settle(requestId) {
      const index = questions.findIndex(({request}) => request.requestId === requestId)
      if (index === -1) return
      questions.splice(index, 1)
      reason = undefined
      if (questions.length === 0) close()
      redraw()
    },
    rows(status, style) {
      const [question] = questions
      if (question === undefined) return undefined
      question.shownAt ??= Date.now()
      const {request, rule, askedAt} = question
      const maxInputRows = Math.max(3, Math.min(20, process.stdout.rows - FRAME_ROWS))
      const asked = {...request, askedAt}
      const because = ['no rule covers it']
      const rows = formatPermission({request: asked, rule, because, status, maxInputRows}, style)
      if (reason === undefined) return rows
      return [...rows.slice(0, -1), `  Why? ${makeHarmless(reason)}_  (Enter sends, Esc goes back)`]
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
    // The terminal does not do it while it gives us every key.
    if (key === CTRL_C) process.kill(process.pid, 'SIGINT')
    if (question?.shownAt === undefined || Date.now() - question.shownAt < READING_MS) return
    if (reason !== undefined) return type(key, question)
    const {requestId} = question.request
    switch (key) {
      case 'a':
        return void run.answer(requestId, {allow: true})
      case 'A':
        if (question.rule !== undefined) run.answer(requestId, {allow: true, rule: question.rule})
        return
      case 'd':
        return void run.answer(requestId, {allow: false, message: DENIED})
      case 'D':
        reason = ''
        return
      case 'x':
        run.answer(requestId, {allow: false, message: 'The user stopped the run.', stop: true})
        run.stop()
        return
      default:
        // Nothing else is an answer, Enter least of all.
        return
    }
  }

  /** A reason is being typed. */
  function type(key: string, {request}: Question): void {
    if (key === ESCAPE) reason = undefined
    else if (key === BACKSPACE || key === '\b') reason = [...(reason ?? '')].slice(0, -1).join('')
    else if (key !== '\r' && key !== '\n') reason += key
    else {
      const message = reason === undefined || reason.trim() === '' ? DENIED : reason.trim()
      reason = undefined
      run.answer(request.requestId, {allow: false, message})
    }
  }
}

const CTRL_C = '\u0003'
const ESCAPE = '\u001b'
const BACKSPACE = '\u007f'
const DENIED = 'The user said no.'
