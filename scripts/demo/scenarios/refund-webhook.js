import {claude, UNATTENDED_ARGS, WITH_PLAN} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, grep, glob, edit, write, bash, task, plan} = claude

const STEPS = [
  'Find out where refunds are booked, and how other webhooks handle repeats',
  'Write tests for repeated, concurrent and failed deliveries',
  'Add a table for events that have been processed',
  'Claim each event before booking it',
  'Replay deliveries against the new handler',
  'Note it in the README and the changelog',
]

const CALLERS = 'List every place in this repository that books a refund or another ledger entry'
const REPEATS =
  'Find out how the payout and dispute webhooks behave when the provider delivers twice'

const TESTS = `
  test('books a refund once, however often it is delivered', async () => {
    const db = openDatabase()
    for (let count = 0; count < 3; count++) await handleRefundWebhook(refund('evt_1'), {db, secret, log})
    assert.equal(await balanceOf(db, 'payment:pay_1'), -1250)
  })

  test('books a refund once when two deliveries come at the same time', async () => {
    const db = openDatabase()
    const deliveries = [1, 2].map(() => handleRefundWebhook(refund('evt_1'), {db, secret, log}))
    const answers = await Promise.all(deliveries)
    assert.deepEqual(answers.map(({body}) => body.booked).sort(), [false, true])
    assert.equal(await balanceOf(db, 'payment:pay_1'), -1250)
  })

  test('books a refund that is delivered again after booking it failed', async () => {
    const db = openDatabase()
    const failing = {...db, insert: (name, row) => (name === 'entries' ? Promise.reject(new Error('disk full')) : db.insert(name, row))}
    await assert.rejects(handleRefundWebhook(refund('evt_1'), {db: failing, secret, log}))
    const again = await handleRefundWebhook(refund('evt_1'), {db, secret, log})
    assert.deepEqual(again.body, {booked: true})
  })
})
`

const MIGRATION = `-- Events of the payment provider that have been acted upon. The provider delivers at least once,
-- and goes on for three days, so rows older than that can be removed.
CREATE TABLE processed_webhooks (
  event_id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  processed_at TEXT NOT NULL
);
`

const CLAIMS = `/** Claims an event for whoever asks first. The others get \`false\`. */
export async function claimEvent(db, event) {
  const [known] = await db.select('processed_webhooks', {event_id: event.id})
  if (known !== undefined) return false
  await db.insert('processed_webhooks', toRow(event))
  return true
}

function toRow({id, type}) {
  return {event_id: id, kind: type, processed_at: new Date().toISOString()}
}
`

const SUMMARY = `<analysis>
The work is nearly done; what is left is the replay and the notes.
</analysis>
<summary>
Task: make the refund webhook of ledger-api idempotent.

Done so far:
- test/refund.test.js has three new tests: repeated, concurrent and failed deliveries.
- db/migrations/004_processed_webhooks.sql adds a table keyed by event id.
- src/webhooks/claims.js: claimEvent inserts first and treats a unique violation as "somebody else has it"; releaseEvent gives a claim back.
- src/webhooks/refund.js claims the event, books, and releases the claim when booking throws.
- npm test: 9 passed.

Left: replay deliveries in the background (npm run replay), apply the migration to the development database, README and CHANGELOG.
</summary>`

const ANSWER = `The refund webhook is idempotent now.

**What was wrong.** \`handleRefundWebhook\` booked an entry for every delivery. The provider delivers *at least once*, so a slow answer was enough for a second refund.

**What changed**

| File | Change |
|---|---|
| \`db/migrations/004_processed_webhooks.sql\` | a table keyed by event id |
| \`src/webhooks/claims.js\` | \`claimEvent\` inserts first; the key decides who was first |
| \`src/webhooks/refund.js\` | claims, books, and gives the claim back when booking fails |
| \`test/refund.test.js\` | repeated, concurrent and failed deliveries |

All 9 tests pass, and the migration is applied to the development database. A replay of 1,500 deliveries is still running; I will say what comes of it.

Not part of this: \`payout.js\` checks before it inserts, so two payouts *at the same time* could both be booked. \`claimEvent\` would fix that too.`

/** The main story: a plan, sub-agents, failing and passing tests, a compaction, a background command, a second turn. @type {Scenario} */
export const refundWebhook = {
  name: 'refund-webhook',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Make the refund webhook idempotent',
  args: UNATTENDED_ARGS,
  // Makes Claude compact a short conversation.
  env: {
    ...WITH_PLAN,
    CLAUDE_CODE_AUTO_COMPACT_WINDOW: '200000',
    CLAUDE_AUTOCOMPACT_PCT_OVERRIDE: '30',
  },
  script: (cwd) => {
    const refund = `${cwd}/src/webhooks/refund.js`
    const claims = `${cwd}/src/webhooks/claims.js`
    const tests = `${cwd}/test/refund.test.js`
    return {
      others: {
        'detailed summary of the conversation': [{text: SUMMARY}],
        [CALLERS]: [
          {text: 'Searching for inserts first.', tools: [grep("bookEntry\\(|insert\\('entries'")]},
          {tools: [read(`${cwd}/src/ledger.js`), read(`${cwd}/scripts/replay-webhooks.js`)]},
          {
            text: 'Entries are written in one place, `bookEntry` in src/ledger.js:6. It is called by src/webhooks/refund.js:11 and src/webhooks/payout.js:14, and by tests. Each call makes a new random id, so the primary key of `entries` never catches a repeat. scripts/replay-webhooks.js can deliver refunds several times and counts what was booked twice.',
          },
        ],
        [REPEATS]: [
          {tools: [glob('src/webhooks/*.js')]},
          {tools: [read(`${cwd}/src/webhooks/payout.js`), read(`${cwd}/src/webhooks/dispute.js`)]},
          {
            thinking:
              'Payout selects and then inserts: two deliveries at once would both see nothing. Dispute inserts and catches the unique violation, which is the safe order.',
            tools: [bash('git log --oneline -- src/webhooks', 'History of the webhooks')],
          },
          {
            text: 'They differ. dispute.js inserts and treats `unique_violation` as "already noted", which is safe also when two deliveries come at once. payout.js selects first and inserts afterwards, so two at once can both pass. Neither has a table that could be shared; both rely on a key of their own.',
          },
        ],
      },
      main: [
        {
          thinking:
            'Idempotent means: the same event may come twice, even at the same time, and is booked once. I should see how the handler books, what the other webhooks do about repeats, and write the tests before touching anything.',
          text: 'I will look at how refunds are booked and how the other webhooks deal with repeats, write tests that fail, and then fix it.',
          tools: [plan(STEPS, 0)],
        },
        {tools: [read(refund), read(tests), read(`${cwd}/docs/webhooks.md`)]},
        {
          text: 'There is no page about webhooks. The handler books whatever comes. Who else writes entries?',
          tools: [grep('event\\.id|idempot|unique_violation', {glob: '**/*.js'})],
        },
        {
          text: 'Two questions that can be answered side by side:',
          tools: [
            task('Find callers that book', `${CALLERS}, with file and line. Change nothing.`),
            task('How others handle repeats', `${REPEATS}. Change nothing.`),
          ],
        },
        {
          thinking:
            'So the random id of an entry never catches a repeat. The dispute webhook has the right order: insert first, let the key decide. I want the same for events: a table keyed by event id, claimed before booking. And a claim must be given back when booking fails, or a refund is lost, which is worse than one too many.',
          text: 'Clear: nothing ties an entry to its event. Tests first, one for each way in which it can go wrong.',
          tools: [
            plan(STEPS, 1),
            edit(
              tests,
              '    assert.equal(answer.status, 401)\n  })\n})\n',
              `    assert.equal(answer.status, 401)\n  })\n${TESTS}`,
            ),
          ],
        },
        {tools: [bash('npm test', 'Run all tests')]},
        {
          text: 'Two fail as they should: three refunds of 12.50 were booked for one event. The third must not break on the way. Now a table, and a claim on each event.',
          tools: [
            plan(STEPS, 2),
            write(`${cwd}/db/migrations/004_processed_webhooks.sql`, MIGRATION),
            write(claims, CLAIMS),
          ],
        },
        {
          tools: [
            plan(STEPS, 3),
            edit(
              refund,
              "import {bookEntry} from '../ledger.js'\n",
              "import {bookEntry} from '../ledger.js'\nimport {claimEvent} from './claims.js'\n",
            ),
            edit(
              refund,
              '  const {payment, amount, currency} = event.data\n',
              '  if (!(await claimEvent(db, event))) {\n    log.info(`refund ${event.id} was delivered again`)\n    return {status: 200, body: {booked: false, duplicate: true}}\n  }\n\n  const {payment, amount, currency} = event.data\n',
            ),
          ],
        },
        {tools: [bash('npm test', 'Run all tests')]},
        {
          thinking:
            'Repeats one after the other are fine now. Two at once are not: both select, both see nothing, then one insert throws and the delivery fails with an error. That is the mistake of payout.js. Insert first and catch the violation, as dispute.js does.',
          text: 'Better, but I repeated the mistake of `payout.js`: looking first and inserting afterwards. With two deliveries at once both see nothing. The key should decide.',
          tools: [
            edit(
              claims,
              "  const [known] = await db.select('processed_webhooks', {event_id: event.id})\n  if (known !== undefined) return false\n  await db.insert('processed_webhooks', toRow(event))\n  return true\n",
              "  try {\n    await db.insert('processed_webhooks', toRow(event))\n    return true\n  } catch (error) {\n    if (error.code !== 'unique_violation') throw error\n    return false\n  }\n",
            ),
          ],
        },
        {
          tools: [
            bash(
              'node --test --test-reporter=./scripts/report.js test/refund.test.js',
              'Run the tests of refunds',
            ),
          ],
        },
        {
          text: 'One left: a claim has to be given back when booking fails, else the refund would be lost for good.',
          tools: [
            edit(
              claims,
              '\nfunction toRow(',
              "\n/** Gives an event back, so that its next delivery counts. */\nexport async function releaseEvent(db, {id}) {\n  await db.remove('processed_webhooks', {event_id: id})\n}\n\nfunction toRow(",
            ),
            edit(refund, 'import {claimEvent}', 'import {claimEvent, releaseEvent}'),
            edit(
              refund,
              '  await bookEntry(db, {\n    account: `payment:${payment}`,\n    amount: -amount,\n    currency,\n    memo: `refund ${event.id}`,\n  })\n',
              '  const entry = {account: `payment:${payment}`, amount: -amount, currency, memo: `refund ${event.id}`}\n  try {\n    await bookEntry(db, entry)\n  } catch (error) {\n    await releaseEvent(db, event)\n    throw error\n  }\n',
            ),
          ],
        },
        {contextTokens: 63_400, tools: [bash('npm test', 'Run all tests')]},
        {
          text: 'All green. Now something closer to a bad day: 1,500 deliveries, each event several times, some at once. That takes a while, so it runs in the background.',
          tools: [
            plan(STEPS, 4),
            bash('npm run replay -- --deliveries 1500', 'Replay 1,500 deliveries', {
              run_in_background: true,
            }),
          ],
        },
        {
          tools: [
            bash('npm run migrate:dev', 'Apply migrations to the development database'),
            read(`${cwd}/README.md`),
            read(`${cwd}/CHANGELOG.md`),
          ],
        },
        {
          tools: [
            plan(STEPS, 5),
            edit(
              `${cwd}/README.md`,
              'The payment provider calls `POST /webhooks/:kind` with a signed body.\n',
              'The payment provider calls `POST /webhooks/:kind` with a signed body. It delivers at least once: an event that\ncomes again, or twice at the same time, is booked once. `processed_webhooks` says which have been.\n',
            ),
            edit(
              `${cwd}/CHANGELOG.md`,
              '- Payouts carry',
              '- A refund that the provider delivers twice is booked once.\n- Payouts carry',
            ),
          ],
        },
        {
          tools: [
            bash('git add --intent-to-add . && git diff --stat', 'What has changed'),
            plan(STEPS, 6),
          ],
        },
        {text: ANSWER},
        (request) => ({
          pauseMs: 2200,
          tools: [read(/<output-file>([^<]+)</.exec(request.last)?.[1] ?? '')],
        }),
        {
          text: 'The replay is through: **1,500 deliveries, no refund booked twice.** The counts are in the output above. Nothing is left to do.',
        },
      ],
    }
  },
}
