import {copilot} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {view, bash} = copilot

/** Copilot searches the code and documents it. @type {Scenario} */
export const environment = {
  name: 'environment',
  agent: 'copilot',
  project: 'ledger-api',
  prompt: 'List the environment variables that the server reads, in the README',
  script: (cwd) => ({
    main: [
      {
        text: 'I’ll look for everything that is read from the environment.',
        tools: [bash('grep -rn "process.env" src scripts', 'Find uses of the environment')],
      },
      {tools: [view(`${cwd}/src/server.js`), view(`${cwd}/README.md`)]},
      {
        text: 'Two belong to the server: `PORT` and `WEBHOOK_SECRET`. The third is of the test reporter.',
        tools: [
          bash(
            "cat >> README.md <<'END'\n\n## Environment\n\n| Variable | Default | What |\n|---|---|---|\n| `PORT` | 8080 | where the server listens |\n| `WEBHOOK_SECRET` | empty | signs what the payment provider sends |\nEND\ngit diff --stat",
            'Add a table to the README',
          ),
        ],
      },
      {
        text: 'The README has a table of the two variables that the server reads. Note that an empty `WEBHOOK_SECRET` is accepted: anybody could sign a webhook then.',
      },
    ],
  }),
}
