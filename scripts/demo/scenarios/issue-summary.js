import {gemini} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, list, replace, run, plan} = gemini

const STEPS = ['Find what is open', 'Read it', 'Add it to the changelog']

const KNOWN = `# Changelog

## Known issues

- A \`Retry-After\` in milliseconds is read as seconds (#201).
- \`client.payouts()\` with a filter stops after the first page (#207).
`

/** Gemini reads and writes files; the demo truncates the output. @type {Scenario} */
export const issueSummary = {
  name: 'issue-summary',
  agent: 'gemini',
  project: 'docs',
  prompt: 'Summarise open issues for the changelog',
  script: (cwd) => ({
    main: [
      {
        text: 'I will see which issues are open.',
        tools: [plan(STEPS, 0), list(`${cwd}/issues`), run("grep -l 'state: open' issues/*.md")],
      },
      {
        text: 'Three are open. I read each of them.',
        tools: [
          plan(STEPS, 1),
          ...['201-retry-after', '207-payout-iterator', '211-error-code'].map((name) =>
            read(`${cwd}/issues/${name}.md`),
          ),
          read(`${cwd}/CHANGELOG.md`),
        ],
      },
      {
        text: 'Two are bugs that users can run into, and belong under “Known issues”. The third is a wish.',
        tools: [plan(STEPS, 2), replace(`${cwd}/CHANGELOG.md`, '# Changelog\n', KNOWN)],
      },
      {tools: [run('git diff'), plan(STEPS, 3)]},
      {
        text: 'The changelog names the two open bugs under **Known issues**: #201 and #207. I left #211 out, because it is a request.',
      },
    ],
  }),
}
