import {describe, expect, test} from 'vitest'
import type {RunSummary} from '../../../src/core/run/run-summary.ts'
import type {Waiting} from '../../../src/core/run/waiting.ts'
import {makeRun} from '../../test/make-run.ts'
import {describeAspect, explainState} from './why.ts'

const NOW = Date.UTC(2026, 10, 16, 14, 28)

/** Both sentences in one text, with the agent's words in backticks. */
function explain(run: RunSummary): string {
  const [first, second] = explainState(run, NOW)
  const text = first.map((part) => (typeof part === 'string' ? part : `\`${part.code}\``)).join('')
  return second === '' ? text : `${text} / ${second}`
}

function waits(waiting: Partial<Waiting> & Pick<Waiting, 'why'>, fields: Partial<RunSummary> = {}) {
  return makeRun({waiting: {detail: '', since: NOW - 112_000, ...waiting}, ...fields})
}

describe('the explanation of a state', () => {
  test.each<[RunSummary, string, string]>([
    [
      waits({why: 'starting', since: NOW - 2000}),
      'Starting, 2 s / Waiting for the agent’s first line.',
      '2 s',
    ],
    [waits({why: 'writing'}), 'Writing, 1 m 52 s', 'writing'],
    [waits({why: 'thinking', since: NOW - 24_000}), 'Thinking, 24 s', 'thinking'],
    [
      waits({why: 'waiting-for-tool', detail: 'Bash: npm test'}),
      'Running `npm test` for 1 m 52 s / Tool running',
      'waiting for tool',
    ],
    [
      waits({why: 'waiting-for-tool', detail: 'TodoRead'}),
      'Running `TodoRead` for 1 m 52 s / Tool running',
      'waiting for tool',
    ],
    [
      waits(
        {why: 'waiting-for-tool', detail: 'Edit: /home/dev/app/src/a.ts'},
        {cwd: '/home/dev/app'},
      ),
      'Editing `src/a.ts` for 1 m 52 s / Tool running',
      'waiting for tool',
    ],
    [
      waits({why: 'waiting-for-permission'}),
      'Waiting for your answer / Asked 1 m 52 s ago. Nothing runs until you answer.',
      '1 m 52 s',
    ],
    [
      waits({why: 'waiting-for-permission'}, {requests: [{name: 'Bash', askedAt: NOW - 61_000}]}),
      'Waiting for an answer on its own screen / Asked 1 m 01 s ago. It cannot be answered here.',
      '1 m 01 s',
    ],
    [
      waits({
        why: 'api-retry',
        detail: 'overloaded (529)',
        attempt: 3,
        of: 10,
        since: NOW - 35_000,
        until: NOW + 4000,
      }),
      'Overloaded (529), try 3 of 10 / Next retry in 4 s. Waited 35 s so far.',
      '3 of 10',
    ],
    [
      waits({why: 'api-retry', attempt: 2}),
      'The request failed, try 2 / Waited 1 m 52 s so far.',
      'try 2',
    ],
    [waits({why: 'api-retry'}), 'The request failed / Waited 1 m 52 s so far.', '1 m 52 s'],
    [
      waits({why: 'rate-limited', detail: 'five-hour window used up', until: NOW + 38 * 60_000}),
      'Five-hour window used up / Resumes automatically at 15:06, in 38 m.',
      'until 15:06',
    ],
    [
      waits({why: 'rate-limited', until: NOW - 1}),
      'Limit reached / Should resume now.',
      'until 14:27',
    ],
    [waits({why: 'compacting', since: NOW - 9000}), 'Compacting the context, 9 s', '9 s'],
    [
      waits({why: 'background', detail: 'npm run dev'}, {taskCount: 1}),
      'Turn ended; 1 background task still runs / npm run dev',
      'in background',
    ],
    [
      waits({why: 'background', detail: 'npm run dev'}, {taskCount: 3}),
      'Turn ended; 3 background tasks still run / npm run dev',
      '3 in background',
    ],
    [waits({why: 'hook', detail: 'Stop', since: NOW - 9000}), 'Running hook `Stop` for 9 s', '9 s'],
    [
      waits({why: 'scheduled', detail: 'check the build', until: NOW + 38 * 60_000}),
      'Turn ended; the agent resumes automatically / At 15:06, in 38 m: check the build',
      'until 15:06',
    ],
    [
      waits({why: 'queued-input', detail: '1 of 3 messages answered', since: NOW - 9000}),
      'Waiting for answers to stdin, 9 s / 1 of 3 messages answered',
      '9 s',
    ],
    [
      waits({why: 'finishing', detail: './report', since: NOW - 9000}),
      'Finished; running `./report` for 9 s',
      '9 s',
    ],
    [
      waits({why: 'suspended', since: NOW - 9000}),
      'Suspended (SIGSTOP) for 9 s / Send SIGCONT to the agent to continue.',
      '9 s',
    ],
    [
      waits({why: 'suspended', since: NOW - 9000}, {isStuck: true}),
      'Suspended (SIGSTOP) for 9 s / Send SIGCONT to the agent to continue.',
      '9 s',
    ],
    [
      waits({why: 'silent', since: NOW - 180_000}),
      'No output for 3 m 00 s / No tool, no retry, no request open.',
      'silent',
    ],
    [
      waits({why: 'silent', since: NOW - 680_000}, {isStuck: true}),
      'Silent for 11 m 20 s / No tool, no retry, no request open.',
      '11 m 20 s',
    ],
    [
      waits({why: 'starting'}, {isStuck: true}),
      'Silent for 1 m 52 s / No output so far.',
      '1 m 52 s',
    ],
    [
      waits({why: 'waiting-for-tool', detail: 'Bash: sleep 900'}, {isStuck: true}),
      'Running `sleep 900` for 1 m 52 s / Over the limit for one tool.',
      '1 m 52 s',
    ],
    [
      waits({why: 'lingering', since: NOW - 6000}),
      'Finished, but the process is still alive / Last output 6 s ago.',
      '6 s',
    ],
    [waits({why: 'idle', since: NOW - 6000}), 'Waiting for your next prompt, 6 s', '6 s'],
  ])('%#: explains %s', (run, text, aspect) => {
    expect(explain(run)).toBe(text)
    expect(describeAspect(run, NOW)).toBe(aspect)
  })

  test.each<[Partial<RunSummary>, string]>([
    [
      {verdict: 'succeeded', durationMs: 1_170_000, costUsd: 1.52},
      'Succeeded in 19 m 30 s for $1.52',
    ],
    [{verdict: 'succeeded', durationMs: 1000}, 'Succeeded in 1.0 s'],
    [
      {verdict: 'failed', reason: 'API error 529', evidence: ['overloaded']},
      'Failed: API error 529 / overloaded',
    ],
    [{verdict: 'stopped', reason: 'by you'}, 'Stopped by you'],
    [{verdict: 'stopped', reason: 'killed (SIGKILL)'}, 'Stopped: killed (SIGKILL)'],
    [{verdict: 'truncated', reason: 'no turn end', exitCode: 0}, 'Exit 0, but no turn end'],
    [{verdict: 'truncated', reason: 'no turn end', exitCode: 3}, 'Exit 3: no turn end'],
    [{verdict: 'truncated', reason: 'exit status unknown', exitCode: null}, 'Exit status unknown'],
    [{verdict: 'timed-out', reason: '1h 00m of 1h 00m'}, 'Ran past its limit: 1h 00m of 1h 00m'],
    [{verdict: 'over-budget', reason: '$5.01 of $5.00'}, 'Stopped at $5.01 of $5.00'],
    [{verdict: 'stuck', reason: 'silent for 10m 00s'}, 'Silent for 10m 00s, then stopped'],
    [{}, 'Ended, verdict pending'],
  ])('%#: explains the end %o', (fields, text) => {
    const run = makeRun({state: 'over', ...fields})
    expect(explain(run)).toBe(text)
    expect(describeAspect(run, NOW)).toBe('')
  })

  test('escapes characters that change the direction of text', () => {
    const run = waits({why: 'waiting-for-tool', detail: 'Bash: rm \u202Egnp.exe'})
    expect(explain(run)).toContain('`rm \\u202egnp.exe`')
  })
})

describe('the explanation of the state of a session', () => {
  const session = (fields: Partial<RunSummary>) => makeRun({kind: 'session', ...fields})

  test.each<[RunSummary, string, string]>([
    [session({writtenAt: NOW - 3000}), 'Written 3 s ago', 'written 3 s ago'],
    [
      session({writtenAt: NOW - 3000, waiting: {why: 'silent', detail: '', since: 0}}),
      'Written 3 s ago',
      'written 3 s ago',
    ],
    [
      session({
        writtenAt: NOW - 3000,
        waiting: {why: 'waiting-for-tool', detail: 'Bash: npm test', since: NOW - 9000},
      }),
      'Running `npm test` for 9 s / Tool running',
      'written 3 s ago',
    ],
    [
      session({state: 'idle', writtenAt: NOW - 14 * 60_000}),
      'The turn ended at 14:14 / The agent waits for a prompt in its terminal.',
      '14 m',
    ],
    [
      session({
        waiting: {why: 'waiting-for-permission', detail: 'Bash', since: NOW - 61_000},
        requests: [{requestId: 'r', name: 'Bash', askedAt: NOW - 61_000}],
      }),
      'Waiting for an answer on its own screen / Asked 1 m 01 s ago. It cannot be answered here.',
      '1 m 01 s',
    ],
    [session({state: 'over'}), 'Ended', ''],
  ])('is about its files, not about a verdict: %#', (run, text, aspect) => {
    expect(explain(run)).toBe(text)
    expect(describeAspect(run, NOW)).toBe(aspect)
  })
})
