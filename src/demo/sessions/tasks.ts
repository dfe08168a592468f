import type {PROJECTS} from './projects.ts'

/** The subject of a session. */
export interface Task {
  project: keyof typeof PROJECTS
  title: string
  prompt: string
  /** The last answer to the prompt. */
  answer: string
}

/** A session that is still written. */
export const LIVE_TASK: Task = {
  project: 'ledger-api',
  title: 'Why does the invoice total differ by one cent?',
  prompt: 'The total of invoice 4711 differs by one cent from the sum of its items. Find out why.',
  answer: 'The items are rounded up at half a cent, the total is not. Both use roundHalfEven now.',
}

/** A session whose agent waits for a prompt. */
export const IDLE_TASK: Task = {
  project: 'scheduler',
  title: 'Sketch the new retry policy',
  prompt: 'Sketch a retry policy with a limit for all jobs together, not only for each job.',
  answer: 'A budget of 10 % retries per queue, full jitter, and no retry of jobs that are too old.',
}

/** Sessions of the past: each line is a project, a title, a prompt, and the last answer. */
const LINES = `
ledger-api | Explain how the ledger closes a month | Explain step by step how the ledger closes a month. Do not change anything. | closeMonth locks the postings, sums them, and rejects a month whose balance is not zero.
gateway | Duplicate refunds after the gateway restart | After a restart the gateway delivers some webhooks twice. Why do we create two refunds? | The webhook is not idempotent: two deliveries with the same id reach createRefund. I would pass the event id.
ui-kit | Port the date helpers to Temporal | Port src/date to Temporal, one helper at a time, and keep the tests green. | All 14 helpers use Temporal.PlainDate. The tests pass.
docs | Compare the two search back ends | Compare the two search back ends for the docs: quality, size of the index, build time. | The local index is 1.1 MB smaller and builds in 3 s; the service ranks better.
scheduler | Jobs are skipped when the clock changes | A job at 02:30 did not run on the day when the clock changed. | The next run was computed without a time zone. It now keeps the zone of the job.
etl | Stream the CSV importer | The importer runs out of memory with 2 GB files. Stream the rows. | It reads batches of 5,000 rows; the peak is 84 MB.
ledger-api | Make payouts idempotent | Payouts can be sent twice when the bank times out. Make them idempotent like the refunds. | Payouts have a key like createRefund, with a unique index.
gateway | Bump zod and repair the schemas | Update zod to version 4 and repair all schemas. | 31 schemas are repaired, and the tests pass.
ui-kit | Return the focus after a dialog closes | After a dialog closes, the focus is lost. Return it to the button. | The dialog remembers the element with the focus. A test covers it.
scheduler | Find out why jobs stay in “running” | Some jobs stay in “running” after a deploy. Find out why. | The lease of 30 s is shorter than a long job. It is 90 s now and is renewed.
docs | Write the migration guide for version 4 | Write the migration guide from 3 to 4, with every renamed option. | The guide has 11 steps and an example for each renamed option.
ledger-api | Split the billing module | Split src/billing into invoices, taxes and dunning without changing behaviour. | Three modules without cycles; the public functions are the same.
etl | Add the currency to the import | Import the currency column, and fail for unknown currencies. | The column is imported and checked; 97 tests pass.
gateway | Send retry-after with the real time | The header retry-after is always 60. Send the real time. | It is the time until the bucket has a token again.
ledger-api | Export the journal as CSV | Add an export of the journal as CSV, streamed, with the filters of the list. | GET /journal.csv streams the same rows as the list.
ui-kit | Improve the contrast of the dark theme | Some texts in the dark theme have a contrast below 4.5. Fix the tokens. | Nine tokens changed; all texts are at 4.6 or more.
scheduler | Choose between leases and advisory locks | Should we use leases or advisory locks for the leader? Give me arguments. | Leases: they survive a pooler, and the time of takeover is known.
ledger-api | Fix the flaky test of postings | test/postings.test.ts fails in one of twenty runs. Find the reason, do not add a retry. | Two postings had the same millisecond. The order now also uses the id.
gateway | Trace requests through the queue | Pass the trace context through the queue, so that a request is one trace. | The context is in the header of the message, and the worker continues the trace.
docs | Repair broken links | The link check reports broken links. Repair them. | 12 links were repaired; one page was removed on purpose.
etl | Import only changed rows | The nightly import reads all rows. Import only changed ones. | It compares a hash of each row: 3 % of the rows are written.
ledger-api | Add an index for open invoices | The list of open invoices takes 4 s. Make it fast. | A partial index on open invoices: 12 ms.
ui-kit | Render long tables in a window | A table with 20,000 rows takes 3 s. Render only the visible rows. | Only about 40 rows are rendered. Sorting and keys still work.
gateway | Limit retries with a budget | When a service is down, our retries make it worse. Add a budget. | At most 10 % of the requests are retries, with jitter.
scheduler | Add priorities to the queue | Urgent jobs wait behind imports. Add three priorities. | Three priorities, and no job waits for more than 5 min.
ledger-api | Round per item, not per invoice | Tax has to be rounded per item from January. Change it behind a flag. | The flag roundPerItem is off by default; both ways have tests.
docs | Document the idempotency keys | Document how clients send idempotency keys with refunds and payouts. | The page has the header, the lifetime of a key, and two examples with createRefund.
etl | Detect a changed schema | A partner renamed a column and we imported nothing. Detect it. | The import fails with the name of the column and the nearest one.
ui-kit | Load icons one by one | The icons are half of our bundle. Load only those in use. | 41.8 kB instead of 88 kB.
gateway | Refresh tokens before they expire | Requests fail once an hour with 401. Refresh the token earlier. | It is refreshed 60 s before it expires, by one request at a time.
scheduler | Backfill missed runs | After an outage, run missed jobs once, not once for each missed time. | One run for each job, with the time of the last missed one.
ledger-api | Review the refund webhook | Review the pull request of the refund webhook. Be strict. | One problem: the key is checked outside the transaction, so two deliveries can pass.
docs | Shorten the quick start | The quick start has 14 steps. Make it five. | Five steps; the others moved to the guide.
etl | Write Parquet instead of CSV | Write the exports as Parquet, partitioned by day. | The export is 8 times smaller and partitioned by day.
ui-kit | Support right-to-left layouts | Support right-to-left layouts in the form controls. | Logical properties everywhere; snapshots for both directions.
gateway | Close idle WebSockets | Idle WebSockets are never closed. Add a heartbeat. | A ping every 30 s; two missed ones close the connection.
ledger-api | Write a runbook for failed payouts | Write a runbook for failed payouts from the code and the last incidents. | The runbook has 4 cases with queries and the safe way to repeat a payout.
scheduler | Count the time that jobs wait | Add a metric of the time between the planned and the real start. | The histogram job_wait_seconds, with labels for the queue.
ui-kit | Show errors beside the fields | Errors of forms are only at the top. Show them beside the fields too. | Each field has its error and aria-describedby.
etl | Find duplicate rows | Customers report duplicate bookings since Monday. Find out where they come from. | The file of Sunday was imported twice: the name had another case.
gateway | Answer health checks without the database | Health checks fail when the database is slow. Separate liveness and readiness. | /live has no dependencies, /ready checks the database within 1 s.
docs | Add examples to the API reference | Add an example in TypeScript and Python to each endpoint. | 38 endpoints have examples, and the build runs them.
docs | Translate the error messages to German | Translate the error messages to German, in the tone of the existing pages. | 88 messages; three need a decision about the term for “hold”.
gateway | Compare undici and fetch for the proxy | Measure undici and fetch for our proxy under load. | undici.request is 18 % faster at 2,000 requests per second.
ledger-api | Keep amounts as integers | Some reports still use floats for amounts. Find and change them. | Four reports; all amounts are integers in cents now.
ui-kit | Remove the old button | Replace the old button everywhere and remove it. | 63 uses replaced, and the old one is gone.
etl | Repeat failed downloads | Downloads from the partner fail at night. Repeat them, but not forever. | Five attempts in 10 min, then one alert.
scheduler | Stop jobs cleanly on deploy | Jobs are killed on deploy. Let them finish or hand over. | Workers stop taking jobs, wait 60 s, and return the rest to the queue.
ledger-api | Explain the failed reconciliation | The reconciliation of yesterday failed for two accounts. Explain why. | Both have a refund that was booked after midnight UTC.
gateway | Mask tokens in the logs | A token was in our logs. Mask them everywhere. | One serializer masks them; a test logs each header.
docs | Describe how refunds work | Describe the way of a refund from the click to the bank, with a diagram. | The page shows the five steps and where createRefund is idempotent.
ui-kit | Test the date picker with keys | Write tests for the keys of the date picker. | 16 tests; End went to the wrong day, which is fixed.
etl | Check the totals after an import | Compare the totals of an import with the file and fail if they differ. | The totals per currency are compared before the commit.
scheduler | Limit the jobs of one customer | One customer can fill the queue. Limit the running jobs per customer. | 20 at a time, the others wait in order.
ledger-api | Archive old postings | Move postings older than ten years to cold storage. | A monthly job moves them in batches and checks the sums.
gateway | Cache the public keys | We fetch the public keys for each request. Cache them. | They are cached for 10 min and fetched once at a time.
ui-kit | Animate less when asked to | Respect prefers-reduced-motion. | All 11 animations stop; the spinner fades.
docs | Write the release notes of 4.2 | Write the release notes of 4.2 from the merged pull requests. | 23 entries in three groups, the breaking one first.
`

export const TASKS: readonly Task[] = LINES.trim()
  .split('\n')
  .map((line) => {
    const [project = '', title = '', prompt = '', answer = ''] = line.split(' | ')
    return {project: project as Task['project'], title, prompt, answer}
  })

/** Prompts after the first one, each with the last answer to it. */
export const FOLLOW_UPS = [
  {prompt: 'Looks good. Add a test for it, too.', answer: 'The test fails without the change.'},
  {prompt: 'Can it be simpler?', answer: 'Yes: one function less, with the same tests.'},
  {prompt: 'Check the callers as well', answer: 'Three callers; one needed the same change.'},
  {prompt: 'What happens in case of an error?', answer: 'It is reported and repeated once.'},
  {prompt: 'Commit it with a good message', answer: 'Committed. Nothing was pushed.'},
  {prompt: 'Go on', answer: 'Done. All tests pass.'},
  {prompt: 'Update the docs for it', answer: 'The page and its example are updated.'},
  {
    prompt: 'Is there a faster way?',
    answer: 'With an index, yes. I measured 12 ms instead of 4 s.',
  },
] as const

/** Texts before a tool call. */
export const NARRATION = [
  'I read the callers first.',
  'Let me look at the tests.',
  'This reproduces it.',
  'Two writers use it, so the check belongs in there.',
  'I change it in small steps.',
  'Now the tests again.',
  'One test fails, as expected. I look at the reason.',
  'The types show one more place.',
  'That was the wrong assumption: I check the data.',
  'The rest is the same change.',
] as const
