import {gemini} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, list, write, replace, run, search, plan} = gemini

const STEPS = [
  'Collect what breaks',
  'Find examples that no longer work',
  'Write the guide',
  'Link it',
]

const GUIDE = `# From v2 to v3

## Node

Version 20 is the oldest that is supported.

## The client takes an object

    - const client = createClient(process.env.LEDGER_KEY)
    + const client = createClient({key: process.env.LEDGER_KEY})

## Refunds name the payment

    - await client.refund('pay_1', 1250)
    + await client.refund({payment: 'pay_1', amount: 1250})

## Payouts can be iterated

\`listPayouts\` still works and goes away in 4.0.

    - for (const payout of await client.listPayouts()) …
    + for await (const payout of client.payouts()) …
`

/** Gemini writes a page. @type {Scenario} */
export const migrationGuide = {
  name: 'migration-guide',
  agent: 'gemini',
  project: 'docs',
  prompt: 'Write a migration guide for v3',
  script: (cwd) => ({
    main: [
      {
        text: 'I will start with what v3 breaks, according to the changelog.',
        tools: [plan(STEPS, 0), read(`${cwd}/CHANGELOG.md`), list(cwd)],
      },
      {
        text: 'Three breaking changes. Which examples still show the old way?',
        tools: [plan(STEPS, 1), search('createClient|refund\\(|listPayouts', cwd)],
      },
      {
        tools: [read(`${cwd}/guide/getting-started.md`), read(`${cwd}/guide/payouts.md`)],
      },
      {
        text: 'Two pages. I write the guide, and put the examples right while I am here.',
        tools: [plan(STEPS, 2), write(`${cwd}/guide/migrating-to-v3.md`, GUIDE)],
      },
      {
        tools: [
          replace(
            `${cwd}/guide/getting-started.md`,
            "    const client = createClient(process.env.LEDGER_KEY)\n    await client.refund('pay_1', 1250)\n",
            "    const client = createClient({key: process.env.LEDGER_KEY})\n    await client.refund({payment: 'pay_1', amount: 1250})\n",
          ),
          replace(
            `${cwd}/guide/payouts.md`,
            '    for (const payout of await client.listPayouts()) console.log(payout.amount)\n',
            '    for await (const payout of client.payouts()) console.log(payout.amount)\n',
          ),
        ],
      },
      {
        tools: [
          plan(STEPS, 3),
          replace(
            `${cwd}/README.md`,
            '- [Payouts](guide/payouts.md)\n',
            '- [Payouts](guide/payouts.md)\n- [From v2 to v3](guide/migrating-to-v3.md)\n',
          ),
        ],
      },
      {
        tools: [
          run(
            "grep -oE '\\(guide/[^)]+' README.md | tr -d '(' | xargs ls -l | awk '{print $5, $9}' && git diff --stat",
          ),
          plan(STEPS, 4),
        ],
      },
      {
        text: 'The guide is in `guide/migrating-to-v3.md`, linked from the README. It covers the three breaking changes and the new way to iterate payouts. The examples in **Getting started** and **Payouts** showed the old way and are put right.',
      },
    ],
  }),
}
