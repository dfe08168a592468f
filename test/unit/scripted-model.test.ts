import {mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, describe, expect, test} from 'vitest'
import {startModelServer} from '../../scripts/agents/model-server.js'
import {readWrites} from '../../scripts/agents/trace-writes.js'

type Server = Awaited<ReturnType<typeof startModelServer>>
type Script = Parameters<typeof startModelServer>[0]['script']

const tools = [{name: 'run'}]
/** The same request in each API. */
const DIALECTS = {
  'Messages API': {
    path: '/v1/messages',
    ask: (text: string) => ({stream: true, tools, messages: [{role: 'user', content: text}]}),
  },
  'Responses API': {
    path: '/v1/responses',
    ask: (text: string) => ({tools, input: [{type: 'message', content: [{text}]}]}),
  },
  'Chat Completions': {
    path: '/v1/chat/completions',
    ask: (text: string) => ({tools, messages: [{role: 'user', content: text}]}),
  },
  'API of Gemini': {
    path: '/v1beta/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
    ask: (text: string) => ({tools, contents: [{role: 'user', parts: [{text}]}]}),
  },
}

let server: Server | undefined

afterEach(async () => {
  await server?.close()
  server = undefined
})

async function start(script: Script): Promise<Server> {
  server = await startModelServer({script, speed: 1e6})
  return server
}

async function post(path: string, body: object): Promise<{status: number; text: string}> {
  const response = await fetch(`${server?.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
  })
  return {status: response.status, text: await response.text()}
}

describe.each(Object.entries(DIALECTS))('the scripted model in the %s', (_, {path, ask}) => {
  test('answers each conversation with the next turn of its script', async () => {
    const {problems, listUnused} = await start({
      main: [
        {thinking: 'Hm.', text: 'Yes.', tools: [{name: 'run', input: {a: 'b'}}]},
        {text: 'So.'},
      ],
      others: {'in the cellar': [{text: 'Dark.'}]},
    })
    const first = await post(path, ask('Go'))
    for (const word of ['Hm.', 'Yes.', 'run']) expect(first.text).toContain(word)
    expect((await post(path, ask('How is it in the cellar?'))).text).toContain('Dark.')
    expect(listUnused()).toEqual(['main: 1 turns'])
    expect((await post(path, ask('Go on'))).text).toContain('So.')
    expect(listUnused()).toEqual([])
    expect(problems).toEqual([])
    await post(path, ask('And?'))
    expect(problems).toEqual(['main: no turn left for And?'])
  })

  test('returns scripted errors and counts the tokens that it reports', async () => {
    const error = {status: 503, message: 'Full', retryAfterS: 1}
    const {spent} = await start({main: [{error}, {text: 'Now.', contextTokens: 90}]})
    expect(await post(path, ask('Go'))).toMatchObject({
      status: 503,
      text: expect.stringContaining('Full') as string,
    })
    expect(spent.main.output).toBe(0)
    expect(await post(path, ask('Go'))).toMatchObject({status: 200})
    const {input, cacheRead, cacheWrite, output} = spent.main
    expect(input + cacheRead + cacheWrite).toBe(90)
    expect(output).toBeGreaterThan(0)
  })

  test('answers a request without tools with a title and does not advance the script', async () => {
    const {listUnused, spent} = await start({main: [{text: 'Yes.'}], side: 'A title'})
    const {tools: _tools, ...question} = ask('Go')
    expect((await post(path, question)).text).toContain('A title')
    expect(listUnused()).toEqual(['main: 1 turns'])
    expect(spent.main.output).toBe(0)
    expect(spent.all.output).toBeGreaterThan(0)
  })

  test('escapes characters that some clients treat as line ends', async () => {
    await start({main: [{text: 'a\u2028b\u2029c\ufeffd'}]})
    const {text} = await post(path, ask('Go'))
    expect(text).not.toMatch(/[\u2028\u2029\ufeff]/)
    expect(text).toContain(String.raw`\u2028`)
  })
})

test('the scripted model answers a request without streaming with a complete message', async () => {
  await start({main: [{text: 'Yes.', tools: [{name: 'run', input: {}}]}]})
  const {text} = await post('/v1/messages', {tools, messages: [{role: 'user', content: 'Go'}]})
  expect(JSON.parse(text)).toMatchObject({
    type: 'message',
    content: [
      {type: 'text', text: 'Yes.'},
      {type: 'tool_use', name: 'run'},
    ],
    stop_reason: 'tool_use',
  })
})

test('readWrites returns the written bytes of one file in order, without failed and partial writes', () => {
  const hex = (text: string) =>
    [...Buffer.from(text)]
      .map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`)
      .join('')
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-trace-'))
  const trace = join(folder, 'trace')
  const out = hex('/data/out')
  writeFileSync(
    trace,
    [
      `10 write(1<${out}>, "${hex('one ü ')}", 7) = 7`,
      `11 write(1<${hex('pipe:[5]')}>, "${hex('not this')}", 8) = 8`,
      `10 write(1<${out}>, "${hex('two and more')}", 12 <unfinished ...>`,
      `12 write(3<${out}>, "${hex('three ')}", 6) = 6`,
      '10 <... write resumed>) = 4',
      `10 writev(1<${out}>, [{iov_base="${hex('four ')}", iov_len=5}, {iov_base="${hex('five')}", iov_len=4}], 2) = 9`,
      `10 write(1<${out}>, "${hex('lost')}", 4) = -1 EAGAIN (Resource temporarily unavailable)`,
      '10 +++ exited with 0 +++',
    ].join('\n'),
  )
  expect(readWrites(trace, '/data/out').toString()).toBe('one ü three two four five')
  expect(readWrites(join(folder, 'none'), '/data/out')).toHaveLength(0)
  rmSync(folder, {recursive: true})
})
