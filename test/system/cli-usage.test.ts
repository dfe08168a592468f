import {spawn} from 'node:child_process'
import {mkdirSync, rmSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {createPriceFinder} from '../../src/history/prices/find-price.ts'
import type {UsageReport} from '../../src/history/usage/report.ts'
import {countToday, readToday, writeToday} from '../../src/history/usage/today.ts'
import {createHome, readTruth, removeHome} from '../support/transcripts.ts'
import {bin, vitrine} from '../support/vitrine.ts'

const RANGE = ['--since', '2026-11-01', '--until', '2026-11-30']

let home: string
let dataDir: string

beforeAll(() => {
  home = createHome('claude')
  dataDir = join(home, 'data')
})

afterAll(() => removeHome(home))

function usage(...args: string[]) {
  return vitrine(['usage', ...args, '--data-dir', dataDir], {env: {HOME: home}})
}

function report(...args: string[]): UsageReport {
  return JSON.parse(usage(...args, ...RANGE, '--json').stdout) as UsageReport
}

describe('vitrine usage', () => {
  test('counts each request once, as the model server did', () => {
    const {totals, requests} = readTruth('claude').total
    const {total, rows, unpricedModels} = report()
    expect(total.tokens).toMatchObject({input: totals.input, output: totals.output})
    expect(total.requests).toBe(requests)
    expect(rows.map(({key}) => key)).toEqual(['2026-11-16'])
    expect(unpricedModels).toEqual([])
    expect(total.isEstimate).toBe(true)
  })

  test('has the same total for every group', () => {
    const {total} = report('day')
    for (const group of ['week', 'month', 'session', 'project', 'model', 'agent', 'block']) {
      const {costUsd, ...other} = report(group).total
      expect(other).toMatchObject({tokens: total.tokens, sessions: total.sessions})
      expect(costUsd).toBeCloseTo(total.costUsd ?? 0, 10)
    }
  })

  test('separates rows with tabs for a program', () => {
    const {stdout, stderr, status} = usage('project', ...RANGE)
    expect({stderr, status}).toEqual({stderr: '', status: 0})
    const [head, ...rows] = stdout.trimEnd().split('\n')
    expect(head).toBe('PROJECT\tAGENTS\tIN\tOUT\tCACHE\tSESSIONS\tCOST\tisEstimate')
    expect(rows[0]).toMatch(/^\/home\/dev\/project\tclaude\t\d+\t\d+\t\d+\t\d+\t0\.\d+\ttrue$/)
  })

  test('reads prices from the configuration', () => {
    mkdirSync(dataDir, {recursive: true})
    const prices = {'claude-haiku-4-5-20251001': {input: 1_000_000, output: 0}}
    writeFileSync(join(dataDir, 'config.json'), JSON.stringify({prices}))
    expect(report('model').rows[0]?.key).toBe('claude-haiku-4-5-20251001')
    writeFileSync(join(dataDir, 'config.json'), '{}')
  })

  test('names a range without usage', () => {
    const {stdout, status} = usage('--since', '2026-08-01', '--until', '2026-08-07')
    expect({stdout, status}).toEqual({
      stdout: 'No usage from 2026-08-01 to 2026-08-07. The oldest session is from 2026-11-16.\n',
      status: 0,
    })
  })

  test.each([
    [
      ['--since', 'soon'],
      /--since .*soon.*Expected a date such as 2026-11-01, or today, yesterday or 7d/,
    ],
    [
      ['--timezone', 'Mars'],
      /--timezone .*Mars.*Expected a time zone such as UTC or Europe\/Berlin/,
    ],
    [['--last', '0'], /--last .*Expected a number above 0, such as 7, 30d or 4w/],
    [['--last', '3', '--since', 'today'], /--last .*cannot be used with option --since/],
    [['--since', 'today', '--until', 'yesterday'], /--since today is after --until yesterday/],
    [['hour'], /hour.*Allowed choices are day, week, month/],
    [['--agent', 'claud'], /--agent claud: unknown agent/],
    [['--watch'], /--watch is only for: vitrine usage block/],
    [['block', '--watch'], /--watch needs a terminal/],
  ])('reports the mistake in %j on one line', (args, message) => {
    const {stdout, stderr, status} = usage(...args)
    expect({stdout, status}).toEqual({stdout: '', status: 2})
    expect(stderr).toMatch(message)
    expect(stderr.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('vitrine statusline', () => {
  const status = {
    model: {id: 'claude-opus-5-5'},
    cost: {total_cost_usd: 0.71},
    context_window: {used_percentage: 85},
  }

  // As if it was just counted: else a process that counts it could still write when the tests end.
  beforeAll(() => {
    const now = Date.now()
    writeToday(dataDir, {...countToday([], createPriceFinder(), now), at: now + 3_600_000})
  })

  function statusline(input: string, env: Record<string, string> = {NO_COLOR: '1'}) {
    return vitrine(['statusline', '--data-dir', dataDir], {input, env: {HOME: home, ...env}})
  }

  test('prints one line', () => {
    const {stdout, stderr, status: exitCode} = statusline(JSON.stringify(status))
    expect({stdout, stderr, exitCode}).toEqual({
      stdout: 'opus-5-5 · $0.71 session · $0.00 today · ctx 85% ▲\n',
      stderr: '',
      exitCode: 0,
    })
  })

  test('shows the cost of today as soon as another process has counted it', async () => {
    const emptyDir = join(home, 'empty')
    const print = () =>
      vitrine(['statusline', '--data-dir', emptyDir], {
        input: JSON.stringify(status),
        env: {HOME: home, NO_COLOR: '1'},
      }).stdout
    expect(print()).toBe('opus-5-5 · $0.71 session · ctx 85% ▲\n')
    // The last file that the other process writes.
    await expect.poll(() => readToday(emptyDir)).toBeDefined()
    expect(print()).toBe('opus-5-5 · $0.71 session · $0.00 today · ctx 85% ▲\n')
  })

  test('saves the limit for vitrine usage block', () => {
    const now = Date.now()
    const endsAt = Math.ceil(now / 3_600_000) * 3600 + 3600
    const folder = join(home, '.claude', 'projects', 'now')
    mkdirSync(folder, {recursive: true})
    const answer = {id: 'm', model: 'claude-opus-5-5', usage: {input_tokens: 10, output_tokens: 5}}
    const row = {type: 'assistant', sessionId: 'now', requestId: 'r', message: answer}
    const timestamp = new Date(now).toISOString()
    writeFileSync(join(folder, 'now.jsonl'), `${JSON.stringify({...row, timestamp})}\n`)
    const limits = {five_hour: {used_percentage: 72, resets_at: endsAt}}
    expect(statusline(JSON.stringify({...status, rate_limits: limits})).stdout).toContain(
      'left 72%',
    )
    const {rows} = JSON.parse(usage('block', '--json').stdout) as {rows: unknown[]}
    expect(rows.at(-1)).toMatchObject({isOpen: true, usedShare: 0.72})
    rmSync(folder, {recursive: true})
  })

  test('has colours although stdout is no terminal, and fits COLUMNS', () => {
    const text = JSON.stringify(status)
    expect(statusline(text, {}).stdout).toContain('\u001b[33mctx 85% ▲\u001b[0m')
    expect(statusline(text, {COLUMNS: '20'}).stdout).toBe('opus-5-5 · $0.71\n')
  })

  test.each(['', '{', 'no JSON', '[]', '{}', '{"model":7}'])('prints its name for %j', (input) => {
    const {stdout, stderr, status: exitCode} = statusline(input)
    expect({stdout, stderr, exitCode}).toEqual({stdout: 'vitrine\n', stderr: '', exitCode: 0})
  })

  test('does not wait until stdin is closed', async () => {
    for (const input of [JSON.stringify(status), '{']) {
      const child = spawn(process.execPath, [bin, 'statusline', '--data-dir', dataDir], {
        env: {HOME: home, NO_COLOR: '1'},
        stdio: ['pipe', 'pipe', 'inherit'],
      })
      child.stdin.on('error', () => {})
      child.stdin.write(input)
      const exitCode = await new Promise((resolve) => child.once('exit', resolve))
      expect(exitCode).toBe(0)
    }
  })
})
