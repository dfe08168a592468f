import {readFileSync} from 'node:fs'
import {createServer, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {fileURLToPath} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import type * as Claude from '../../src/claude.ts'
import * as agents from '../../src/agents/index.ts'
import * as core from '../../src/core/index.ts'
import {launchBrowser} from '../support/browser.ts'

const dist = new URL('../../dist/', import.meta.url)
const PAGE = `<!doctype html><link rel="icon" href="data:,"><script type="module">
  import * as claude from '/claude.js'
  import * as agents from '/agents/index.js'
  import * as core from '/core/index.js'
  Object.assign(globalThis, {claude, agents, core})
</script>`
const entries = ['index.js', 'adapter.js', 'core/index.js', 'claude.js', 'agents/index.js']

describe.each(entries)('dist/%s', (entry) => {
  test('imports neither packages nor Node modules, directly or indirectly', () => {
    const seen = importsOf(new URL(entry, dist))
    expect([...seen].filter((specifier) => !specifier.startsWith(dist.href))).toEqual([])
    expect(seen.size).toBeGreaterThan(3)
  })
})

describe('the library in a browser', async () => {
  const browser = await launchBrowser()
  let server: Server
  let origin: string

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = new URL(request.url ?? '/', 'http://localhost').pathname
      response.setHeader('content-type', path === '/' ? 'text/html' : 'text/javascript')
      response.end(path === '/' ? PAGE : readFileSync(new URL(`.${path}`, dist)))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })

  afterAll(async () => {
    await browser?.close()
    server.close()
  })

  test.skipIf(browser === undefined)('decodes a capture as in Node', async () => {
    const capture = readFileSync(
      fileURLToPath(
        new URL('../../src/agents/claude/fixtures/2.1.325/subagent.jsonl', import.meta.url),
      ),
      'utf8',
    )
    const page = await browser?.newPage()
    await page?.goto(origin)
    await page?.waitForFunction('globalThis.core !== undefined')
    const result = await page?.evaluate(async (text) => {
      const {claude} = globalThis as unknown as {claude: typeof Claude}
      const types: string[] = []
      const raws: string[] = []
      // In chunks of 7 bytes, through a Web stream.
      const bytes = new TextEncoder().encode(text)
      const source = new ReadableStream<Uint8Array>({
        start(controller) {
          for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7))
          controller.close()
        },
      })
      for await (const {raw, event} of claude.decodeClaudeStream(source)) {
        types.push(event.type)
        raws.push(raw)
      }
      const piped = new Blob([text]).stream().pipeThrough(new claude.ClaudeDecoderStream())
      let pipedCount = 0
      for (const reader = piped.getReader(); !(await reader.read()).done;) pipedCount++
      return {types, raw: raws.join(''), pipedCount, hasNode: 'process' in globalThis}
    }, capture)
    const expected = capture
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as {type: string}).type)
    expect(result).toEqual({
      types: expected,
      raw: capture,
      pipedCount: expected.length,
      hasNode: false,
    })
  })

  test.skipIf(browser === undefined)('reduces a run to the same state as in Node', async () => {
    const capture = readFileSync(
      fileURLToPath(new URL('../../src/agents/codex/fixtures/0.166.0/todo.jsonl', import.meta.url)),
      'utf8',
    )
    const page = await browser?.newPage()
    await page?.goto(origin)
    await page?.waitForFunction('globalThis.core !== undefined')
    const state = await page?.evaluate((text) => {
      const here = globalThis as unknown as {agents: typeof agents; core: typeof core}
      const decoder = here.agents.createEventDecoder('codex', {now: () => 1})
      const events = [...(decoder?.push(text) ?? []), ...(decoder?.end() ?? [])]
      return JSON.stringify(events.reduce(here.core.reduceRunState, here.core.initialRunState))
    }, capture)
    const decoder = agents.createEventDecoder('codex', {now: () => 1})
    const events = [...(decoder?.push(capture) ?? []), ...(decoder?.end() ?? [])]
    expect(events.length).toBeGreaterThan(5)
    expect(state).toBe(JSON.stringify(events.reduce(core.reduceRunState, core.initialRunState)))
  })
})

/** The files and other specifiers that a module imports, directly or indirectly. */
function importsOf(url: URL, seen: Set<string> = new Set()): Set<string> {
  if (seen.has(url.href)) return seen
  seen.add(url.href)
  const text = readFileSync(url, 'utf8')
  const statements = /^(?:import|export)\s(?:[^'"`;]*\sfrom\s)?\s*['"]([^'"]+)['"]/gm
  const calls = /\bimport\(\s*['"]([^'"]+)['"]/g
  for (const [, specifier = ''] of [...text.matchAll(statements), ...text.matchAll(calls)]) {
    if (specifier.startsWith('.')) importsOf(new URL(specifier, url), seen)
    else seen.add(specifier)
  }
  return seen
}
