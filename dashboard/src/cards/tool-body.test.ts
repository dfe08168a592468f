import {createElement} from 'react'
import {renderToStaticMarkup} from 'react-dom/server'
import {describe, expect, it} from 'vitest'
import {HOSTILE} from '../../../test/support/hostile.ts'
import type {AgentEvent, ToolKind} from '../../../src/core/events/events.ts'
import {ToolBody} from './tool-body.tsx'
import type {ToolCall} from './tool-call.ts'

const RECORDINGS = import.meta.glob<string>('../../../src/agents/*/fixtures/**/*.events.ndjson', {
  query: '?raw',
  import: 'default',
  eager: true,
})

/** Every call in the recordings of real agents. */
const calls: [string, ToolCall][] = Object.entries(RECORDINGS).flatMap(([file, text]) => {
  const starts = new Map<string, Extract<AgentEvent, {type: 'tool-start'}>>()
  return text
    .split('\n')
    .filter(Boolean)
    .flatMap((line): [string, ToolCall][] => {
      const event: AgentEvent = JSON.parse(line)
      if (event.type === 'tool-start') starts.set(event.toolId, event)
      const start = event.type === 'tool-end' ? starts.get(event.toolId) : undefined
      if (event.type !== 'tool-end' || start === undefined) return []
      return [[`${file} ${event.toolId}`, {...start, ...event}]]
    })
})

const render = (call: ToolCall) => renderToStaticMarkup(createElement(ToolBody, call))

describe('ToolBody', () => {
  it('renders every call of the recordings', () => {
    expect(calls.length).toBeGreaterThan(200)
    for (const [, call] of calls) expect(() => render(call)).not.toThrow()
  })

  it('shows the changes of an edit tool of every agent', () => {
    const edits = calls.filter(
      ([, call]) => (call.tool === 'Edit' || call.tool === 'Write') && call.ok === true,
    )
    const unread = edits.filter(
      ([, call]) => !/aria-label="Changes of|the agent did not report how/.test(render(call)),
    )
    expect(unread).toEqual([])
  })

  it('shows the tail of a failed command, and head and tail of a successful one', () => {
    const output = Array.from({length: 148}, (_, at) => `line ${at + 1}\n`).join('')
    const call: ToolCall = {
      tool: 'Bash',
      name: 'Bash',
      input: {command: 'x'},
      output,
      outputLength: output.length,
      ok: false,
      exitCode: 1,
    }
    const failed = render(call)
    expect(failed).toContain('Last 7 of 148 lines')
    expect(failed).toContain('exit 1')
    expect(failed).toContain('line 142')
    expect(failed).not.toContain('line 141<')
    const done = render({...call, ok: true, exitCode: 0})
    expect(done).toContain('7 of 148 lines')
    expect(done).toContain('>line 3<')
    expect(done).toContain('>line 145<')
    expect(render({...call, ok: undefined})).toContain('Last 4 of 148 lines')
    expect(render({...call, outputLength: 4_800_000})).toContain('Last 7 of the first 148 lines')
  })

  it('creates no element from any text', () => {
    const tools: ToolKind[] = [
      'Read',
      'Write',
      'Edit',
      'Bash',
      'Grep',
      'WebFetch',
      'Task',
      'Todo',
      'Mcp',
      'Other',
    ]
    for (const text of Object.values(HOSTILE)) {
      if (text.length > 10_000) continue
      for (const tool of tools) {
        const input = {
          command: text,
          file_path: text,
          content: text,
          url: text,
          prompt: text,
          todos: [{content: text}],
        }
        const html = render({
          tool,
          name: text,
          input,
          output: text,
          outputLength: text.length,
          ok: true,
        })
        expect(html).not.toMatch(
          /<(?:script|img|iframe|object|embed|base|meta|link|style|form|input|video|audio|math|template)\b/,
        )
        expect(html).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      }
    }
  })
})
