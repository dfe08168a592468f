import {expect, test} from 'vitest'
import {findAgent} from './find-agent.ts'

test.each([
  ['claude', 'claude'],
  ['/usr/local/bin/claude', 'claude'],
  ['CLAUDE.EXE', 'claude'],
  ['C:\\Program Files\\Anthropic\\claude.exe -p hi', 'claude'],
  ['"C:\\Program Files\\x\\claude.cmd" -p hi', 'claude'],
  ["'/Applications/My Tools/codex' exec", 'codex'],
  ['/Applications/My Tools/claude -p hi', 'claude'],
  ['claude -p "Fix the tests"', 'claude'],
  ['npx claude', 'claude'],
  ['npx -y @openai/codex@latest exec', 'codex'],
  ['npx -p typescript --registry http://127.0.0.1/ claude', 'claude'],
  ['npm exec -- @google/gemini-cli', 'gemini'],
  ['pnpm dlx opencode-ai@1.2.3 run', 'opencode'],
  ['uvx kimi-cli', 'kimi'],
  ['env FOO=1 BAR=2 claude -p', 'claude'],
  ['sudo -u dev claude', 'claude'],
  ['timeout -k 5 10m codex exec', 'codex'],
  ['nice -n 5 nohup pi', 'pi'],
  ['node /usr/lib/node_modules/x/claude.js', 'claude'],
  ['cursor', 'cursor'],
])('%s runs %s', (command, id) => {
  expect(findAgent(command)?.id).toBe(id)
})

test.each([
  '',
  '  ',
  'cat /tmp/claude',
  '/usr/bin/cat /tmp/claude',
  '/usr/bin/cat claude',
  'rm -rf /home/x/codex',
  'vim src/pi',
  'python3 run.py --model x/amp',
  'npx eslint',
  'npx',
  'node server.js',
  'env',
  'claudette',
])('%j runs no agent', (command) => {
  expect(findAgent(command)).toBe(null)
})
