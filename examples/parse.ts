// Tells which tools of an agent failed, as they do, and in the end what it cost:
//
//   claude -p "Fix the tests" --output-format stream-json --verbose | node parse.js claude

import {decodeStream, firstLine, initialRunState, makeHarmless, reduceRunState} from 'vitrine'
import {createEventDecoder} from 'vitrine/agents'

const decoder = createEventDecoder(process.argv[2] ?? 'claude')
if (decoder === null) throw new Error('no agent is known by that name')
let state = initialRunState
for await (const event of decodeStream(process.stdin, decoder)) {
  state = reduceRunState(state, event)
  if (event.type !== 'tool-end' || event.ok) continue
  console.log(`failed: ${makeHarmless(firstLine(event.error ?? 'no reason given'))}`)
}
console.log(
  `${state.toolCount} tools, cost in dollars: ${state.ledger.costUsd?.toFixed(4) ?? 'not told'}`,
)
