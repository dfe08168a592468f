import {execFileSync} from 'node:child_process'
import {DENIAL_REASON} from '../record.js'
import {ASKING_ARGS, claude, WITH_FIXED_DATES} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, edit, write, bash} = claude

const MIGRATION = `-- Payouts go to accounts in other currencies too. Those that are there are in euros.
ALTER TABLE payouts ADD COLUMN currency TEXT NOT NULL DEFAULT 'EUR';
`

const APPLIED = `Payouts have a currency now.

- \`004_payout_currency.sql\` adds the column; rows that are there get \`EUR\`
- the payout webhook stores \`data.currency\`
- the development database is up to date`

const WAITING = `The migration is written but **not applied**. You said: *${DENIAL_REASON}*

The payout webhook already stores the currency, so apply it before this is deployed: \`npm run migrate:dev\``

/** Claude requests permission for a database migration. @type {Scenario} */
export const payoutCurrency = {
  name: 'payout-currency',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Add a currency column to payouts and migrate the dev database',
  asks: true,
  args: ASKING_ARGS,
  env: WITH_FIXED_DATES,
  prepare: (cwd) => {
    execFileSync(process.execPath, ['scripts/migrate.js', 'dev'], {cwd})
  },
  script: (cwd) => ({
    main: [
      {
        thinking:
          'The table has an amount but no currency. A migration, and one field in the webhook.',
        tools: [
          read(`${cwd}/src/webhooks/payout.js`),
          read(`${cwd}/db/migrations/002_payouts.sql`),
        ],
      },
      {
        pauseMs: 600,
        text: 'The webhook knows the currency and drops it. A column with a default keeps the rows that are there valid.',
        tools: [
          write(`${cwd}/db/migrations/004_payout_currency.sql`, MIGRATION),
          edit(
            `${cwd}/src/webhooks/payout.js`,
            'amount: data.amount})\n',
            'amount: data.amount, currency: data.currency})\n',
          ),
        ],
      },
      {
        pauseMs: 600,
        tools: [bash('npm run migrate:dev', 'Apply the migration to the development database')],
      },
      (request) => ({text: request.last.includes(DENIAL_REASON) ? WAITING : APPLIED}),
    ],
  }),
}
