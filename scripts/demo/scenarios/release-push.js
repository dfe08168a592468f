import {DENIAL_REASON} from '../record.js'
import {addRemote, ASKING_ARGS, claude, WITH_FIXED_DATES} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, edit, bash} = claude

const TESTS =
  'node --test --test-reporter=./scripts/report.js test/refund.test.js test/payout.test.js'
const COMMIT = 'git commit --quiet --all --message "Release 2.4.0" && git tag v2.4.0'

const PUSHED = `**2.4.0 is released.** The branch \`release/2.4.0\` and the tag \`v2.4.0\` are on the remote.

- \`CHANGELOG.md\`: what was unreleased is 2.4.0 now
- \`package.json\`: 2.3.1 → 2.4.0
- the tests of the webhooks pass`

const KEPT = `Not pushed. You said: *${DENIAL_REASON}*

The release is ready here, and nothing has left this machine:

- the commit “Release 2.4.0” is on \`release/2.4.0\`
- the tag \`v2.4.0\` points at it

When it may go out: \`git push --follow-tags -u origin release/2.4.0\``

/** Claude requests permission to push. @type {Scenario} */
export const releasePush = {
  name: 'release-push',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Release 2.4.0: changelog, version, tag, and push the branch',
  asks: true,
  args: [
    ...ASKING_ARGS,
    '--allowedTools=Bash(node --test *),Bash(git commit *),Bash(git log *),Bash(git tag *),Bash(git switch *)',
  ],
  env: WITH_FIXED_DATES,
  prepare: addRemote,
  script: (cwd) => ({
    main: [
      {
        pauseMs: 1200,
        text: 'First what has changed since 2.3.1.',
        tools: [
          read(`${cwd}/CHANGELOG.md`),
          read(`${cwd}/package.json`),
          bash('git switch --quiet --create release/2.4.0', 'Begin a branch'),
        ],
      },
      {
        pauseMs: 700,
        tools: [
          edit(`${cwd}/CHANGELOG.md`, '## Unreleased\n', '## Unreleased\n\n## 2.4.0\n'),
          edit(`${cwd}/package.json`, '"version": "2.3.1"', '"version": "2.4.0"'),
          bash(TESTS, 'Run the tests of the webhooks'),
        ],
      },
      {pauseMs: 600, text: 'The webhooks work.', tools: [bash(COMMIT, 'Commit and tag')]},
      {
        pauseMs: 600,
        tools: [
          bash('git push --follow-tags -u origin release/2.4.0', 'Push the branch and its tag'),
        ],
      },
      (request) => ({text: request.last.includes(DENIAL_REASON) ? KEPT : PUSHED}),
    ],
  }),
}
