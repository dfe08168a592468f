import {expect, test} from 'vitest'
import {createEventDecoder, outputFlags, parserFor} from './parse.ts'

test('creates a new parser each time, and none for other programs', () => {
  const parser = parserFor('/usr/local/bin/claude', {now: () => 5})
  expect(parser?.agent).toBe('claude')
  expect(parser).not.toBe(parserFor('claude'))
  expect(parser?.parse('{"type":"assistant","message":{"content":"Hi"}}')).toEqual([
    {
      type: 'text',
      text: 'Hi',
      messageId: undefined,
      parentToolId: undefined,
      at: 5,
      line: 1,
      agent: 'claude',
    },
  ])
  expect(parserFor('vim')).toBe(null)
})

test('creates a decoder of bytes, and none for other programs', () => {
  const decoder = createEventDecoder('npx @openai/codex@latest')
  expect(decoder?.push(Buffer.from('{"type":"thread.started","thread_id":"t"}\n'))).toMatchObject([
    {type: 'session-start', sessionId: 't', agent: 'codex'},
  ])
  expect(decoder?.end()).toEqual([])
  expect(createEventDecoder('vim')).toBe(null)
})

test.each([
  ['claude', ['-p', 'x'], ['--output-format', 'stream-json', '--verbose']],
  ['claude', undefined, ['--output-format', 'stream-json', '--verbose']],
  ['codex', ['fix it'], ['exec', '--json']],
  ['codex', ['exec', 'fix it'], ['--json']],
  ['opencode', ['run', 'x'], ['--format', 'json', '--thinking']],
  ['gemini', ['-o', 'json'], []],
  ['gemini', ['-ojson', '-p', 'x'], []],
  ['gemini', ['mcp', 'list'], []],
  ['claude', ['mcp', 'list'], []],
  ['claude', ['--version'], []],
  ['codex', ['-c', 'x=1', 'login'], []],
  ['codex', ['-m', 'review', 'fix it'], ['exec', '--json']],
  ['codex', ['-C', '/x', 'exec', '--json', 'y'], []],
  ['opencode', ['auth', 'login'], []],
  ['opencode', ['serve'], []],
  ['qwen', ['mcp', 'list'], []],
  ['cline', ['auth'], []],
  ['vim', ['x'], []],
])('%s %j needs the flags %j', (command, args, flags) => {
  expect(outputFlags(command, args)).toEqual(flags)
})
