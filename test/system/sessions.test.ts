import {spawnSync} from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import {dirname, join} from 'node:path'
import {gunzipSync} from 'node:zlib'
import {describe} from 'vitest'
import {transcriptFormats} from '../../src/agents/transcripts.ts'
import {textWidth} from '../../src/terminal/text-width.ts'
import {hashFolder, listFiles} from '../support/hash-folder.ts'
import {fake, placeTest as test, readLines, type Place} from '../support/run.ts'
import {hasTerminal, runOnTerminal} from '../support/terminal.ts'
import {copySessions, readTruth, sessionFolder, type Truth} from '../support/transcripts.ts'
import {bin} from '../support/vitrine.ts'

/** A row of `vitrine runs --json`. */
interface Row {
  runId: string
  kind: string
  agent: string
  title: string
  cwd: string
  model: string | null
  sessionId: string | null
  state: string
  startedAt: number
  endedAt: number | null
  tokens: TokenCounts | null
  costUsd: number | null
  turns: number
  toolCount: number
  path: string
}

interface TokenCounts {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

/** The folders of {@link copySessions} for all agents whose sessions can be read. */
const AGENTS = transcriptFormats.map(({agent}) => agent)

/** Starts a command as a user without the rights of root. */
const WITHOUT_PERMISSIONS: readonly string[] =
  process.getuid?.() === 0 ? ['setpriv', '--reuid=65534', '--clear-groups'] : []
const canLosePermissions =
  process.platform !== 'win32' &&
  (WITHOUT_PERMISSIONS.length === 0 ||
    spawnSync('setpriv', [...WITHOUT_PERMISSIONS.slice(1), process.execPath, '--version'])
      .status === 0)

async function listRows(place: Place, ...args: string[]): Promise<Row[]> {
  const {exitCode, stdout, stderr} = await place.vitrine(['runs', '--json', ...args])
  if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`)
  return readLines(stdout) as Row[]
}

/** The row of a session by the id that the agent uses, or the end of it. */
function rowOf(rows: readonly Row[], sessionId: string): Row {
  const [found, ...others] = rows.filter((row) => row.sessionId?.endsWith(sessionId) === true)
  if (found === undefined || others.length > 0) throw new Error(`${rows.length} of ${sessionId}`)
  return found
}

const CLAUDE_GREET = '8d72923b-837c-4288-b6e4-fc4264014c9f'
const CLAUDE_FORK = '19d57012-457f-4cdf-a984-c7afc3f94388'
const COPILOT_GREET = '563f1885-4de6-481b-96bd-c0687680d6ab'

function truthOf(agent: string, sessionId: string): Truth {
  const found = readTruth(agent).sessions.find(({sessionIds}) => sessionIds.includes(sessionId))
  if (found === undefined) throw new Error(`no truth of ${sessionId}`)
  return found
}

function claudeFile(place: Place, sessionId: string): string {
  return join(
    sessionFolder(place.folder, 'claude'),
    'projects/-home-dev-project',
    `${sessionId}.jsonl`,
  )
}

/** Sets the time of every file, so that its session ended long ago. */
function age(folder: string): void {
  const yesterday = Date.now() / 1000 - 86_400
  for (const path of listFiles(folder)) utimesSync(path, yesterday, yesterday)
}

describe.concurrent('vitrine runs', () => {
  test('lists the sessions of every agent with what really happened', async ({place, expect}) => {
    copySessions(place.folder, ...AGENTS)
    const before = hashFolder(place.folder)
    const rows = await listRows(place)
    expect(new Set(rows.map(({runId}) => runId)).size).toBe(rows.length)
    for (const agent of AGENTS) {
      const {sessions, total} = readTruth(agent)
      const ofAgent = rows.filter((row) => row.agent === agent)
      expect({agent, count: ofAgent.length}).toEqual({agent, count: total.sessions})
      for (const truth of sessions) {
        const row = rowOf(ofAgent, truth.sessionIds[0] ?? '')
        const {input, output, cacheRead, cacheWrite} = truth.totals
        const hasRequests = truth.requests.length > 0
        expect({id: row.sessionId, tokens: row.tokens && pickTokens(row.tokens)}).toEqual({
          id: row.sessionId,
          tokens: hasRequests ? {input, output, cacheRead, cacheWrite} : null,
        })
        expect(row).toMatchObject({kind: 'session', toolCount: truth.toolCalls, cwd: truth.cwd})
        expect(truth.files.map((file) => join(sessionFolder(place.folder, agent), file))).toContain(
          row.path,
        )
        if (row.model !== null && truth.models.length > 0) expect(truth.models).toContain(row.model)
        expect(row.title).not.toBe('')
        expect(row.startedAt).toBeGreaterThanOrEqual(Date.parse(truth.startedAt))
        expect(row.startedAt).toBeLessThan(Date.parse(truth.endedAt))
      }
    }
    expect(
      rows.filter(({title}) => title === 'Say good day in the greeter').length,
    ).toBeGreaterThan(5)
    // From the stored facts.
    const again = await listRows(place)
    expect(again.map(strip)).toEqual(rows.map(strip))
    expect(hashFolder(place.folder)).toMatchObject(before)
  })

  test('filters by kind and agent, and limits the number of rows', async ({place, expect}) => {
    copySessions(place.folder, 'codex', 'pi')
    await place.runFake('happy', ['--id', 'happy'])
    const rows = await listRows(place)
    const [one, sessions, ofPi, none, limited, named] = await Promise.all([
      listRows(place, '--kind', 'run'),
      listRows(place, '--kind', 'session'),
      listRows(place, '--agent', 'pi'),
      listRows(place, '--kind', 'run', '--agent', 'pi'),
      listRows(place, '--limit', '3'),
      place.vitrine(['runs', '--kind', 'nope']),
    ])
    expect(one.map(({runId, kind}) => [runId, kind])).toEqual([['happy', 'run']])
    expect(sessions.length).toBe(rows.length - 1)
    expect(new Set(sessions.map(({kind}) => kind))).toEqual(new Set(['session']))
    expect(ofPi.length).toBe(readTruth('pi').total.sessions)
    expect(none).toEqual([])
    expect(limited.map(({runId}) => runId)).toEqual(rows.slice(0, 3).map(({runId}) => runId))
    expect(named).toMatchObject({exitCode: 2, stdout: ''})
    expect(named.stderr).toContain('Allowed choices are run, session, imported')
  })

  test.skipIf(!hasTerminal)(
    'fits a table of sessions into the terminal',
    async ({place, expect}) => {
      copySessions(place.folder, 'codex', 'copilot')
      age(sessionFolder(place.folder, 'copilot'))
      age(sessionFolder(place.folder, 'codex'))
      const args = ['runs', '--data-dir', place.dataDir]
      const [wide, narrow, {stdout}] = await Promise.all([
        runOnTerminal(place, args, 100),
        runOnTerminal(place, [...args, '--limit', '5'], 60),
        place.vitrine(['runs']),
      ])
      expect(wide[0]).toMatch(/^RUN +STATE +AGENT +WHAT +NOW, OR HOW IT ENDED +COST +TIME$/)
      expect(narrow[0]).toMatch(/^RUN +STATE +WHAT +COST +TIME$/)
      for (const [lines, columns] of [
        [wide, 100],
        [narrow, 60],
      ] as const) {
        const table = lines.slice(0, lines.indexOf(''))
        expect(table.map(textWidth)).toEqual(table.map(() => textWidth(table[0] ?? '')))
        expect(textWidth(table[0] ?? '')).toBeLessThanOrEqual(columns)
      }
      expect(wide.find((line) => line.includes('naïve'))).toMatch(/^s\w{3,} +■ ended +co/)
      expect(narrow.slice(-2)).toEqual([
        '5 of 27 shown. More: vitrine runs --limit 100',
        '0 working · 0 waiting · $0.00 today',
      ])
      const [head, ...piped] = stdout.trimEnd().split('\n')
      expect(head).toBe('RUN\tSTATE\tAGENT\tWHAT\tNOW, OR HOW IT ENDED\tCOST\tTIME')
      expect(piped).toHaveLength(27)
      for (const line of piped)
        expect(line).toMatch(/^s[0-9a-f]{11}\tended\tco(dex|pilot)\t[^\t]+\t\d/)
    },
  )
})

function pickTokens({input, output, cacheRead, cacheWrite}: TokenCounts): TokenCounts {
  return {input, output, cacheRead, cacheWrite}
}

/** Removes the fields that change with time. */
function strip(row: Row): Record<string, unknown> {
  return {...row, state: '', now: '', durationMs: 0, endedAt: 0}
}

describe.concurrent('a run with a transcript', () => {
  test('is one entry, which the transcript completes', async ({place, expect}) => {
    copySessions(place.folder, 'copilot', 'claude')
    const {requests, totals} = truthOf('copilot', COPILOT_GREET)
    const output = place.file('output.jsonl')
    writeFileSync(
      output,
      [
        {type: 'session.start', data: {sessionId: COPILOT_GREET}},
        {type: 'user.message', data: {content: 'Hello'}},
        {type: 'assistant.turn_start', data: {turnId: '0'}},
        {type: 'assistant.message', data: {messageId: 'm', content: 'Done.', toolRequests: []}},
        {type: 'assistant.turn_end', data: {turnId: '0'}},
        {type: 'result', sessionId: COPILOT_GREET, exitCode: 0},
      ]
        .map((record, index) =>
          JSON.stringify({id: `e${index}`, timestamp: new Date(1e12).toISOString(), ...record}),
        )
        .join('\n'),
    )
    const options = {agent: 'copilot', env: {STDOUT_FILE: output}}
    const before = await listRows(place, '--agent', 'copilot')
    await place.runFake('replay', ['--id', 'one'], options)
    const after = await listRows(place, '--agent', 'copilot')
    expect(after.length).toBe(before.length)
    const tokens = pickTokens(totals)
    expect(rowOf(after, COPILOT_GREET)).toMatchObject({runId: 'one', kind: 'run', tokens})
    // A session of another agent with the same id is another session.
    expect(await listRows(place, '--kind', 'run')).toHaveLength(1)
    const view = await place.vitrine(['view', COPILOT_GREET, '--format', 'json'])
    expect(readLines(view.stdout).filter(hasType('usage'))).toHaveLength(requests.length)
  })

  test('shares the requests of its session with the other runs of it', async ({place, expect}) => {
    copySessions(place.folder, 'codex')
    const sessionId = '01a1e583-df76-7503-b124-db816f96df95'
    const {runs, requests, totals} = truthOf('codex', sessionId)
    const output = place.file('output.jsonl')
    writeFileSync(
      output,
      [
        {type: 'thread.started', thread_id: sessionId},
        {type: 'turn.started'},
        {type: 'item.completed', item: {id: 'item_0', type: 'agent_message', text: 'Done.'}},
        {
          type: 'turn.completed',
          usage: {input_tokens: 5, cached_input_tokens: 0, output_tokens: 1},
        },
      ]
        .map((record) => `${JSON.stringify(record)}\n`)
        .join(''),
    )
    const run = async (id: string, {startedAt, endedAt}: Truth['runs'][number]) => {
      await place.runFake('replay', ['--id', id], {agent: 'codex', env: {STDOUT_FILE: output}})
      const path = join(place.dirOf(id), 'run.json')
      const times = {startedAt: Date.parse(startedAt), endedAt: Date.parse(endedAt)}
      writeFileSync(path, JSON.stringify({...place.readRun(id), ...times}))
    }
    await Promise.all(runs.map((times, index) => run(`run-${index}`, times)))
    const rows = (await listRows(place)).filter((row) => row.sessionId === sessionId)
    expect(rows.map(({runId, kind}) => [runId, kind])).toEqual([
      ['run-2', 'run'],
      ['run-1', 'run'],
      ['run-0', 'run'],
    ])
    const inRun = (index: number) =>
      requests.filter(({at}) => {
        const next = runs[index + 1]?.startedAt ?? '9'
        return at >= (runs[index]?.startedAt ?? '') && at < next
      })
    for (const [index] of runs.entries()) {
      const sum = inRun(index).reduce((total, request) => total + request.output, 0)
      expect(rows.find(({runId}) => runId === `run-${index}`)?.tokens?.output).toBe(sum)
    }
    expect(rows.reduce((sum, {tokens}) => sum + (tokens?.input ?? 0), 0)).toBe(totals.input)
    expect((await listRows(place)).length).toBe(readTruth('codex').total.sessions + 2)
  })

  test('is one session with the recording of its hooks', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const hook = async (name: string, fields: object = {}) => {
      const payload = {
        session_id: CLAUDE_GREET,
        transcript_path: claudeFile(place, CLAUDE_GREET),
        cwd: '/home/dev/project',
        hook_event_name: name,
        ...fields,
      }
      expect(await place.vitrine(['hook'], {input: JSON.stringify(payload)})).toMatchObject({
        exitCode: 0,
        stdout: '',
      })
    }
    await hook('SessionStart', {source: 'startup'})
    await hook('UserPromptSubmit', {prompt: 'Say good day in the greeter'})
    await hook('SessionEnd', {reason: 'other'})
    const rows = await listRows(place)
    expect(rows).toHaveLength(readTruth('claude').total.sessions)
    const {totals} = truthOf('claude', CLAUDE_GREET)
    const tokens = pickTokens(totals)
    const row = rowOf(rows, CLAUDE_GREET)
    expect(row).toMatchObject({kind: 'session', agent: 'claude', tokens})
    expect(row.title).toBe('Say good day in the greeter')
    expect(await listRows(place, '--kind', 'run')).toEqual([])
  })
})

function hasType(type: string) {
  return (event: unknown) => (event as {type: string}).type === type
}

describe.concurrent('vitrine view', () => {
  test('shows a session by its ids and by its file', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'codex')
    const file = claudeFile(place, CLAUDE_GREET)
    const {runId, sessionId} = rowOf(await listRows(place), CLAUDE_GREET)
    const {requests} = truthOf('claude', CLAUDE_GREET)
    const names = [runId, runId.slice(0, 7), sessionId ?? '', CLAUDE_GREET.slice(0, 13), file]
    const shown = await Promise.all(names.map((name) => place.vitrine(['view', name])))
    for (const [index, view] of shown.entries()) {
      expect(view).toEqual({...shown[0], exitCode: 0, stderr: ''})
      expect(view.stdout, names[index]).toContain('[claude] Edit: src/greet.js\n')
    }
    const [json, raw, verdict, late, compressed] = await Promise.all([
      place.vitrine(['view', runId, '--format', 'json']),
      place.vitrine(['view', runId, '--format', 'raw']),
      place.vitrine(['view', runId, '--verdict', '--exit-code']),
      place.vitrine(['view', runId, '--at', '1s']),
      place.vitrine(['view', '01a1e584-fbea-7c10-965f-344ec4ee0a77', '--format', 'raw']),
    ])
    const events = readLines(json.stdout) as {type: string}[]
    expect(events.filter(hasType('usage'))).toHaveLength(requests.length)
    expect(raw.stdout).toBe(readFileSync(file, 'utf8'))
    expect(verdict.exitCode).toBe(0)
    expect(JSON.parse(verdict.stdout.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({
      type: 'verdict',
      verdict: 'succeeded',
      malformed: 0,
      unknown: 0,
    })
    const [, ...lateLines] = late.stdout.trimEnd().split('\n')
    expect(lateLines.length).toBeGreaterThan(3)
    expect(shown[0]?.stdout.trimEnd().split('\n').slice(-lateLines.length)).toEqual(lateLines)
    expect(late.stdout.length).toBeLessThan(shown[0]?.stdout.length ?? 0)
    expect(compressed.stdout.startsWith('{"timestamp":')).toBe(true)
    expect(readLines(compressed.stdout).length).toBeGreaterThan(10)
  })

  test('follows a session as it is written, until Ctrl-C', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const file = claudeFile(place, CLAUDE_GREET)
    const rows = readFileSync(file, 'utf8').split('\n')
    const middle = rows.findIndex((row) => /"type":"assistant".*"name":"Edit"/.test(row))
    // The last row is incomplete.
    const [head, tail] = [rows.slice(0, middle).join('\n'), rows.slice(middle).join('\n')]
    writeFileSync(file, head)
    const {child, ended, prints} = place.start([
      'view',
      '--data-dir',
      place.dataDir,
      CLAUDE_GREET,
      '--follow',
    ])
    await prints('[claude] Read: src/greet.js')
    appendFileSync(file, `\n${tail.slice(0, 40)}`)
    appendFileSync(file, tail.slice(40))
    await prints('[claude] Edit: src/greet.js')
    await prints('Complete')
    child.kill('SIGINT')
    const {exitCode, signal, stdout, stderr} = await ended
    expect({exitCode, signal, stderr}).toEqual({exitCode: 0, signal: null, stderr: ''})
    const complete = await place.vitrine(['view', CLAUDE_GREET])
    expect(stdout).toBe(complete.stdout)
  })

  test('explains ids that are ambiguous, unknown or of empty sessions', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'codex')
    const empty = claudeFile(place, '00000000-0000-4000-8000-000000000000')
    writeFileSync(empty, '')
    const view = async (name: string) => {
      const {exitCode, stdout, stderr} = await place.vitrine(['view', name])
      expect({exitCode, stdout}).toEqual({exitCode: 2, stdout: ''})
      return stderr
    }
    const [ambiguous, unknown, uuid, emptyFile, emptyId] = await Promise.all(
      [
        '01a1e584',
        's00000000000',
        'deadbeef-0000-4000-8000-000000000000',
        empty,
        '00000000-0000-4000-8000-000000000000',
      ].map(view),
    )
    expect(ambiguous).toMatch(
      /^vitrine: session id 01a1e584 is ambiguous: it matches (s[0-9a-f]{11}, ){5}…\. Give more characters of the id\n$/,
    )
    const missing = (name: string) =>
      `vitrine: session ${name} does not exist. List sessions with: vitrine runs\n`
    expect(unknown).toBe(missing('s00000000000'))
    expect(uuid).toBe(missing('deadbeef-0000-4000-8000-000000000000'))
    expect(emptyFile).toBe(
      `vitrine: ${empty}: empty. Make the agent print events: vitrine agents lists the flags\n`,
    )
    expect(emptyId).toBe(missing('00000000-0000-4000-8000-000000000000'))
  })

  test('shows what a damaged file still has', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const file = claudeFile(place, CLAUDE_GREET)
    const rows = readFileSync(file, 'utf8').trimEnd().split('\n')
    const damaged = rows.flatMap((row, index) =>
      index % 9 === 8 ? ['\0\0\0 {"type":', '[]', 'null', '{"type":7}', row] : [row],
    )
    writeFileSync(file, `${damaged.join('\n')}\n{"type":"user","mess`)
    const {exitCode, stdout, stderr} = await place.vitrine(['view', CLAUDE_GREET, '--verdict'])
    expect(exitCode).toBe(0)
    expect(stdout).toContain('[claude] Edit: src/greet.js\n')
    expect(stdout).toContain('"verdict":"truncated","reason":"the last line is incomplete"')
    expect(stderr).toMatch(/^vitrine: line 9: not valid JSON/m)
    const {totals} = truthOf('claude', CLAUDE_GREET)
    const row = rowOf(await listRows(place), CLAUDE_GREET)
    expect(row.tokens).toMatchObject({input: totals.input, output: totals.output})
    truncateSync(file, 10)
    expect((await place.vitrine(['view', file])).stderr).toContain(file)
    expect((await listRows(place)).some(({sessionId}) => sessionId === CLAUDE_GREET)).toBe(false)
  })
})

describe.concurrent('vitrine export', () => {
  test('writes a session as a page without secrets', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const file = claudeFile(place, CLAUDE_GREET)
    const secret = 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replaceAll('It now says good day', `Key ${secret}`),
    )
    const before = hashFolder(sessionFolder(place.folder, 'claude'))
    const {exitCode, stdout} = await place.vitrine(['export', CLAUDE_GREET, '-o', 'page.html'])
    expect({exitCode, stdout}).toEqual({
      exitCode: 0,
      stdout: expect.stringMatching(
        /^page\.html {2}[\d,.]+ kB, \d+ records, secrets masked\n$/,
      ) as string,
    })
    const page = readFileSync(place.file('page.html'), 'utf8')
    const [, facts = ''] = /id="vitrine-run">([^<]*)</.exec(page) ?? []
    const {runId} = rowOf(await listRows(place), CLAUDE_GREET)
    expect(JSON.parse(facts)).toMatchObject({runId, state: 'over', isStuck: false})
    const blocks = page.matchAll(
      /<script type="application\/octet-stream" [^>]*>([^<]*)<\/script>/g,
    )
    const content = [...blocks]
      .map(([, packed = '']) => String(gunzipSync(Buffer.from(packed, 'base64'))))
      .join('\n')
    expect(content).toContain('Say good day in the greeter')
    expect(content).toContain('src/greet.js')
    expect(content).toContain('Key ')
    expect(content + page).not.toContain(secret)
    expect(existsSync(place.file('data/transcripts'))).toBe(false)
    expect(hashFolder(sessionFolder(place.folder, 'claude'))).toEqual(before)
    expect(await place.vitrine(['export', 's00000000000'])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: 'vitrine: session s00000000000 does not exist. List sessions with: vitrine runs\n',
    })
  })
})

describe.skipIf(!hasTerminal).concurrent('vitrine without arguments', () => {
  test('names the first commands when there is nothing to show', async ({place, expect}) => {
    const shown = await Promise.all(
      [60, 80, 100].map((columns) => runOnTerminal(place, [], columns)),
    )
    for (const lines of shown) {
      expect(lines).toEqual([
        'No runs or sessions yet.',
        '',
        '  vitrine run claude -p "Fix the failing test"   start an agent',
        '  vitrine doctor                                 check the session folders',
      ])
    }
    // It changes nothing.
    expect(listFiles(place.folder)).toEqual([])
  })

  test('shows the last sessions and runs', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'codex', 'kimi')
    for (const agent of ['claude', 'codex', 'kimi']) age(sessionFolder(place.folder, agent))
    const month = new Date().toLocaleString('en', {month: 'long', timeZone: 'UTC'})
    for (const hasRun of [false, true]) {
      if (hasRun) {
        const run = ['run', '--agent', 'claude', '--id', 'aaaa', '--', fake('happy')]
        expect((await place.start(run).ended).exitCode).toBe(0)
      }
      const shown = await Promise.all(
        [60, 80, 100].map((columns) => runOnTerminal(place, [], columns)),
      )
      for (const [index, columns] of [60, 80, 100].entries()) {
        const lines = shown[index] ?? []
        expect(lines.filter((line) => textWidth(line) > columns)).toEqual([])
        expect(lines[0]).toMatch(
          new RegExp(`^Today \\${hasRun ? '$0.01' : '$0.00'} · 0 live +${month} ≈?\\$[\\d.,]+$`),
        )
        expect(textWidth(lines[0] ?? '')).toBe(columns)
        expect(lines[1]).toBe('')
        expect(lines[2]).toMatch(
          columns < 80
            ? /^ID +STATE +TITLE +COST +TIME$/
            : /^ID +STATE +AGENT +TITLE +PROJECT +COST +TIME$/,
        )
        const rows = lines.slice(3, lines.indexOf('', 3))
        expect(rows).toHaveLength(12)
        expect(rows[0]).toMatch(hasRun ? /^aaaa +✓ succeeded / : /^s[0-9a-f]{3,} +■ ended /)
        const id = rows[0]?.split(' ')[0]
        const more = columns < 80 ? '' : '     vitrine --help'
        expect(lines[lines.indexOf('', 3) + 1]).toBe(
          `vitrine view ${id}     vitrine usage     vitrine serve${more}`,
        )
        expect(lines.at(-1)).toBe('▲ 1 model has no price: kimi-k2.7')
      }
    }
  })
})

describe.concurrent('session files', () => {
  test('stay the same after every command, also in folders without write permission', async ({
    place,
    expect,
  }) => {
    copySessions(place.folder, ...AGENTS)
    const folders = AGENTS.map((agent) => sessionFolder(place.folder, agent))
    for (const folder of folders) age(folder)
    const protectedFolder = join(
      sessionFolder(place.folder, 'claude'),
      'projects/-home-dev-project',
    )
    chmodSync(protectedFolder, 0o555)
    const hash = () => folders.map((folder) => hashFolder(folder))
    const before = hash()
    const rows = await listRows(place)
    for (const agent of AGENTS) {
      const {runId} = rows.find((row) => row.agent === agent) ?? {runId: ''}
      const [view, page] = await Promise.all([
        place.vitrine(['view', runId, '--verdict']),
        place.vitrine(['export', runId, '-o', `${agent}.html`]),
      ])
      expect(view).toMatchObject({exitCode: 0, stderr: ''})
      expect(page).toMatchObject({exitCode: 0, stderr: ''})
    }
    expect((await place.vitrine(['usage', '--all', '--json'])).exitCode).toBe(0)
    chmodSync(protectedFolder, 0o755)
    expect(hash()).toEqual(before)
  })

  test.skipIf(!canLosePermissions)(
    'reports files of other users and lists the rest',
    async ({place, expect}) => {
      copySessions(place.folder, 'claude', 'codex', 'pi')
      const denied = claudeFile(place, CLAUDE_GREET)
      const folder = join(sessionFolder(place.folder, 'codex'), 'sessions')
      chmodSync(denied, 0)
      chmodSync(folder, 0)
      chmodSync(place.folder, 0o755)
      // Another user may not read the folder of this repository.
      const dist = dirname(dirname(bin))
      cpSync(dist, place.file('dist'), {recursive: true})
      cpSync(join(dist, '../package.json'), place.file('package.json'))
      const program = place.file('dist/cli/bin.js')
      const args = [program, 'runs', '--json', '--data-dir', place.dataDir]
      const [command = '', ...rest] = [...WITHOUT_PERMISSIONS, process.execPath, ...args]
      const {status, stdout, stderr} = spawnSync(command, rest, {
        encoding: 'utf8',
        env: {PATH: process.env['PATH'], HOME: place.folder, TZ: 'UTC', ...place.env},
      })
      const rows = readLines(stdout) as Row[]
      expect(status).toBe(0)
      expect(rows.some(({sessionId}) => sessionId === CLAUDE_GREET)).toBe(false)
      expect(rows.filter(({agent}) => agent === 'pi')).toHaveLength(readTruth('pi').total.sessions)
      expect(rows.filter(({agent}) => agent === 'claude')).toHaveLength(
        readTruth('claude').total.sessions - 1,
      )
      expect(stderr).toContain(`vitrine: ${denied}: permission denied\n`)
      expect(stderr).toContain(`vitrine: ${folder}: permission denied\n`)
      chmodSync(folder, 0o755)
    },
  )

  test('reports what cannot be read and lists the others', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'codex', 'pi', 'copilot')
    const project = join(sessionFolder(place.folder, 'claude'), 'projects/-home-dev-project')
    const odd = (name: string) => join(project, `${name}-0000-4000-8000-000000000000.jsonl`)
    mkdirSync(odd('11111111'))
    symlinkSync('/nonexistent', odd('22222222'))
    symlinkSync(odd('33333333'), odd('33333333'))
    symlinkSync(project, join(project, 'loop'))
    const [pi, copilot] = ['pi', 'copilot'].map((agent) => sessionFolder(place.folder, agent))
    rmSync(pi ?? '', {recursive: true})
    writeFileSync(pi ?? '', 'a file in place of the folder')
    rmSync(copilot ?? '', {recursive: true})
    symlinkSync(copilot ?? '', copilot ?? '')
    const {exitCode, stdout, stderr} = await place.vitrine(['runs', '--json'])
    const rows = readLines(stdout) as Row[]
    const countOf = (agent: string) => rows.filter((row) => row.agent === agent).length
    expect(exitCode).toBe(0)
    expect(countOf('claude')).toBe(readTruth('claude').total.sessions)
    expect(countOf('codex')).toBe(readTruth('codex').total.sessions)
    expect(stderr).toMatch(/^(vitrine: .*\n)+$/)
    expect(stderr).toContain(`vitrine: ${copilot}: too many symbolic links\n`)
    expect(stderr).toContain(`vitrine: ${odd('33333333')}: too many symbolic links\n`)
    expect(rowOf(rows, CLAUDE_FORK).kind).toBe('session')
  })
})
