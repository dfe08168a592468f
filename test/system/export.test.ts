import {existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync} from 'node:fs'
import {createRequire} from 'node:module'
import {pathToFileURL} from 'node:url'
import {gunzipSync} from 'node:zlib'
import axe from 'axe-core'
import type {Browser, BrowserContext, Page} from 'playwright-core'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type {FullRecord, RunItem} from '../../src/hub/protocol.ts'
import {launchBrowser} from '../support/browser.ts'
import {HOSTILE} from '../support/hostile.ts'
import {createPlace, until, type Place} from '../support/run.ts'
import {fixture} from '../support/vitrine.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** Secrets of several kinds, none of them anybody's. */
const SECRETS = {
  key: 'sk-ant-api03-q7Zk2mPx9RtVw4YbNcLd8sHfJg5uEaKo3iTy6QnB',
  github: 'ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8',
  password: 'correct-horse-9-battery',
  bearer: 'Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MA.abcdef0123456789',
}

const LONG_OUTPUT = Array.from({length: 400}, (_, at) => `line ${at} of a long output`).join('\n')

/** A run of a made-up stream: what comes from it is told by its id. */
async function record(id: string, lines: readonly unknown[], prompt = 'Do it'): Promise<void> {
  const path = place.file(`${id}.jsonl`)
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(path, `${text.join('\n')}\n`)
  await replay(id, path, prompt)
}

async function replay(id: string, path: string, prompt = 'Do it'): Promise<void> {
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

function says(content: object): object {
  return {
    type: 'assistant',
    message: {id: `m${JSON.stringify(content).length}`, content: [content]},
  }
}

function speaks(text: string): object {
  return says({type: 'text', text})
}

function calls(id: string, name: string, input: object): object {
  return says({type: 'tool_use', id, name, input})
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

/** A run that goes on, exported in the middle of a tool. */
const exportGoing = once(async () => {
  const {child, ended} = place.startFake('tool-hangs', ['--id', 'going'])
  await until(() => place.read('going', 'stdout').includes('tool_use'))
  const exported = await place.vitrine(['export', 'going'])
  child.kill('SIGINT')
  await ended
  return exported
})

/** A run whose records are too many to be exported in full unless that is asked for. */
const exportBig = once(async () => {
  const tools = Array.from({length: 200}, (_, at) => [
    calls(`t${at}`, 'Bash', {command: `echo ${at}`}),
    returns(`t${at}`, 'x'.repeat(60_000)),
  ])
  await record('big', [INIT, ...tools.flat(), DONE])
  return place.vitrine(['export', 'big'])
})

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

describe('vitrine export', () => {
  beforeAll(async () => {
    await place.runFake('happy', ['--id', 'happy'])
  })

  test('writes a page, and says in a line what it is', async () => {
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

  test('names nothing that could be loaded', async () => {
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

  test('finds a run by the beginning of its id, and writes where it is told', async () => {
    const {exitCode, stdout} = await place.vitrine(['export', 'hap', '-o', 'other.html'])
    expect({exitCode, stdout}).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/^other\.html /) as string,
    })
    expect(existsSync(place.file('other.html'))).toBe(true)
  })

  test('writes to stdout, with its remark beside', async () => {
    const {exitCode, stdout, stderr} = await place.vitrine(['export', 'happy', '-o', '-'])
    expect(exitCode).toBe(0)
    expect(readData(stdout).facts).toMatchObject({runId: 'happy'})
    expect(stdout.endsWith('</html>\n')).toBe(true)
    expect(stderr).toMatch(/^stdout {2}\d+ kB, 6 records, secrets masked\n$/)
  })

  test('replaces a file only when it may, and never what is no file', async () => {
    writeFileSync(place.file('mine.html'), 'mine')
    expect(await place.vitrine(['export', 'happy', '-o', 'mine.html'])).toMatchObject({
      exitCode: 2,
      stderr: 'vitrine: mine.html: is there already. --force replaces it, --output names another\n',
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

  test('says what is wrong, and what to do', async () => {
    mkdirSync(place.file('folder'))
    writeFileSync(place.file('happy.jsonl'), '')
    const errors: [string[], string][] = [
      [['nope'], 'run nope is not here. Recordings: vitrine runs'],
      [['../happy'], 'run ../happy is not here. Recordings: vitrine runs'],
      [['happy', '-o', 'folder'], 'folder: is a folder. Name a file in it with --output'],
      [
        ['happy', '-o', 'no/such.html'],
        'no/such.html: no such folder. Make it first, or name another file with --output',
      ],
      [
        ['happy', '-o', 'happy.jsonl/x'],
        'happy.jsonl/x: a file is in the way. Name another with --output',
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

  test.skipIf(!existsSync('/proc/version'))('says where it cannot write', async () => {
    expect(await place.vitrine(['export', 'happy', '-o', '/proc/x.html'])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/^vitrine: \/proc\/x\.html: .*--output\n$/) as string,
    })
  })

  test('exports a run that goes on as far as it is, and says so', async () => {
    const {exitCode, stderr} = await exportGoing()
    expect({exitCode, stderr}).toEqual({
      exitCode: 0,
      stderr: 'vitrine: run going goes on; exported as far as it is\n',
    })
    const {items, facts} = readData(readFileSync(place.file('going.html'), 'utf8'))
    expect(facts).toMatchObject({state: 'running'})
    expect(items.some(({type}) => type === 'end')).toBe(false)
  })

  test('has the first records in full, those that are cut before the others, or all', async () => {
    const {stdout} = await exportBig()
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
  test('are nowhere in the file', async () => {
    const {key, github, password, bearer} = SECRETS
    const command = `curl -H "Authorization: Bearer ${bearer}" https://user:${password}@example.com`
    await record(
      'leaky',
      [
        INIT,
        speaks(`The key is ${key}. ${'Then some. '.repeat(200)} And ${github}`),
        calls('t1', 'Bash', {command, env: {DB_PASSWORD: password}}),
        returns('t1', `${LONG_OUTPUT}\nANTHROPIC_API_KEY=${key}\nDB_PASSWORD=${password}\n`),
        `{"type":"assistant","half a line with ${github}`,
        {type: 'quite_new', token: github, note: `Bearer ${bearer}`},
        {...DONE, result: `Done with ${github}`},
      ],
      `Use ${key} and ${github}`,
    )
    // They are in the recording, or there would be nothing to see here.
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

describe('in a browser', async () => {
  const browser: Browser | undefined = await launchBrowser()
  let context: BrowserContext
  let page: Page
  let wrongs: string[] = []

  beforeAll(async () => {
    await record('tools', [
      INIT,
      speaks('I look at it *first*.\n\n```ts\nconst one: number = 1\n```'),
      calls('t1', 'Bash', {command: 'npm test'}),
      returns('t1', LONG_OUTPUT),
      calls('t2', 'Edit', {file_path: '/a/b.ts', old_string: 'one', new_string: 'two'}),
      returns('t2', 'The file /a/b.ts has been updated.'),
      speaks('That was it.'),
      DONE,
    ])
    await place.vitrine(['export', 'tools', '--force'])
  })

  afterAll(() => browser?.close())

  /** Opens a file with everything watched that could leave it. */
  async function open(name: string, {query = '', theme = 'light' as 'light' | 'dark'} = {}) {
    if (browser === undefined) throw new Error('no browser')
    const url = pathToFileURL(place.file(name)).href
    wrongs = []
    context = await browser.newContext({colorScheme: theme})
    await context.setOffline(true)
    page = await context.newPage()
    page.on('request', (request) => {
      if (request.url().split('?')[0] !== url) wrongs.push(`request ${request.url()}`)
    })
    page.on('console', (message) => {
      if (message.type() !== 'log') wrongs.push(`${message.type()} ${message.text()}`)
    })
    page.on('pageerror', (error) => wrongs.push(`error ${error.message}`))
    page.on('dialog', (dialog) => {
      wrongs.push(`dialog ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.addInitScript(`addEventListener('securitypolicyviolation', (event) => {
      console.error('policy', event.violatedDirective, event.blockedURI)
    })`)
    await page.goto(`${url}${query}`)
    await page.locator('header.rh').waitFor()
  }

  /** Closes it, and tells what went wrong in it. */
  async function close(): Promise<string[]> {
    if ((await page.evaluate('window.hacked')) !== undefined) wrongs.push('hacked')
    await context.close()
    return wrongs
  }

  test.skipIf(!browser)('shows the run, what wrote it, and nothing to act with', async () => {
    await open('tools.html')
    expect(await page.title()).toBe('Do it · Vitrine')
    const {version} = createRequire(import.meta.url)('../package.json') as {version: string}
    await page.getByText(`Exported from Vitrine ${version} on`).waitFor()
    await page.getByText('I look at it first.').waitFor()
    await page.getByText('const one: number = 1').waitFor()
    await page.getByText('That was it.').waitFor()
    expect(await page.getByRole('button', {name: /stop/i}).count()).toBe(0)
    expect(await page.getByRole('link').count()).toBe(0)
    await page.getByRole('button', {name: 'More about this run'}).click()
    expect(await page.getByText('Recording', {exact: true}).count()).toBe(0)
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('opens a tool with all of its output, also by a link', async () => {
    await open('tools.html', {query: '?tool=t1'})
    await page.locator('[aria-selected=true], .sel, .on').first().waitFor()
    await page.keyboard.press('l')
    const opened = page.getByRole('feed')
    await opened.getByText('line 0 of a long output').waitFor()
    // In the middle nothing is left out either, once it is asked for.
    await opened.getByRole('button', {name: /show/}).first().click()
    await page.getByText('line 200 of a long output').first().waitFor()
    await page.keyboard.press('j')
    expect(page.url()).toMatch(/\?tool=t2$/)
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('shows a record exactly as it came', async () => {
    await open('tools.html', {query: '?tab=raw&line=4'})
    await page.getByRole('button', {name: 'Exact'}).click()
    const [, , , line = ''] = String(place.read('tools', 'stdout')).split('\n')
    expect(await page.locator('pre.js').textContent()).toBe(line)
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('shows files and plan, and replays', async () => {
    await open('tools.html')
    await page.keyboard.press('1')
    await page.getByRole('tabpanel').getByText('b.ts').first().waitFor()
    await page.keyboard.press('3')
    await page.getByRole('tabpanel').waitFor()
    await page.getByRole('button', {name: 'Replay'}).click()
    const replayed = page.getByRole('region', {name: 'Replay'})
    await replayed.getByRole('slider', {name: 'Moment'}).waitFor()
    await expect
      .poll(() => replayed.getByRole('slider').inputValue().then(Number))
      .toBeGreaterThan(0)
    // The first closes the panel, where that is over the feed.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await replayed.waitFor({state: 'detached'})
    await page.keyboard.press('?')
    await page.getByRole('heading', {name: 'All keys'}).waitFor()
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('changes the theme and keeps it', async () => {
    await open('tools.html')
    await page.keyboard.press('t')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.reload()
    await page.locator('header.rh').waitFor()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('stands still where the run went on', async () => {
    await exportGoing()
    await open('going.html')
    await page.getByText('The run went on: this is all there was').waitFor()
    const time = page.locator('.timer dd')
    const before = await time.textContent()
    await page.waitForTimeout(2100)
    expect(await time.textContent()).toBe(before)
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('says what is not in the file', async () => {
    await exportBig()
    await open('big.html', {query: '?tab=raw&line=2'})
    await page.getByText(/\d+ of 402 records are here in full/).waitFor()
    await page.getByText('It was left out to keep this file small.').waitFor()
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('k')
    await page.keyboard.press('l')
    await page.getByRole('feed').getByText('It was left out to keep this file small.').waitFor()
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('shows a recording of a real agent', async () => {
    await replay('real', fixture('claude/2.1.325/large-read'))
    await place.vitrine(['export', 'real'])
    await open('real.html')
    const shown = await page.getByRole('feed').textContent()
    expect(shown?.length).toBeGreaterThan(100)
    await page.keyboard.press('k')
    await page.keyboard.press('Enter')
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('runs nothing of what agents print', async () => {
    const texts = Object.entries(HOSTILE).filter(([, text]) => text.length < 100_000)
    const lines = texts.flatMap(([name, text], at) => [
      speaks(text),
      calls(`t${at}`, name === 'script' ? text : 'Bash', {command: text, description: text}),
      returns(`t${at}`, text),
    ])
    const title = '</title><script>window.hacked=1</script><img src=x onerror=window.hacked=1>'
    await record('hostile', [INIT, ...lines, HOSTILE['script'], DONE], title)
    const {exitCode} = await place.vitrine(['export', 'hostile'])
    expect(exitCode).toBe(0)
    const html = readFileSync(place.file('hostile.html'), 'utf8')
    expect(html.split('<script').length).toBe(html.split('</script>').length)
    expect(html.includes('<script>window')).toBe(false)
    await open('hostile.html')
    expect(await page.title()).toBe(`${title} · Vitrine`)
    // From the end to the beginning, everything open.
    for (let step = 0; step < 40; step++) {
      await page.keyboard.press('k')
      await page.keyboard.press('l')
    }
    await page.locator('.feed').evaluate((feed) => feed.scrollTo(0, 0))
    await page.waitForTimeout(300)
    await page.keyboard.press('4')
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('says so when the browser cannot unpack it', async () => {
    context = await (browser as Browser).newContext()
    wrongs = []
    page = await context.newPage()
    await page.addInitScript('delete globalThis.DecompressionStream')
    await page.goto(pathToFileURL(place.file('tools.html')).href)
    await page.getByText('This browser is too old').waitFor()
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser)('says so when the file is damaged', async () => {
    const html = readFileSync(place.file('tools.html'), 'utf8')
    writeFileSync(place.file('cut.html'), html.replace(/(data-items>.{200})[^<]*/, '$1'))
    await open('cut.html')
    await page.getByText('The data in this file is damaged').waitFor()
    expect(await close()).toEqual([])
  })

  test.skipIf(!browser).each(['light', 'dark'] as const)('is accessible, %s', async (theme) => {
    await exportGoing()
    const pages = {'tools.html': ['', '1', '2', '3', '4', '?'], 'going.html': ['']}
    for (const [name, keys] of Object.entries(pages)) {
      await open(name, {theme})
      for (const key of keys) {
        if (key !== '') await page.keyboard.press(key)
        await page.waitForTimeout(200)
        await page.evaluate(axe.source)
        const found = (await page.evaluate('axe.run()')) as {
          violations: {id: string; impact: string; nodes: {html: string}[]}[]
        }
        const serious = found.violations
          .filter(({impact}) => impact === 'serious' || impact === 'critical')
          .map(({id, nodes}) => [name, key, id, ...nodes.map((node) => node.html)])
        expect(serious).toEqual([])
      }
      expect(await close()).toEqual([])
    }
  })
})
