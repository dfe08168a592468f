import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {gunzipSync} from 'node:zlib'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {FullRecord, RunItem} from '../../src/replay/run-item.ts'
import {exportBig, exportGoing, LONG_OUTPUT} from '../support/export-page.ts'
import {createPlace, type Place} from '../support/run.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** Made-up secrets of several kinds. */
const SECRETS = {
  key: 'sk-ant-api03-q7Zk2mPx9RtVw4YbNcLd8sHfJg5uEaKo3iTy6QnB',
  github: 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  password: 'correct-horse-9-battery',
  bearer: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA.abcdef0123456789',
}

/** Records a run of a made-up stream. */
async function record(id: string, lines: readonly unknown[], prompt: string): Promise<void> {
  const path = place.file(`${id}.jsonl`)
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path, `${text.join('\n')}\n`)
  await place.runFake('replay', ['--id', id], {
    agentArgs: ['-p', prompt],
    env: {STDOUT_FILE: path},
  })
}

const INIT = {type: 'system', subtype: 'init', session_id: 's', model: 'claude-opus-5-5', tools: []}
const DONE = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'All done.',
  num_turns: 1,
}

function assistantMessage(content: object): object {
  return {
    type: 'assistant',
    message: {id: `m${JSON.stringify(content).length}`, content: [content]},
  }
}

function assistantText(text: string): object {
  return assistantMessage({type: 'text', text})
}

function toolCall(id: string, name: string, input: object): object {
  return assistantMessage({type: 'tool_use', id, name, input})
}

function returns(id: string, content: string): object {
  return {type: 'user', message: {content: [{type: 'tool_result', tool_use_id: id, content}]}}
}

/** All data in an exported page, unpacked. */
function readData(html: string): {items: RunItem[]; records: FullRecord[]; facts: unknown} {
  const read = <T>(mark: string): T[] => {
    const blocks = html.matchAll(
      new RegExp(`<script type="application/octet-stream" ${mark}[^>]*>([^<]*)</script>`, 'g'),
    )
    return [...blocks].flatMap(
      ([, packed = '']) => JSON.parse(String(gunzipSync(Buffer.from(packed, 'base64')))) as T[],
    )
  }
  const [, facts = ''] = /id="vitrine-run">([^<]*)</.exec(html) ?? []
  return {
    items: read<RunItem>('data-items'),
    records: read<FullRecord>('data-records'),
    facts: JSON.parse(facts),
  }
}

describe('vitrine export', () => {
  beforeAll(async () => {
    await place.runFake('happy', ['--id', 'happy'])
  })

  test('writes a page and prints one line about it', async () => {
    const {exitCode, stdout, stderr} = await place.vitrine(['export', 'happy', '--html', '--force'])
    expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
    expect(stdout).toMatch(/^happy\.html {2}\d+ kB, 6 records, secrets masked\n$/)
    const html = readFileSync(place.file('happy.html'), 'utf8')
    expect(html).toMatch(/^<!doctype html>/)
    const {items, records, facts} = readData(html)
    expect(items.map(({n}) => n)).toEqual(items.map((_, at) => at + 1))
    expect(items.at(-1)).toMatchObject({type: 'end', verdict: 'succeeded'})
    expect(records.map(({raw}) => raw).join('')).toBe(String(place.read('happy', 'stdout')))
    expect(facts).toMatchObject({runId: 'happy', state: 'over', records: {count: 6, full: 6}})
    expect(readdirSync(place.folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('writes no reference that a browser could load', async () => {
    await place.vitrine(['export', 'happy', '--force'])
    const html = readFileSync(place.file('happy.html'), 'utf8')
    const [head = '', rest = ''] = html.split('<style>')
    const [style = '', body = ''] = rest.split('</style>')
    expect(head).toContain("default-src 'none'; script-src 'sha256-")
    expect(head.match(/<link[^>]*href="(?!data:)/g)).toBeNull()
    expect(style.match(/@import|url\((?!["']?data:)/g)).toBeNull()
    expect(body.match(/<script(?=[\s>])/gi)).toHaveLength(4)
    expect(body.match(/<\/script/gi)).toHaveLength(4)
    expect(html.match(/sourceMappingURL|<script[^>]* src=/g)).toBeNull()
  })

  test('finds a run by the prefix of its id and writes to --output', async () => {
    const {exitCode, stdout} = await place.vitrine(['export', 'hap', '-o', 'other.html'])
    expect({exitCode, stdout}).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^other\.html /) as string,
    })
    expect(existsSync(place.file('other.html'))).toBe(true)
  })

  test('writes to stdout, and its message to stderr', async () => {
    const {exitCode, stdout, stderr} = await place.vitrine(['export', 'happy', '-o', '-'])
    expect(exitCode).toBe(0)
    expect(readData(stdout).facts).toMatchObject({runId: 'happy'})
    expect(stdout.endsWith('</html>\n')).toBe(true)
    expect(stderr).toMatch(/^stdout {2}\d+ kB, 6 records, secrets masked\n$/)
  })

  test('replaces a file only with --force, and never a device', async () => {
    writeFileSync(place.file('mine.html'), 'mine')
    expect(await place.vitrine(['export', 'happy', '-o', 'mine.html'])).toMatchObject({
      exitCode: 2,
      stderr:
        'vitrine: mine.html: already exists. Use --force to replace it, or --output to choose another file\n',
    })
    expect(readFileSync(place.file('mine.html'), 'utf8')).toBe('mine')
    const forced = await place.vitrine(['export', 'happy', '-o', 'mine.html', '--force'])
    expect(forced.exitCode).toBe(0)
    expect(readFileSync(place.file('mine.html'), 'utf8')).toMatch(/^<!doctype/)
    if (process.platform === 'win32') return
    expect((await place.vitrine(['export', 'happy', '-o', '/dev/null', '--force'])).exitCode).toBe(
      0,
    )
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true)
  })

  test('reports the input, the problem and the remedy', async () => {
    mkdirSync(place.file('folder'))
    writeFileSync(place.file('happy.jsonl'), '')
    const errors: [string[], string][] = [
      [['nope'], 'run nope does not exist. List runs with: vitrine runs'],
      [['../happy'], 'run ../happy does not exist. List runs with: vitrine runs'],
      [['happy', '-o', 'folder'], 'folder: is a directory. Name a file in it with --output'],
      [
        ['happy', '-o', 'no/such.html'],
        'no/such.html: no such file or folder. Choose another file with --output',
      ],
      [
        ['happy', '-o', 'happy.jsonl/x'],
        'happy.jsonl/x: part of the path is a file, expected a folder. Choose another file with --output',
      ],
      [[], "missing required argument 'run'"],
    ]
    for (const [args, message] of errors) {
      expect(await place.vitrine(['export', ...args])).toEqual({
        exitCode: 2,
        signal: null,
        stdout: '',
        stderr: `vitrine: ${message}\n`,
      })
    }
  })

  test.skipIf(!existsSync('/proc/version'))('reports the path that it cannot write', async () => {
    expect(await place.vitrine(['export', 'happy', '-o', '/proc/x.html'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^vitrine: \/proc\/x\.html: .*--output\n$/) as string,
    })
  })

  test('exports a live run up to now and reports that', async () => {
    const {exitCode, stderr} = await exportGoing(place)
    expect({exitCode, stderr}).toEqual({
      exitCode: 0,
      stderr: 'vitrine: run going is still running; exported up to now\n',
    })
    const {items, facts} = readData(readFileSync(place.file('going.html'), 'utf8'))
    expect(facts).toMatchObject({state: 'running'})
    expect(items.some(({type}) => type === 'end')).toBe(false)
  })

  test('exports the first records in full, truncated ones before the others, and all with --full', async () => {
    const {stdout} = await exportBig(place)
    expect(stdout).toMatch(/^big\.html {2}\S+ \wB, 402 records \(\d+ in full; --full for all\), /)
    const {records} = readData(readFileSync(place.file('big.html'), 'utf8'))
    expect(records.length).toBeGreaterThan(100)
    expect(records.every(({line}) => line % 2 === 1)).toBe(true)
    const all = await place.vitrine(['export', 'big', '--full', '-o', 'all.html'])
    expect(all.stdout).toMatch(/402 records, secrets masked/)
    expect(readData(readFileSync(place.file('all.html'), 'utf8')).records).toHaveLength(402)
  })
})

describe('secrets', () => {
  test('do not appear anywhere in the file', async () => {
    const {key, github, password, bearer} = SECRETS
    const command = `curl -H "Authorization: Bearer ${bearer}" https://user:${password}@example.com`
    await record(
      'leaky',
      [
        INIT,
        assistantText(`The key is ${key}. ${'Then some. '.repeat(200)} And ${github}`),
        toolCall('t1', 'Bash', {command, env: {DB_PASSWORD: password}}),
        returns('t1', `${LONG_OUTPUT}\nANTHROPIC_API_KEY=${key}\nDB_PASSWORD=${password}\n`),
        `{"type":"assistant","half a line with ${github}`,
        {type: 'quite_new', token: github, note: `Bearer ${bearer}`},
        {...DONE, result: `Done with ${github}`},
      ],
      `Use ${key} and ${github}`,
    )
    // The recording does contain them.
    expect(String(place.read('leaky', 'stdout'))).toContain(password)
    const {exitCode} = await place.vitrine(['export', 'leaky'])
    expect(exitCode).toBe(0)
    const html = readFileSync(place.file('leaky.html'), 'utf8')
    const {items, records, facts} = readData(html)
    const all = html + JSON.stringify({items, records, facts})
    expect(all).toContain('DB_PASSWORD=***')
    for (const secret of Object.values(SECRETS)) {
      expect([secret, all.includes(secret), all.includes(secret.slice(8))]).toEqual([
        secret,
        false,
        false,
      ])
    }
  })
})
