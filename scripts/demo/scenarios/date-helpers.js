import {codex} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {run, patch, plan} = codex

const STEPS = [
  'Read the helpers and their tests',
  'Port formatDay and formatAgo',
  'Port formatRange',
  'Run the tests',
]

/** Codex ports code, and a test fails at first. @type {Scenario} */
export const dateHelpers = {
  name: 'date-helpers',
  agent: 'codex',
  project: 'ui-kit',
  prompt: 'Port the date helpers to Intl and keep the tests as they are',
  script: () => ({
    main: [
      {
        thinking:
          '**Planning the port**\n\nThe helpers are small. I want to see what the tests insist on before I replace anything.',
        text: 'I’ll read the helpers and their tests first.',
        tools: [plan(STEPS, 0), run('ls -R src test && cat src/date/*.js')],
      },
      {tools: [run('cat test/date.test.js')]},
      {tools: [run('npm test --silent')]},
      {
        thinking:
          '**Choosing formatters**\n\n`Intl.DateTimeFormat` with day, month and year, and `Intl.RelativeTimeFormat` with `numeric: "auto"` gives “yesterday” and “today” for free.',
        tools: [
          plan(STEPS, 1),
          patch(`*** Begin Patch
*** Update File: src/date/format.js
@@
-const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
+const DAY = new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short', year: 'numeric'})
+const AGO = new Intl.RelativeTimeFormat('en', {numeric: 'auto'})
 
 /** A day as people read it, such as \`3 Nov 2026\`. */
 export function formatDay(date) {
-  return \`\${date.getDate()} \${MONTHS[date.getMonth()]} \${date.getFullYear()}\`
+  return DAY.format(date)
 }
 
 /** How long ago, such as \`3 days ago\`. */
 export function formatAgo(date, now) {
-  const days = Math.round((now - date) / 86_400_000)
-  if (days === 0) return 'today'
-  if (days === 1) return 'yesterday'
-  return \`\${days} days ago\`
+  return AGO.format(-Math.round((now - date) / 86_400_000), 'day')
 }
*** End Patch
`),
        ],
      },
      {tools: [run('npm test --silent')]},
      {
        thinking:
          '**Reading the failure**\n\nThe locale `en` puts the month first. British English has the order that the tests want.',
        text: '`en` writes “Nov 3, 2026”. The order that the tests want is that of `en-GB`.',
        tools: [
          plan(STEPS, 2),
          patch(`*** Begin Patch
*** Update File: src/date/format.js
@@
-const DAY = new Intl.DateTimeFormat('en', {day: 'numeric', month: 'short', year: 'numeric'})
+/** Also for ranges of days. */
+export const DAY = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric'})
*** Update File: src/date/range.js
@@
-import {formatDay} from './format.js'
+import {DAY} from './format.js'
 
 /** Two days as people read them, such as \`3 Nov 2026 – 9 Nov 2026\`. */
 export function formatRange(from, to) {
-  return \`\${formatDay(from)} – \${formatDay(to)}\`
+  return DAY.formatRange(from, to)
 }
*** End Patch
`),
        ],
      },
      {tools: [run('npm test --silent')]},
      {
        thinking:
          '**Shared years**\n\n`formatRange` leaves out the year that both days share. That reads well, but the tests are to stay as they are.',
        text: '`Intl` writes a year that both days share only once. The tests are to stay, so the range keeps both.',
        tools: [
          patch(
            `*** Begin Patch
*** Update File: src/date/range.js
@@
-import {DAY} from './format.js'
+import {formatDay} from './format.js'
@@
-  return DAY.formatRange(from, to)
+  return \`\${formatDay(from)} – \${formatDay(to)}\`
*** Update File: src/date/format.js
@@
-/** Also for ranges of days. */
-export const DAY = new
+const DAY = new
*** End Patch
`.replace(
              /-export const DAY = new\n\+const DAY = new\n/,
              "-export const DAY = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric'})\n+const DAY = new Intl.DateTimeFormat('en-GB', {day: 'numeric', month: 'short', year: 'numeric'})\n",
            ),
          ),
          plan(STEPS, 3),
        ],
      },
      {tools: [run('npm test --silent'), run('git diff --stat')]},
      {tools: [plan(STEPS, 4)]},
      {
        text: 'The date helpers use `Intl` now, and all 4 tests pass unchanged.\n\n- `formatDay` uses `Intl.DateTimeFormat` (`en-GB`)\n- `formatAgo` uses `Intl.RelativeTimeFormat`, which knows “today” and “yesterday”\n- `formatRange` stays two days joined: `Intl` would leave out a year that both share, which the tests forbid',
      },
    ],
  }),
}
