import {readFileSync, writeFileSync} from 'node:fs'
import {git, DENIAL_REASON} from '../record.js'
import {addRemote, ASKING_ARGS, claude, WITH_FIXED_DATES, WITH_PLAN} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {read, grep, edit, bash, plan} = claude

const STEPS = ['See what fails', 'Fix it', 'Push the fix']
const TEST = 'node --test --test-reporter=./scripts/report.js test/ledger.test.js'

const PUSHED = 'Fixed: `balanceOf` adds up again. All 3 tests pass, and `fix/balance` is pushed.'
const KEPT = `Fixed and committed on \`fix/balance\`, but not pushed: *${DENIAL_REASON}*`

/** A short session with a plan, a failing test, an edit and a permission request, for the terminal animation. @type {Scenario} */
export const behindGlass = {
  name: 'behind-glass',
  agent: 'claude',
  project: 'ledger-api',
  prompt: 'Fix the failing ledger test and push it',
  asks: true,
  args: [
    ...ASKING_ARGS,
    '--allowedTools=Bash(node --test *),Bash(git commit *),Bash(git switch *),TodoWrite',
  ],
  // Escape sequences of a command would be shown escaped in the animation.
  env: {...WITH_FIXED_DATES, ...WITH_PLAN, NO_COLOR: '1'},
  prepare: (cwd) => {
    const file = `${cwd}/src/ledger.js`
    writeFileSync(file, readFileSync(file, 'utf8').replace('sum + amount', 'sum - amount'))
    git(cwd, 'switch', '--quiet', '--create', 'fix/balance')
    git(cwd, 'commit', '--quiet', '--all', '--message', 'Make balances shorter')
    addRemote(cwd)
  },
  script: (cwd) => {
    let isRefused = false
    return {
      main: [
        {
          pauseMs: 1200,
          text: 'First the test, then the code.',
          tools: [plan(STEPS, 0), bash(TEST, 'Run the tests of the ledger')],
        },
        {tools: [grep('reduce\\(', {path: 'src'}), read(`${cwd}/src/ledger.js`)]},
        {
          text: 'The balance is subtracted instead of added up.',
          tools: [plan(STEPS, 1), edit(`${cwd}/src/ledger.js`, 'sum - amount', 'sum + amount')],
        },
        {tools: [bash(TEST, 'Run the tests of the ledger')]},
        {
          tools: [
            plan(STEPS, 2),
            bash('git commit --all --message "Add balances up again"', 'Commit the fix'),
          ],
        },
        {tools: [bash('git push -u origin fix/balance', 'Push the branch')]},
        (request) => {
          isRefused = request.last.includes(DENIAL_REASON)
          return {tools: [plan(STEPS, isRefused ? 2 : 3)]}
        },
        () => ({text: isRefused ? KEPT : PUSHED}),
      ],
    }
  },
}
