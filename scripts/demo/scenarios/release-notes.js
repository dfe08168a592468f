import {claude, UNATTENDED_ARGS} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, write, bash} = claude

const NOTES = `# ledger-api 2.4

Payouts carry the currency of the account they go to. Nothing needs to be changed by those who call the API.
`

/** The run is interrupted with Ctrl-C. @type {Scenario} */
export const releaseNotes = {
  name: 'release-notes',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Write release notes for 2.4 that a customer understands',
  args: UNATTENDED_ARGS,
  interruptAfterLine: 13,
  script: (cwd) => ({
    main: [
      {
        text: 'What is unreleased, and what of it does a customer notice?',
        tools: [read(`${cwd}/CHANGELOG.md`), bash('git log --oneline -10', 'Recent commits')],
      },
      {
        thinking:
          'One entry. A customer sees the currency in the payout; the rest is for us. Two sentences are enough.',
        tools: [write(`${cwd}/RELEASE-NOTES.md`, NOTES)],
      },
      {
        text: 'To be sure that nothing else has changed for callers, I run all tests.',
        tools: [bash('npm test', 'Run all tests')],
      },
    ],
  }),
}
