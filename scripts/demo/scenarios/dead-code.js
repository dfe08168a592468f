import {claude, UNATTENDED_ARGS, WITH_PLAN} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {grep, edit, read, bash, plan} = claude

const STEPS = ['List what is exported', 'Find what nobody imports', 'Remove it', 'Run the tests']

/** The model server stays overloaded until Claude gives up. @type {Scenario} */
export const deadCode = {
  name: 'dead-code',
  agent: 'claude',
  project: 'gateway',
  prompt: 'Nightly dead-code sweep: remove exports that nobody uses',
  args: UNATTENDED_ARGS,
  env: {...WITH_PLAN, CLAUDE_CODE_MAX_RETRIES: '6'},
  script: (cwd) => ({
    main: [
      {tools: [plan(STEPS, 0), grep('^export (const|function) \\w+', {path: 'src'})]},
      {
        tools: [
          plan(STEPS, 1),
          bash(
            "grep -rn --include='*.js' -E 'payoutSchema|userSchema|requireScope' src test",
            'Who uses what is exported',
          ),
        ],
      },
      {
        text: '`payoutSchema` and `userSchema` are used only where they are defined, so they need no export.',
        tools: [
          plan(STEPS, 2),
          read(`${cwd}/src/schemas/payout.js`),
          read(`${cwd}/src/schemas/user.js`),
        ],
      },
      {
        tools: [
          edit(`${cwd}/src/schemas/payout.js`, 'export const payoutSchema', 'const payoutSchema'),
          edit(`${cwd}/src/schemas/user.js`, 'export const userSchema', 'const userSchema'),
        ],
      },
      {error: {status: 529, kind: 'overloaded_error', message: 'Overloaded', forever: true}},
    ],
  }),
}
