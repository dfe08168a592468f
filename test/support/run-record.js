// Records of simulated runs, shared with benchmarks and scripts, which run without a build.

const PROMPT = 'Fix the tests'
/** Larger than the pid of any process. */
const UNUSED_PID = 2 ** 30

/**
 * The record of a run that has started.
 *
 * @param {string} runId
 * @param {object} [changes] Fields that differ from the defaults.
 */
export function createRunRecord(runId, changes = {}) {
  return {
    version: 1,
    runId,
    argv: ['claude', '-p', PROMPT],
    ranArgv: ['claude', '-p', PROMPT, '--verbose'],
    cwd: '/home/dev/project',
    agent: 'claude',
    prompt: PROMPT,
    startedAt: 1_700_000_000_000,
    marker: `marker-of-${runId}`,
    supervisor: {pid: UNUSED_PID, startTime: '1'},
    ...changes,
  }
}

/**
 * The result of a run that succeeded after a minute.
 *
 * @param {string} runId
 * @param {object} [changes] Fields that differ from the defaults.
 */
export function createRunResult(runId, changes = {}) {
  return {
    runId,
    agent: 'claude',
    verdict: 'succeeded',
    reason: 'Last turn completed without errors',
    evidence: [],
    exitCode: 0,
    signal: null,
    startedAt: 1_700_000_000_000,
    durationMs: 60_000,
    costUsd: 0.0125,
    isEstimate: false,
    estimateUsd: null,
    tokens: {input: 12, output: 5, cacheRead: 100, cacheWrite: 0},
    turns: 1,
    toolCount: 1,
    failedToolCount: 0,
    deniedCount: 0,
    fileCount: 0,
    added: 0,
    removed: 0,
    lines: 6,
    malformed: 0,
    unknown: 0,
    lastSeen: '',
    ...changes,
  }
}
