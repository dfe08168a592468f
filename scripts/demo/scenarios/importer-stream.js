import {claude, UNATTENDED_ARGS} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, write, bash} = claude

const STREAM = `import {createReadStream} from 'node:fs'
import {createInterface} from 'node:readline'

/** Reads a file of payments line by line and gives them to a sink. */
export async function importPayments(path, sink) {
  let names
  let count = 0
  for await (const line of createInterface({input: createReadStream(path)})) {
    const values = line.split(',')
    if (names === undefined) names = values
    else {
      sink.add(Object.fromEntries(names.map((name, index) => [name, values[index]])))
      count += 1
    }
  }
  return count
}
`

/** The run exceeds its budget. @type {Scenario} */
export const importerStream = {
  name: 'importer-stream',
  agent: 'claude',
  project: 'etl',
  prompt: 'Rewrite the importer as a stream',
  args: [...UNATTENDED_ARGS, '--max-budget-usd', '0.75'],
  script: (cwd) => ({
    main: [
      {
        tools: [read(`${cwd}/src/importer.js`), read(`${cwd}/test/importer.test.js`)],
      },
      {
        thinking:
          'The file is read at once, which is what fails with large files. Lines one by one, and the sink stays as it is.',
        contextTokens: 38_000,
        tools: [write(`${cwd}/src/importer.js`, STREAM)],
      },
      {contextTokens: 74_000, tools: [bash('npm test', 'Run the tests')]},
      {
        text: 'The small file works. Now one of two million lines, to see the memory.',
        contextTokens: 112_000,
        tools: [
          bash(
            "seq 1 2000000 | sed \"s/.*/pay_&,1250,EUR/; 1i id,amount,currency\" > /tmp/large.csv; node --max-old-space-size=64 -e \"import('./src/importer.js').then(async ({importPayments}) => console.log(await importPayments('/tmp/large.csv', {add() {}}), 'payments,', Math.round(process.memoryUsage().rss / 1e6), 'MB'))\"; rm /tmp/large.csv",
            'Import two million payments in 64 MB',
          ),
        ],
      },
      {contextTokens: 150_000, tools: [bash('git diff --stat', 'What has changed')]},
    ],
  }),
}
