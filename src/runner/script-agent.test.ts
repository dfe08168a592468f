import {expect, test} from 'vitest'
import {findScriptAgent} from './script-agent.ts'

const claude = 'claude -p "Fix it; now" --output-format stream-json --verbose'

test.each<[string[], string | null]>([
  [['bash', '-c', claude], 'claude'],
  [['/bin/sh', '-c', claude], 'claude'],
  [['zsh', '-lc', `cd app && A=1 ${claude}`], 'claude'],
  [['bash', '-euc', `${claude} 2>/dev/null | tee log; echo $?`], 'claude'],
  [['sh', '-c', 'timeout 60 codex exec --json x'], 'codex'],
  [['sh', '-c', 'opencode run --format json x'], 'opencode'],
  // The agent prints text.
  [['bash', '-c', 'claude -p x'], null],
  [['bash', '-c', 'claude -p x --output-format text'], null],
  [['bash', '-c', 'claude --version'], null],
  // The output is redirected.
  [['bash', '-c', `${claude} | jq .`], null],
  [['bash', '-c', `${claude} > log`], null],
  // Either agent may print a line.
  [['bash', '-c', `${claude}; codex exec --json x`], null],
  [['bash', '-c', 'echo claude'], null],
  [['bash', 'script.sh'], null],
  [['bash', '-c'], null],
  [['node', '-c', claude], null],
])('detects the agent of %j: %s', (words, id) => {
  expect(findScriptAgent(words)?.id ?? null).toBe(id)
})
