import {existsSync, readdirSync, readFileSync} from 'node:fs'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {createEventDecoder} from '../../src/agents/parse.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {initialRunState, reduceRunState} from '../../src/core/run/run-state.ts'
import {judgeRun, type Verdict} from '../../src/core/run/verdict.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {createPlace, lastVerdict, placeTest, type Place} from '../support/run.ts'

/** A recording whose true ending is known. */
interface Ending {
  /** Such as `codex/0.166.0/shell_ok`. */
  name: string
  agent: Adapter
  stdoutFile: string
  stderrFile: string
  exitCode: number | null
  signal: string | null
}

const endings: Ending[] = agents.flatMap((agent) => {
  const folder = new URL(`../../src/agents/${agent.id}/fixtures/`, import.meta.url)
  return readdirSync(folder, {recursive: true, encoding: 'utf8'})
    .filter((file) => file.endsWith('.meta.json'))
    .map((file) => file.replaceAll('\\', '/').replace(/\.meta\.json$/, ''))
    .toSorted()
    .flatMap((stem) => {
      const meta = JSON.parse(readFileSync(new URL(`${stem}.meta.json`, folder), 'utf8')) as {
        exitCode?: number | null
        signal?: string | null
      }
      // Examples from documentation have no process.
      if (meta.exitCode === undefined) return []
      return {
        name: `${agent.id}/${stem}`,
        agent,
        stdoutFile: fileURLToPath(new URL(`${stem}.jsonl`, folder)),
        stderrFile: fileURLToPath(new URL(`${stem}.stderr`, folder)),
        exitCode: meta.exitCode,
        signal: meta.signal ?? null,
      }
    })
})

/** What the reason of a verdict contains, by recording. What is in no table succeeded, with exit code 0. */
const failed: Record<string, string> = {
  // The agent says so.
  'claude/0.2.126/api-400': 'API Error: 400',
  'claude/1.0.128/api-400': 'API Error: 400',
  'claude/1.0.128/api-401': 'Invalid API key',
  'claude/1.0.128/api-529-exhausted': 'API Error: 529',
  'claude/1.0.128/no-api-key': 'Invalid API key · Please run /login',
  'claude/2.1.197/api-400': 'API Error: 400',
  'claude/2.1.197/api-401': 'Invalid API key',
  'claude/2.1.197/api-529-exhausted': 'API Error: 529 Overloaded',
  'claude/2.1.197/no-api-key': 'Not logged in',
  'claude/2.1.325/api-400': 'API Error: 400 messages: something is wrong',
  'claude/2.1.325/api-400-prompt-too-long': 'Prompt is too long',
  'claude/2.1.325/api-401': 'Invalid API key',
  'claude/2.1.325/api-403': 'API Error: 403 forbidden',
  'claude/2.1.325/api-404-model': 'claude-nonexistent-9',
  'claude/2.1.325/api-529-exhausted': 'API Error: 529 Overloaded',
  'claude/2.1.325/api-html-502': 'API Error: 502 Bad Gateway',
  'claude/2.1.325/bad-config': 'Configuration error',
  'claude/2.1.325/hooks-denied': 'API Error: 400 bad',
  'claude/2.1.325/no-api-key': 'Not logged in',
  'claude/2.1.325/refusal-all': 'safeguards flagged this message',
  'cline/3.0.65/error_400': 'Unsupported parameter',
  'codex/0.166.0/error_400': 'Unsupported parameter',
  'codex/0.166.0/error_401': '401 Unauthorized',
  'codex/0.166.0/error_429_quota': 'Quota exceeded',
  'codex/0.166.0/error_429_usage_limit': 'usage limit',
  'codex/0.166.0/error_500_retries': 'high demand',
  'copilot/1.0.102/error_400': '400 Unsupported parameter',
  'copilot/1.0.102/error_401': 'Authentication failed',
  'copilot/1.0.102/error_500': 'retried 5 times',
  'opencode/1.18.33/error_400': 'Unsupported parameter',
  'opencode/1.18.33/error_401': 'Incorrect API key',
  'qwen/0.24.4/error_400': '400 Unsupported parameter',
  'qwen/0.24.4/error_401': '401 Incorrect API key',
  // Its own limits.
  'claude/1.0.128/max-turns': 'error_max_turns',
  'claude/2.1.197/max-turns': 'maximum number of turns',
  'claude/2.1.325/max-turns': 'maximum number of turns',
  'claude/2.1.325/max-budget': 'maximum budget',
  'qwen/0.24.4/max_turns': 'turn limit reached',
  // The agent says so, and exits with 0.
  'codex/0.36.0/error_400': '400 Bad Request',
  'gemini/0.61.0/error_empty_stream': 'Model stream ended without a finish reason',
  'gemini/0.61.0/loop_detected': 'Loop detected',
  'pi/0.73.1/error_400': '400 Unsupported parameter',
  'pi/0.73.1/error_401': '401 Incorrect API key',
  'pi/0.73.1/error_500': '500 The server had an error',
  'pi/0.73.1/error_stream_cut': 'Connection error',
  // The agent says so, with an exit code that looks like one of a signal, or is killed because it would not go.
  'gemini/0.61.0/error_400': 'INVALID_ARGUMENT',
  'gemini/0.61.0/error_401': 'UNAUTHENTICATED',
  'gemini/0.61.0/error_403': 'PERMISSION_DENIED',
  'gemini/0.61.0/error_500': 'An internal error has occurred',
  'gemini/0.61.0/error_after_tool': 'Conversation rejected',
  'gemini/0.61.0/error_stream_cut': 'fetch failed',
  // Nothing but stderr and the exit code.
  'amp/0.0.1790142911/bad_flag': '',
  'amp/0.0.1790142911/server_401': '',
  'amp/0.0.1790142911/server_ok_stub': '',
  'amp/0.0.1790142911/server_unreachable': '',
  'amp/0.0.1790142911/stream_json_input_without_x': '',
  'claude/2.1.325/bad-flag': "unknown option '--no-such-flag'",
  'claude/2.1.325/format-noverbose': 'requires --verbose',
  'claude/2.1.325/stdin-garbage': '',
  'cline/3.0.65/bad_flag': '',
  'codex/0.166.0/bad_flag': 'wrong arguments',
  'codex/0.166.0/mcp_required_fails': 'required MCP servers failed',
  'codex/0.166.0/not_a_git_repo': 'Not inside a trusted directory',
  'gemini/0.61.0/bad_flag': '',
  'gemini/0.61.0/untrusted_folder': 'the folder is not trusted',
  'kimi/2.1.0/error_400': '',
  'kimi/2.1.0/error_after_tool': '',
  'opencode/1.18.33/bad_flag': '',
  'opencode/1.18.33/error_bad_session': 'Session not found',
  'qwen/0.24.4/bad_flag': '',
  // Interrupted, of which nothing is left but exit code 1.
  'codex/0.166.0/sigint_during_command': '',
  'codex/0.166.0/sigint_during_stream': '',
}

const stopped: Record<string, string> = {
  // By a person who said no.
  'claude/1.0.128/control-deny': 'interrupted',
  'claude/2.1.197/control-deny': 'interrupted',
  'claude/2.1.325/control-deny': 'interrupted',
  'claude/2.1.325/control-interrupt-tool': 'interrupted',
  // By a signal, which the agent tells, and exits with 0.
  'claude/2.1.325/sigint': 'interrupted',
  'copilot/1.0.102/sigint_native_binary': 'interrupted',
  'copilot/1.0.102/sigterm_native_binary': 'interrupted',
  // By a signal that it makes an exit code.
  'claude/1.0.128/sigterm': 'SIGTERM',
  'claude/2.1.197/sigterm': 'SIGTERM',
  'claude/2.1.325/sigterm': 'SIGTERM',
  'kimi/2.1.0/sigint_during_command': 'SIGINT',
  'kimi/2.1.0/sigterm_during_command': 'SIGTERM',
  // By a signal that killed it.
  'amp/0.0.1790142911/no_login': 'SIGTERM',
  'codex/0.166.0/error_connection_refused': 'SIGTERM',
  'codex/0.166.0/sigkill_during_command': 'killed (SIGKILL)',
  'codex/0.166.0/sigterm_during_command': 'SIGTERM',
  'opencode/1.18.33/error_500_forever': 'SIGTERM',
  'opencode/1.18.33/error_context_loop': 'SIGTERM',
  'opencode/1.18.33/error_stream_cut': 'SIGTERM',
  'opencode/1.18.33/sigint_during_command': 'SIGINT',
  'opencode/1.18.33/sigint_during_stream': 'SIGINT',
  'pi/0.73.1/sigint_during_command': 'SIGINT',
  // By a signal to a wrapper, while its worker finished.
  'copilot/1.0.102/sigint_during_command': 'after a turn without errors',
  'qwen/0.24.4/sigint_during_command': 'after a turn without errors',
}

/** Interrupted, with exit code 0 and no word about it. */
const truncated: Record<string, string> = {
  'claude/1.0.128/sigint': 'no turn end',
  'claude/2.1.197/sigint': 'no turn end',
  'cline/3.0.65/sigint_during_command': 'no turn end',
  'gemini/0.61.0/norelaunch_sigint_during_command': 'no turn end',
  'gemini/0.61.0/norelaunch_sigterm_during_command': 'no turn end',
}

/** Successes that one might not expect. */
const succeeded: Record<string, string> = {
  // An error that it got over, and exit code 1 for it.
  'opencode/1.18.33/error_context_then_ok': 'Last turn completed without errors',
  // It takes no notice of signals that its group does not get.
  'gemini/0.61.0/sigint_during_command': 'Last turn completed without errors',
  'gemini/0.61.0/sigterm_during_command': 'Last turn completed without errors',
  // Tried again, or interrupted and told to go on.
  'claude/2.1.325/api-429': 'Last turn completed without errors',
  'claude/2.1.325/control-deny-interrupt': 'Last turn completed without errors',
  'claude/2.1.325/cut-end': 'Last turn completed without errors',
  'pi/0.73.1/error_429_then_ok': 'Last turn completed without errors',
  'qwen/0.24.4/ctl_interrupt': 'Last turn completed without errors',
  // What a tool or a sub-agent did wrong is not the run's failure.
  'claude/2.1.325/subagent-api-error': 'Last turn completed without errors',
  'opencode/1.18.33/permission_denied': 'Last turn completed without errors',
}

const tables = {failed, stopped, truncated, succeeded}

function expectedOf(name: string): Verdict {
  for (const [verdict, table] of Object.entries(tables)) {
    const reason = table[name]
    if (reason !== undefined) return {verdict: verdict as Verdict['verdict'], reason}
  }
  return {verdict: 'succeeded', reason: 'Last turn completed without errors'}
}

function readOrEmpty(file: string): Buffer {
  return existsSync(file) ? readFileSync(file) : Buffer.alloc(0)
}

function judge({agent, stderrFile, exitCode, signal}: Ending, bytes: Buffer): Verdict {
  const decoder = createEventDecoder(agent.id)
  if (decoder === null) throw new Error(`no decoder for ${agent.id}`)
  const events = [...decoder.push(bytes), ...decoder.end()]
  return judgeRun(events.reduce(reduceRunState, initialRunState), {
    exitCode,
    signal,
    exitCodes: agent.exitCodes,
    ignoredExitCodes: agent.ignoredExitCodes,
    lastError: readOrEmpty(stderrFile).toString().trimEnd().split('\n').at(-1),
  })
}

test('the tables name existing recordings, each in one table', ({expect}) => {
  const named = Object.values(tables).flatMap((table) => Object.keys(table))
  const names = new Set(endings.map(({name}) => name))
  expect(named.filter((name) => !names.has(name))).toEqual([])
  expect(named).toHaveLength(new Set(named).size)
  expect(endings.length).toBeGreaterThan(300)
})

test('every recording gets the right verdict with its exit code or signal', async ({expect}) => {
  await expectForEach(endings, (ending) => {
    const expected = expectedOf(ending.name)
    const {verdict, reason} = judge(ending, readOrEmpty(ending.stdoutFile))
    expect({verdict, reason}).toEqual({
      verdict: expected.verdict,
      reason: expect.stringContaining(expected.reason),
    })
    expect(reason).not.toBe('')
  })
})

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
    expect(judge({...ending, exitCode: 0, signal: null}, cut)).toEqual({
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

  const exitCodes = {succeeded: 0, failed: 1, truncated: 1, stopped: 130}
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

      const expected = expectedOf(name)
      expect(lastVerdict(ended)).toMatchObject({
        verdict: expected.verdict,
        reason: expect.stringContaining(expected.reason),
        runId: id,
      })
      expect(ended.exitCode).toBe(exitCodes[expected.verdict as keyof typeof exitCodes])
      expect(shared.read(id, 'stdout').equals(readOrEmpty(stdoutFile))).toBe(true)
      expect(shared.read(id, 'stderr').equals(readOrEmpty(stderrFile))).toBe(true)
      await place.expectNoSurvivors()
    })
  })

  test('is listed by vitrine runs with its agent, exit code and verdict', async ({expect}) => {
    const listed = new Map((await shared.list()).map((run) => [run.runId, run]))
    await expectForEach(replayed, ({name, agent, exitCode, signal}) => {
      const {verdict} = expectedOf(name)
      expect(listed.get(idOf(name))).toMatchObject({agent: agent.id, exitCode, signal, verdict})
    })
  })
})
