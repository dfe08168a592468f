// Runs an agent within limits, shows what it does, and exits with its verdict:
//
//   node run.js claude -p "Fix the tests"

import {exitCodeOf} from 'vitrine'
import {run} from 'vitrine/runner'
import {createFormatter} from 'vitrine/terminal'

const [command = 'claude', ...args] = process.argv.slice(2)
const agent = run({command, args, maxCostUsd: 5, timeoutMs: 60 * 60 * 1000})
process.on('SIGINT', () => agent.stop('by you'))

const formatter = createFormatter()
for await (const event of agent) process.stdout.write(formatter.format(event))
process.stdout.write(formatter.end())

const {verdict, reason, costUsd, runId} = await agent.result
const cost = costUsd === null ? 'cost unknown' : `$${costUsd.toFixed(2)}`
process.stdout.write(`${verdict}: ${reason} (${cost}). See vitrine view ${runId}\n`)
process.exitCode = exitCodeOf(verdict)
