// Prints the failed tools of an agent while it runs, and its cost at the end:
//
//   claude -p "Fix the tests" --output-format stream-json --verbose | node parse.js claude

import {decodeStream, escapeControls, initialRunState, reduceRunState} from 'vitrine'
import {createEventDecoder} from 'vitrine/agents'

const decoder = createEventDecoder(process.argv[2] ?? 'claude')
if (decoder === null) throw new Error('unknown agent')
let state = initialRunState
for await (const event of decodeStream(process.stdin, decoder)) {
  state = reduceRunState(state, event)
  if (event.type !== 'tool-end' || event.ok) continue
  const [line = ''] = (event.error ?? 'unknown error').split('\n')
  console.log(`failed: ${escapeControls(line)}`)
}
console.log(
  `${state.toolCount} tools, cost in dollars: ${state.ledger.costUsd?.toFixed(4) ?? 'unknown'}`,
)
