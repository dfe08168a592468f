import {describe, expect, test} from 'vitest'
import {
  createPermissionRequestEvent,
  type PermissionRequestEvent,
} from '../../../src/core/protocol/server-message.ts'
import {describeRequest} from './describe-request.ts'

function ask(tool: PermissionRequestEvent['tool'], name: string, input: Record<string, unknown>) {
  const {words, code, isComplete} = describeRequest(
    createPermissionRequestEvent('w', 'r', {tool, name, input, requestId: 'q'}),
  )
  return {text: `${words} ${code}`, isComplete}
}

describe('the description of a permission request', () => {
  test('contains the complete command', () => {
    const input = {command: 'git push -u origin main', description: 'Push', timeout: 5}
    expect(ask('Bash', 'Bash', input)).toEqual({
      text: 'Asks to run git push -u origin main',
      isComplete: true,
    })
  })

  test('shows every line and escapes bidirectional controls', () => {
    expect(ask('Bash', 'Bash', {command: 'ls\nrm -rf \u202E~'}).text).toBe(
      'Asks to run ls ⏎ rm -rf \\u202e~',
    )
  })

  test('contains the complete input when it is more than a command', () => {
    const input = {command: 'ls', dangerouslyDisableSandbox: true}
    expect(ask('Bash', 'Bash', input).text).toBe(
      'Asks to use Bash {"command":"ls","dangerouslyDisableSandbox":true}',
    )
  })

  test('is incomplete when it is long', () => {
    const input = {file_path: '/srv/app.ts', content: 'x'.repeat(400)}
    expect(ask('Write', 'Write', input)).toEqual({
      text: 'Asks to use Write /srv/app.ts',
      isComplete: false,
    })
    expect(ask('Bash', 'Bash', {command: 'y'.repeat(400)}).isComplete).toBe(false)
  })

  test('contains the first of several questions, to be answered on the run page', () => {
    const questions = [{question: 'Which one?', options: []}, {question: 'Why?'}]
    expect(ask('Other', 'AskUserQuestion', {questions})).toEqual({
      text: 'Asks you Which one?',
      isComplete: false,
    })
  })

  test('supports any tool', () => {
    expect(ask('Other', 'mcp__db__query', {sql: 'select 1'}).text).toBe(
      'Asks to use mcp__db__query {"sql":"select 1"}',
    )
  })
})
