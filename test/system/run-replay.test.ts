import {existsSync} from 'node:fs'
import {afterAll, beforeAll, describe, test} from 'vitest'
import {judgeFixture} from '../../src/fixture/judge-fixture.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {endings, readOrEmpty} from '../support/fixtures.ts'
import {createPlace, lastVerdict, placeTest, type Place} from '../support/run.ts'

const exitCodes = {succeeded: 0, failed: 1, truncated: 1, stopped: 130}

test('every recording that is cut in the middle of its last line is truncated', async ({
  expect,
}) => {
  const complete = endings.filter(({stdoutFile}) =>
    /\n\{.*\n$/.test(readOrEmpty(stdoutFile).toString()),
  )
  expect(complete.length).toBeGreaterThan(300)
  await expectForEach(complete, (ending) => {
    const bytes = readOrEmpty(ending.stdoutFile)
    const lastLine = bytes.lastIndexOf(10, -2) + 1
    const cut = bytes.subarray(0, lastLine + Math.floor((bytes.length - lastLine) / 2))
    const process = {stdout: cut, stderr: readOrEmpty(ending.stderrFile), exitCode: 0, signal: null}
    expect(judgeFixture(ending.agent, process)).toEqual({
      verdict: 'truncated',
      reason: 'the last line is incomplete',
    })
  })
})

describe('a recording that is replayed under vitrine run', () => {
  /** Has the recordings of all replays. */
  let shared: Place

  beforeAll(() => {
    shared = createPlace()
  })

  afterAll(() => {
    shared.clear()
  })

  const idOf = (name: string): string => name.replaceAll(/[^\w.-]+/g, '-')
  const replayed = [
    'amp/0.0.1790142911/no_login',
    'claude/2.1.325/api-400',
    'claude/2.1.325/bad-flag',
    'claude/2.1.325/bash-background',
    'claude/2.1.325/sigint',
    'claude/2.1.325/sigterm',
    'codex/0.166.0/bad_flag',
    'codex/0.166.0/not_a_git_repo',
    'codex/0.166.0/shell_ok',
    'codex/0.166.0/sigkill_during_command',
    'gemini/0.61.0/error_400',
    'gemini/0.61.0/error_empty_stream',
    'gemini/0.61.0/norelaunch_sigint_during_command',
    'kimi/2.1.0/sigint_during_command',
    'opencode/1.18.33/error_500_forever',
    'opencode/1.18.33/error_context_then_ok',
    'pi/0.73.1/error_400',
    'pi/0.73.1/sigint_during_command',
  ].map((name) => {
    const ending = endings.find((one) => one.name === name)
    if (ending === undefined) throw new Error(`no recording ${name}`)
    return ending
  })

  describe.concurrent('has the verdict, the exit code and the bytes of the original', () => {
    placeTest.for(replayed)('$name', async (ending, {place, expect}) => {
      const {name, agent, stdoutFile, stderrFile, exitCode, signal} = ending
      const id = idOf(name)
      const args = ['--id', id, '--format', 'json', '--data-dir', shared.dataDir]
      const ended = await place.runFake('replay', args, {
        agent: agent.id,
        env: {
          ...(existsSync(stdoutFile) && {STDOUT_FILE: stdoutFile}),
          ...(existsSync(stderrFile) && {STDERR_FILE: stderrFile}),
          ...(signal === null ? {EXIT: String(exitCode)} : {SIGNAL: signal}),
        },
      })

      expect(lastVerdict(ended)).toMatchObject({
        verdict: ending.verdict,
        reason: expect.stringContaining(ending.reason ?? ''),
        runId: id,
      })
      expect(ended.exitCode).toBe(exitCodes[ending.verdict as keyof typeof exitCodes])
      expect(shared.read(id, 'stdout').equals(readOrEmpty(stdoutFile))).toBe(true)
      expect(shared.read(id, 'stderr').equals(readOrEmpty(stderrFile))).toBe(true)
      await place.expectNoSurvivors()
    })
  })

  test('is listed by vitrine runs with its agent, exit code and verdict', async ({expect}) => {
    const listed = new Map((await shared.list()).map((run) => [run.runId, run]))
    await expectForEach(replayed, ({name, agent, exitCode, signal, verdict}) => {
      expect(listed.get(idOf(name))).toMatchObject({agent: agent.id, exitCode, signal, verdict})
    })
  })
})
