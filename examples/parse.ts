// Tells which tools of an agent failed, as they do, and in the end what it cost:
//
//   claude -p "Fix the tests" --output-format stream-json --verbose | node parse.js claude

import {
  decodeStream,
  firstLine,
  formatMoney,
  initialRunState,
  makeHarmless,
  reduceRunState,
} from 'vitrine'
import {createEventDecoder} from 'vitrine/agents'

const decoder = createEventDecoder(process.argv[2] ?? 'claude')
if (decoder === null) throw new Error('no agent is known by that name')

let state = initialRunState
for await (const event of decodeStream(process.stdin, decoder)) {
  if (event.type === 'tool-end' && !event.ok) {
    const tool = state.openTools.find(({toolId}) => toolId === event.toolId)
    const why = firstLine(event.error ?? '')
    process.stdout.write(`${makeHarmless(`${tool?.tool}: ${tool?.summary}: ${why}`)}\n`)
  }
  state = reduceRunState(state, event)
}
const {costUsd} = state.ledger
process.stdout.write(`cost: ${costUsd === undefined ? 'not told' : formatMoney(costUsd)}\n`)
