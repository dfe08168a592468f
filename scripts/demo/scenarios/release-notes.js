import {claude, FREELY} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, write, bash} = claude

const NOTES = `# ledger-api 2.4

Payouts carry the currency of the account they go to. Nothing needs to be changed by those who call the API.
`

/** Somebody presses Ctrl-C while it works. @type {Scenario} */
export const releaseNotes = {
  name: 'release-notes',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Write release notes for 2.4 that a customer understands',
  args: FREELY,
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
