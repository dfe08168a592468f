import {opencode} from './tools.js'

/** @import {Scenario} from '../record.js' */

const {bash, read, edit, plan} = opencode

const STEPS = ['See it fail', 'Find the cause', 'Fix it', 'Run it fifty times']

const REPEAT = (/** @type {number} */ times) =>
  `for run in $(seq ${times}); do node --test test/ > /dev/null && echo passed || echo failed; done | sort | uniq -c`

/** OpenCode finds a race with the clock. @type {Scenario} */
export const flakyTest = {
  name: 'flaky-test',
  agent: 'opencode',
  project: 'scheduler',
  prompt: 'Fix the flaky scheduler test',
  script: (cwd) => ({
    side: 'Fix flaky scheduler test',
    main: [
      {
        thinking: 'Flaky, so one run says little. Run it a dozen times and count.',
        text: 'One run says little about a flaky test. A dozen does.',
        tools: [plan(STEPS, 0), bash(REPEAT(12), 'Run the tests a dozen times')],
      },
      {
        text: 'It fails, but not always. What does it say when it does?',
        tools: [
          plan(STEPS, 1),
          bash(
            'for run in $(seq 30); do npm test --silent > out.txt || break; done; cat out.txt; rm out.txt',
            'Run until it fails',
          ),
        ],
      },
      {tools: [read(`${cwd}/test/scheduler.test.js`), read(`${cwd}/src/scheduler.js`)]},
      {
        thinking:
          'The job is due at this very millisecond, and tick asks for `at < now()`. If no millisecond passes in between, the job is not due. The test is right: a job whose time has come is due. So the comparison is wrong, not the test.',
        text: 'The test is right, the scheduler is not: it asks for `at < now()`. A job that is due *in this millisecond* is left for the next tick. Whether the test passes depends on whether the clock moves in between.',
        tools: [bash('grep -rn "now()" src', 'Who else compares with the clock')],
      },
      {
        tools: [
          plan(STEPS, 2),
          edit(`${cwd}/src/scheduler.js`, 'at < now()', 'at <= now()'),
          edit(
            `${cwd}/test/scheduler.test.js`,
            "  test('leaves a job that is not', () => {",
            "  test('runs a job in the millisecond at which it is due', () => {\n    const scheduler = createScheduler({now: () => 1000})\n    scheduler.add(1000, () => {})\n    assert.equal(scheduler.tick(), 1)\n  })\n\n  test('leaves a job that is not', () => {",
          ),
        ],
      },
      {tools: [plan(STEPS, 3), bash(REPEAT(50), 'Run the tests fifty times')]},
      {tools: [plan(STEPS, 4), bash('npm test --silent', 'Run the tests once more, to see them')]},
      {
        text: 'Fixed: a job is due *at* its time, not only after it (`<` → `<=` in `tick`). Fifty runs, no failure. A new test holds the clock still, so that it cannot depend on it again.',
      },
    ],
  }),
}
