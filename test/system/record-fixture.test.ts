import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {findAgent} from '../../src/agents/find-agent.ts'
import type {Adapter} from '../../src/core/events/adapter.ts'
import {createGolden} from '../../src/fixture/golden.ts'
import {scrubStream} from '../../src/fixture/scrub.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {fixtures} from '../support/fixtures.ts'
import {createPlace, type Place} from '../support/run.ts'
import {expectScrubbable, NO_TRACES} from '../support/scrub.ts'
import {bin, fixture, vitrine} from '../support/vitrine.ts'

const SESSION = '0adf6845-4c3a-45a4-ba9e-f965dadd0df5'
const KEY = `sk-ant-api03-${'Ab1'.repeat(12)}`

/** A stream with personal data and with unknown records. */
const odd = [
  {
    type: 'system',
    subtype: 'init',
    cwd: '/home/alice/code/shop',
    session_id: SESSION,
    brand_new: 1,
  },
  `alice looks at /home/alice/code/shop/a.ts, session ${SESSION}`,
  {
    type: 'assistant',
    message: {
      id: 'msg_01f7Pbh0ESmIjKw6gg6sPu3Q',
      type: 'message',
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'toolu_012xiSOMzD4JN72uLBiTeF6F',
          name: 'Bash',
          input: {
            command: 'cat /tmp/plan-of-acme.txt ~/.claude/projects/-home-alice-code-shop',
            json: `{"text":"\\nalice@corp.test\\n/home/alice/x","key":"${KEY}"}`,
          },
        },
      ],
    },
    session_id: SESSION,
    timestamp: '2026-11-16T09:37:57.123Z',
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_012xiSOMzD4JN72uLBiTeF6F',
          content:
            'By Alice <alice@corp.test> and Claude <noreply@anthropic.com>\n/tmp/plan-of-acme.txt',
        },
      ],
    },
    session_id: SESSION,
    timestamp: '2026-11-16T11:37:59+02:00',
    password: 'correct-horse-9',
  },
  {type: 'novel_thing', session_id: SESSION, at: 1_794_821_880_123, since: '2020-01-01T00:00:00Z'},
  '{"type":"assistant","message":{"content":[{"ty',
  {type: 'result', subtype: 'success', is_error: false, result: 'Done', session_id: SESSION},
]

const scrubbed = [
  {
    type: 'system',
    subtype: 'init',
    cwd: '/home/dev/project',
    session_id: '00000000-0000-4000-8000-000000000001',
    brand_new: 1,
  },
  'dev looks at /home/dev/project/a.ts, session 00000000-0000-4000-8000-000000000001',
  {
    type: 'assistant',
    message: {
      id: 'msg_000000000000000000000001',
      type: 'message',
      role: 'assistant',
      content: [
        {
          type: 'tool_use',
          id: 'toolu_000000000000000000000002',
          name: 'Bash',
          input: {
            command: 'cat /tmp/temp-1.txt ~/.claude/projects/-home-dev-project',
            json: '{"text":"\\ndev1@example.com\\n/home/dev/x","key":"sk-ant-***"}',
          },
        },
      ],
    },
    session_id: '00000000-0000-4000-8000-000000000001',
    timestamp: '2001-09-09T01:46:40.123Z',
  },
  {
    type: 'user',
    message: {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'toolu_000000000000000000000002',
          content: 'By dev <dev1@example.com> and Claude <noreply@anthropic.com>\n/tmp/temp-1.txt',
        },
      ],
    },
    session_id: '00000000-0000-4000-8000-000000000001',
    timestamp: '2001-09-09T03:46:42+02:00',
    password: '***',
  },
  {
    type: 'novel_thing',
    session_id: '00000000-0000-4000-8000-000000000001',
    at: 1_000_000_003_123,
    since: '2020-01-01T00:00:00Z',
  },
  '{"type":"assistant","message":{"content":[{"ty',
  {
    type: 'result',
    subtype: 'success',
    is_error: false,
    result: 'Done',
    session_id: '00000000-0000-4000-8000-000000000001',
  },
]

let place: Place

beforeAll(() => {
  place = createPlace()
  writeFileSync(place.file('odd.jsonl'), toStream(odd))
})

afterAll(() => {
  place.clear()
})

function toStream(records: readonly (object | string)[]): string {
  return records
    .map((record) => `${typeof record === 'string' ? record : JSON.stringify(record)}\n`)
    .join('')
}

function recordFixture(...args: string[]): ReturnType<typeof vitrine> {
  return vitrine(['record-fixture', ...args], {env: {HOME: place.folder}})
}

describe('a fixture', () => {
  test('has no personal data, consistent replacements and no other change', () => {
    const {status, stdout, stderr} = recordFixture(
      place.file('odd.jsonl'),
      '--out',
      place.file('out'),
    )
    const base = place.file('out/odd')
    expect(stderr).toBe('')
    expect(stdout).toBe(
      `${base}.jsonl\n${base}.events.ndjson\n${base}.txt\n` +
        'Masked: 2 secrets, 6 paths, 2 names, 2 e-mail addresses, 9 ids, 3 times.\n' +
        '7 events of Claude Code, same kinds and order as before.\n' +
        `Check ${base}.jsonl before you share it: not every name can be detected.\n` +
        'To add it as a test, put the files into src/agents/claude/fixtures/<version>/\n',
    )
    expect(status).toBe(0)
    expect(readFileSync(`${base}.jsonl`, 'utf8')).toBe(toStream(scrubbed))
  })

  test('has the golden files that the tests of Vitrine expect', () => {
    const base = place.file('out/odd')
    const {events, text} = createGolden(claude(), readFileSync(`${base}.jsonl`))
    expect(readFileSync(`${base}.events.ndjson`, 'utf8')).toBe(events)
    expect(readFileSync(`${base}.txt`, 'utf8')).toBe(text)
    expect(events).toContain('"type":"malformed"')
    expect(events).toContain('"reason":"novel_thing"')
  })

  test('is identical to the one in the repository for a recording without personal data', () => {
    const source = fixture('codex/0.36.0/plan')
    const ended = recordFixture(source, '--out', place.file('same'), '--keep-times')
    expect(ended).toMatchObject({status: 0, stdout: expect.stringContaining('Masked: nothing.')})
    for (const ending of ['.jsonl', '.events.ndjson', '.txt']) {
      const made = readFileSync(place.file(`same/plan${ending}`), 'utf8')
      expect(made).toBe(readFileSync(source.replace(/\.jsonl$/, ending), 'utf8'))
    }
  })

  test('is not replaced without --force', () => {
    const path = place.file('out/odd.txt')
    const kept = place.file('kept')
    mkdirSync(kept)
    writeFileSync(place.file('kept/odd.txt'), 'mine')
    expect(recordFixture(place.file('odd.jsonl'), '--out', kept)).toEqual({
      status: 2,
      stdout: '',
      stderr: `vitrine: ${place.file('kept/odd.txt')}: already exists. Use --force to replace it, or another --name\n`,
    })
    expect(readFileSync(place.file('kept/odd.txt'), 'utf8')).toBe('mine')
    expect(existsSync(place.file('kept/odd.jsonl'))).toBe(false)
    expect(recordFixture(place.file('odd.jsonl'), '--out', kept, '--force').status).toBe(0)
    expect(readFileSync(place.file('kept/odd.txt'))).toEqual(readFileSync(path))
  })

  test('contains no working directory, home folder or masked words of its run', async () => {
    const cwd = place.file('shop')
    mkdirSync(cwd)
    const text = `ACME-7 in ${cwd}/a.ts and ${place.folder}/.ssh`
    const content = [{type: 'text', text}]
    const message = {id: 'm', type: 'message', role: 'assistant', content}
    writeFileSync(place.file('run.jsonl'), toStream([{type: 'assistant', message}]))
    const options = ['--data-dir', place.dataDir, '--agent', 'claude', '--id', 'shop']
    const command = ['--', bin, 'fake-agent', place.file('run.jsonl')]
    await place.start(['run', ...options, ...command], {cwd}).ended

    const where = ['--out', place.file('runs'), '--name', 'of-a-run', '--data-dir', place.dataDir]
    expect(recordFixture('shop', ...where, '--mask', 'acme').status).toBe(0)
    const made = readFileSync(place.file('runs/of-a-run.jsonl'), 'utf8')
    expect(JSON.parse(made)).toEqual({
      type: 'assistant',
      message: {
        ...message,
        content: [{type: 'text', text: 'masked-7 in /home/dev/project/a.ts and /home/dev/.ssh'}],
      },
    })
  })

  test('has the scrubbed command and stderr, the exit code and the expected verdict of a failed run', async () => {
    const cwd = place.file('failing')
    mkdirSync(cwd)
    const script = place.file('failing/agent.sh')
    const line = JSON.stringify({type: 'system', subtype: 'init', session_id: SESSION, cwd})
    writeFileSync(script, `echo '${line}'\necho "cannot read ${cwd}/a.ts" >&2\nexit 3\n`)
    const options = ['--data-dir', place.dataDir, '--agent', 'claude', '--id', 'failing']
    await place.start(['run', ...options, '--', 'sh', script], {cwd}).ended

    const where = ['--out', place.file('failed'), '--data-dir', place.dataDir]
    const {status, stdout} = recordFixture('failing', ...where)
    const base = place.file('failed/failing')
    expect(status).toBe(0)
    expect(stdout).toContain(`${base}.txt\n${base}.meta.json\n${base}.stderr\n`)
    expect(readFileSync(`${base}.stderr`, 'utf8')).toBe('cannot read /home/dev/project/a.ts\n')
    expect(JSON.parse(readFileSync(`${base}.meta.json`, 'utf8'))).toEqual({
      scenario: 'failing',
      argv: ['sh', '/home/dev/project/agent.sh'],
      exitCode: 3,
      signal: null,
      verdict: 'failed',
      reason: 'cannot read /home/dev/project/a.ts',
    })
  })

  test('is not written when scrubbing would change its events', () => {
    const ended = recordFixture(
      place.file('odd.jsonl'),
      '--out',
      place.file('other'),
      '--mask',
      'result',
    )
    expect(ended).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(
        /the scrubbed output has different events: .*\. Nothing was written\n$/,
      ) as string,
    })
    expect(existsSync(place.file('other'))).toBe(false)
  })

  test('is not written when --name is a path', () => {
    expect(recordFixture(place.file('odd.jsonl'), '--name', '../x')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'vitrine: --name ../x: not a file name. Use --out for the directory\n',
    })
  })

  test('is not written for unknown or empty input', () => {
    writeFileSync(place.file('prose.jsonl'), 'prose\n')
    writeFileSync(place.file('empty.jsonl'), '')
    const mistakes = [
      [place.file('prose.jsonl'), 'unknown agent. Name one with --agent'],
      [place.file('empty.jsonl'), 'the output is empty'],
    ] as const
    for (const [path, sentence] of mistakes) {
      const ended = recordFixture(
        path,
        ...(sentence === 'the output is empty' ? ['--agent', 'codex'] : []),
      )
      expect(ended).toEqual({status: 2, stdout: '', stderr: `vitrine: ${path}: ${sentence}\n`})
    }
  })
})

describe('scrubbing', () => {
  // All recordings: test/slow/fixture-scrub.test.ts.
  test('keeps the events of recordings, and changes nothing the second time', async () => {
    await expectForEach(
      fixtures.filter((_, index) => index % 8 === 0),
      expectScrubbable,
    )
  })

  test.each([
    [
      'masks a user of macOS',
      'in /Users/bob/x and /private/var/folders/a1/b2c3/T/x',
      'in /Users/dev/x and /tmp/temp-1',
    ],
    [
      'masks a user of Windows',
      String.raw`C:\Users\bob\x, C:\\Users\\bob`,
      String.raw`C:\Users\dev\x, C:\\Users\\dev`,
    ],
    ['masks a user of Linux', '/home/bob/x: Bob, bob-2, bobby', '/home/dev/x: dev, bob-2, bobby'],
    [
      'keeps a URL that looks like a home folder',
      'https://host.test/home/page and page',
      'https://host.test/home/page and page',
    ],
    ['keeps a relative folder', 'src/tmp/cache', 'src/tmp/cache'],
    ['masks an id in capitals', SESSION.toUpperCase(), '00000000-0000-4000-8000-000000000001'],
    [
      'keeps addresses of programs',
      'git@github.com left-pad@1.3.0',
      'git@github.com left-pad@1.3.0',
    ],
  ])('%s', (_, text, expected) => {
    expect(scrubStream(Buffer.from(text), NO_TRACES).bytes.toString()).toBe(expected)
  })

  test('keeps bytes that are not UTF-8', () => {
    const bytes = Buffer.from('\xff\xfe /home/bob/x \xe2\n', 'latin1')
    expect(scrubStream(bytes, NO_TRACES).bytes.toString('latin1')).toBe(
      '\xff\xfe /home/dev/x \xe2\n',
    )
  })

  test('handles a very long word', () => {
    const long = Buffer.from(JSON.stringify({text: 'a.b-'.repeat(500_000)}))
    expect(
      scrubStream(long, {...NO_TRACES, users: ['alice'], beganAt: 1e12}).bytes.equals(long),
    ).toBe(true)
  })
})

function claude(): Adapter {
  const agent = findAgent('claude')
  if (agent === null) throw new Error('no Claude')
  return agent
}
