import type {Tool} from './conversation.ts'

/** The work of the agents in a project. */
export interface Project {
  name: string
  branches: readonly string[]
  reads: readonly Read[]
  edits: readonly Edit[]
  commands: readonly Shell[]
}

type Read = Extract<Tool, {kind: 'read'}>
type Edit = Extract<Tool, {kind: 'edit'}>
type Shell = Extract<Tool, {kind: 'shell'}>

/** The projects, which the runs of the demo have as well. */
export const PROJECTS = {
  'ledger-api': {
    name: 'ledger-api',
    branches: ['main', 'fix/refund-idem', 'feat/month-close'],
    reads: [
      read(
        'src/refunds/create.ts',
        'export async function createRefund(refund: Refund) {\n  const row = await db.insert(refunds, refund)\n  await publish("refund.created", row)\n  return row\n}',
      ),
      read(
        'src/money/round.ts',
        'export function roundHalfUp(cents: number): number {\n  return Math.floor(cents + 0.5)\n}',
      ),
      read(
        'src/ledger/close-month.ts',
        'export async function closeMonth(month: Month) {\n  await lockPostings(month)\n  const balance = await sumPostings(month)\n  if (balance !== 0) throw new UnbalancedError(month, balance)\n}',
      ),
      read(
        'docs/refunds.md',
        '## Refunds\n\nEvery call has to be idempotent: Stripe delivers an event at least once.',
      ),
    ],
    edits: [
      edit(
        'src/refunds/create.ts',
        'export async function createRefund(refund: Refund) {',
        'export async function createRefund(refund: Refund, key: IdempotencyKey) {',
      ),
      edit(
        'src/money/round.ts',
        '  return Math.floor(cents + 0.5)',
        '  // Half to even, as the invoice service does it.\n  return roundHalfEven(cents)',
      ),
      edit(
        'src/webhooks/stripe.ts',
        '  await createRefund(toRefund(event))',
        '  if (await isKnown(event.id)) return\n  await createRefund(toRefund(event), event.id)',
      ),
      edit(
        'migrations/0042_refund_keys.sql',
        '-- refunds',
        'create unique index refund_keys on refunds (idempotency_key);',
      ),
    ],
    commands: [
      shell(
        'npm test',
        ' ✓ src/refunds/create.test.ts (14)\n ✓ src/ledger/close-month.test.ts (9)\n\n Tests  212 passed (212)',
      ),
      shell(
        'npx vitest run src/refunds',
        ' ✗ createRefund is idempotent\n   expected 1 refund, received 2\n\n Tests  1 failed | 13 passed (14)',
        1,
      ),
      shell(
        'rg -n createRefund src',
        'src/refunds/create.ts:18:export async function createRefund(refund: Refund) {\nsrc/webhooks/stripe.ts:44:  await createRefund(toRefund(event))\nsrc/admin/refunds.ts:71:    await createRefund(form)',
      ),
      shell('npx tsc --noEmit', ''),
      shell(
        'git diff --stat',
        ' src/refunds/create.ts   | 12 +++++++-----\n src/webhooks/stripe.ts |  4 +++-\n 2 files changed, 10 insertions(+), 6 deletions(-)',
      ),
    ],
  },
  gateway: {
    name: 'gateway',
    branches: ['main', 'deps', 'retry-budget'],
    reads: [
      read(
        'src/proxy/retry.ts',
        'export const retryPolicy = {\n  attempts: 5,\n  delayMs: 200,\n}',
      ),
      read(
        'src/middleware/rate-limit.ts',
        'const bucket = createBucket({capacity: 120, refillPerSecond: 2})',
      ),
      read(
        'src/schemas/order.ts',
        'export const order = z.object({\n  id: z.string().uuid(),\n  total: z.number(),\n})',
      ),
    ],
    edits: [
      edit(
        'src/proxy/retry.ts',
        '  delayMs: 200,',
        '  delayMs: 200,\n  jitter: 0.3,\n  budget: 0.1,',
      ),
      edit(
        'src/middleware/rate-limit.ts',
        "  reply.header('retry-after', 60)",
        "  reply.header('retry-after', bucket.secondsUntilFree(key))",
      ),
      edit('src/schemas/order.ts', '  id: z.string().uuid(),', '  id: z.uuid(),'),
    ],
    commands: [
      shell(
        'npm test',
        ' Test Files  48 passed (48)\n      Tests  371 passed (371)\n   Duration  9.41s',
      ),
      shell(
        'npm run typecheck',
        "src/schemas/order.ts(12,9): error TS2339: Property 'uuid' does not exist on type 'ZodString'.",
        2,
      ),
      shell('npm ls zod', 'gateway@3.2.0\n└── zod@4.4.3'),
      shell(
        'git log --oneline -3',
        '9f21c0e Retry idempotent requests only\n2b8d7aa Add retry-after\n51e09d3 Release 3.2.0',
      ),
    ],
  },
  'ui-kit': {
    name: 'ui-kit',
    branches: ['main', 'temporal', 'a11y'],
    reads: [
      read(
        'src/date/format.ts',
        'export function formatDay(date: Date): string {\n  return date.toISOString().slice(0, 10)\n}',
      ),
      read(
        'src/dialog/dialog.tsx',
        'export function Dialog({title, children}: Props) {\n  return <div className={styles.dialog}>{children}</div>\n}',
      ),
    ],
    edits: [
      edit(
        'src/date/format.ts',
        'export function formatDay(date: Date): string {',
        'export function formatDay(date: Temporal.PlainDate): string {',
      ),
      edit(
        'src/dialog/dialog.tsx',
        '  return <div className={styles.dialog}>{children}</div>',
        '  return <dialog aria-label={title} className={styles.dialog}>{children}</dialog>',
      ),
      edit('src/theme/tokens.css', '--focus: #8ab;', '--focus: #1a6fd4;'),
    ],
    commands: [
      shell('npm test -- --run', ' Test Files  61 passed (61)\n      Tests  518 passed (518)'),
      shell(
        'npx playwright test dialog',
        '  1 failed\n    dialog.spec.ts:31 › returns the focus to the button\n  7 passed (6.2s)',
        1,
      ),
      shell('npm run size', 'dist/index.js  41.8 kB (limit 45 kB)'),
    ],
  },
  scheduler: {
    name: 'scheduler',
    branches: ['main', 'retry', 'leases'],
    reads: [
      read('scheduler/retry.py', 'def next_delay(attempt: int) -> float:\n    return 2 ** attempt'),
      read(
        'scheduler/cron.py',
        'def next_run(expr: Cron, after: datetime) -> datetime:\n    return expr.after(after.replace(tzinfo=None))',
      ),
    ],
    edits: [
      edit(
        'scheduler/retry.py',
        '    return 2 ** attempt',
        '    return min(2 ** attempt, MAX_DELAY) * random.uniform(0.5, 1)',
      ),
      edit(
        'scheduler/cron.py',
        '    return expr.after(after.replace(tzinfo=None))',
        '    return expr.after(after.astimezone(expr.zone))',
      ),
      edit('scheduler/lease.py', 'LEASE_SECONDS = 30', 'LEASE_SECONDS = 90'),
    ],
    commands: [
      shell('pytest -q', '........................................ [100%]\n164 passed in 12.08s'),
      shell(
        'pytest -q tests/test_cron.py',
        'FAILED tests/test_cron.py::test_dst_gap - assert 2 == 1\n1 failed, 22 passed in 0.61s',
        1,
      ),
      shell('ruff check .', 'All checks passed!'),
    ],
  },
  docs: {
    name: 'docs',
    branches: ['main', 'guide-4'],
    reads: [
      read(
        'guide/search.md',
        '# Search\n\nThe index is rebuilt every night. Results are sorted by rank.',
      ),
      read(
        'guide/migrate.md',
        '# Migrate to version 4\n\n1. Update Node to 22.\n2. Rename `token` to `apiKey`.',
      ),
    ],
    edits: [
      edit(
        'guide/migrate.md',
        '2. Rename `token` to `apiKey`.',
        '2. Rename `token` to `apiKey` in every client.\n3. Send an idempotency key with each refund.',
      ),
      edit(
        'guide/search.md',
        'The index is rebuilt every night.',
        'The index is updated within a minute.',
      ),
    ],
    commands: [
      shell('npm run build', 'Built 214 pages in 8.3 s'),
      shell(
        'npm run check-links',
        'guide/webhooks.md:88 → /api/refunds#keys: no such heading\n1 broken link',
        1,
      ),
      shell('rg -c "apiKey" guide', 'guide/migrate.md:6\nguide/clients.md:11'),
    ],
  },
  etl: {
    name: 'etl',
    branches: ['main', 'streaming'],
    reads: [
      read(
        'etl/importer.py',
        'def import_file(path):\n    rows = csv.DictReader(open(path))\n    load(list(rows))',
      ),
      read('etl/schema.py', 'COLUMNS = {"id": int, "amount": Decimal, "booked_at": datetime}'),
    ],
    edits: [
      edit(
        'etl/importer.py',
        '    load(list(rows))',
        '    for batch in batched(rows, 5000):\n        load(batch)',
      ),
      edit('etl/schema.py', '"amount": Decimal', '"amount": Decimal, "currency": str'),
    ],
    commands: [
      shell('pytest -q', '.................................. [100%]\n97 passed in 5.40s'),
      shell('python -m etl.importer sample.csv', 'MemoryError: cannot allocate 1.2 GiB', 1),
      shell('python -m etl.importer sample.csv --profile', '2,400,000 rows in 41 s, peak 84 MB'),
    ],
  },
} satisfies Record<string, Project>

function read(path: string, content: string): Read {
  return {kind: 'read', path, content}
}

function edit(path: string, before: string, after: string): Edit {
  return {kind: 'edit', path, before, after}
}

function shell(command: string, output: string, exitCode = 0): Shell {
  return {kind: 'shell', command, output, exitCode}
}
