import {describe, expect, it} from 'vitest'
import {codex} from './index.ts'

describe('the flags of codex', () => {
  it('are the subcommand and the format, unless they are given', () => {
    expect(codex.flags([])).toEqual(['exec', '--json'])
    expect(codex.flags(['-m', 'gpt-5.5', 'do it'])).toEqual(['exec', '--json'])
    expect(codex.flags(['exec', 'do it'])).toEqual(['--json'])
    expect(codex.flags(['e', 'do it'])).toEqual(['--json'])
    expect(codex.flags(['exec', '--json', 'do it'])).toEqual([])
    expect(codex.flags(['exec', 'resume', '--last', 'go on'])).toEqual(['--json'])
    expect(codex.flags(['exec', '--', '--json'])).toEqual(['--json'])
  })

  it('are empty for commands that print no events', () => {
    expect(codex.flags(['login'])).toEqual([])
    expect(codex.flags(['mcp', 'list'])).toEqual([])
  })
})

describe('a line', () => {
  it('is detected as one of Codex, new and old', () => {
    expect(codex.detect({type: 'thread.started', thread_id: 'a'})).toBe(2)
    expect(codex.detect({type: 'item.completed', item: {type: 'error'}})).toBe(2)
    expect(codex.detect({type: 'turn.started'})).toBe(1)
    expect(codex.detect({workdir: '/', provider: 'x', sandbox: 'read-only'})).toBe(2)
    expect(codex.detect({prompt: 'do it'})).toBe(0)
    expect(codex.detect({id: '0', msg: {type: 'task_started'}})).toBe(2)
  })

  it('is not detected when other agents print it too', () => {
    expect(codex.detect({type: 'error', message: 'x'})).toBe(0)
    expect(codex.detect({type: 'system', subtype: 'init'})).toBe(0)
    expect(codex.detect({type: 'session', id: 'a'})).toBe(0)
    expect(codex.detect({role: 'meta', type: 'system.version'})).toBe(0)
    expect(codex.detect({prompt: 'do it', sessionID: 'a'})).toBe(0)
  })
})
