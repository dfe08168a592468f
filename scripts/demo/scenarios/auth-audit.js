import {claude, UNATTENDED_ARGS, WITH_PLAN} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {grep, glob, read, task, write, plan} = claude

const STEPS = ['List the routes', 'Check each file of routes', 'Write the findings down']

/** @param {string} file */
const ask = (file) =>
  `Read src/routes/${file}.js and say of each route whether it checks a scope before it acts. Change nothing.`

const FINDINGS = `# Routes without a check

| Route | File | What can happen |
|---|---|---|
| \`POST /admin/flags/:name\` | src/routes/admin.js | anybody can toggle a feature flag |
| \`GET /exports/:id/download\` | src/routes/export.js | anybody who guesses an id reads an export |

Checked: 7 routes in 3 files. The other 5 call \`requireScope\` before they act.
`

/** Three sub-agents at once. @type {Scenario} */
export const authAudit = {
  name: 'auth-audit',
  agent: 'claude',
  project: 'gateway',
  prompt: 'Audit every endpoint for missing auth checks',
  args: UNATTENDED_ARGS,
  env: WITH_PLAN,
  script: (cwd) => ({
    others: {
      [ask('admin')]: [
        {tools: [read(`${cwd}/src/routes/admin.js`), read(`${cwd}/src/auth.js`)]},
        {
          thinking: 'Two of three have requireScope. The flags route has only a handler.',
          tools: [grep('flags\\.', {path: 'src'})],
        },
        {
          text: '`GET /admin/users` and `DELETE /admin/users/:id` require `admin`. `POST /admin/flags/:name` has no check at all: anybody can toggle a flag.',
        },
      ],
      [ask('billing')]: [
        {tools: [read(`${cwd}/src/routes/billing.js`)]},
        {text: 'Both routes check: `billing:read` for the list, `billing:write` to pay.'},
      ],
      [ask('export')]: [
        {tools: [read(`${cwd}/src/routes/export.js`)]},
        {
          thinking:
            'The download has no token on purpose, for links in mails. Then the id must be hard to guess. Is it signed anywhere?',
          tools: [grep('sign|hmac|expires', {path: 'src', '-i': true})],
        },
        {
          text: '`POST /exports` requires `export`. `GET /exports/:id/download` has no check, because the link goes out by mail, and nothing signs the link or lets it expire.',
        },
      ],
    },
    main: [
      {
        text: 'Three files of routes, three readers at once.',
        tools: [plan(STEPS, 0), glob('src/routes/*.js')],
      },
      {
        tools: [
          plan(STEPS, 1),
          ...['admin', 'billing', 'export'].map((file) => task(`Check routes/${file}`, ask(file))),
        ],
      },
      {
        thinking:
          'Two findings. I should count the routes myself before I write that the rest is fine.',
        tools: [plan(STEPS, 2), grep('app\\.(get|post|delete)\\(', {path: 'src/routes'})],
      },
      {tools: [write(`${cwd}/AUDIT.md`, FINDINGS), plan(STEPS, 3)]},
      {
        text: '**2 of 7 endpoints act without a check:** `POST /admin/flags/:name` and `GET /exports/:id/download`. The first is an oversight and worth a fix today; the second needs a signed link that expires. Both are in `AUDIT.md`.',
      },
    ],
  }),
}
