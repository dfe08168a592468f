import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {monogramOf} from '../../dashboard/src/ui/monogram-of.ts'
import {expectForEach} from '../../test/support/each-fixture.ts'
import {endings, fixtures, readOrEmpty} from '../../test/support/fixtures.ts'
import {expectInvariants} from '../../test/support/invariants.ts'
import {
  createEventDecoder,
  createEventParser,
  type EventDecoder,
} from '../core/events/event-parser.ts'
import type {AgentEvent} from '../core/events/events.ts'
import {judgeFixture} from '../fixture/judge-fixture.ts'
import {detectAgent} from './detect-agent.ts'
import {findAgent} from './find-agent.ts'
import {agents} from './list.ts'
import {outputFlags} from './parse.ts'

/** Options that grant permissions, by the names that agents have for them. */
const BYPASS =
  /yolo|dangerous|bypass|skip-permissions|skip-trust|allow-all|auto-approve|--force|--auto\b|full-auto|full-access|-s$|--sandbox/

function decodeAll(decoder: EventDecoder, chunks: Iterable<Uint8Array>): AgentEvent[] {
  const events: AgentEvent[] = []
  for (const chunk of chunks) events.push(...decoder.push(chunk))
  return [...events, ...decoder.end()]
}

describe.each(agents.map((agent) => [agent.id, agent] as const))('%s', (id, agent) => {
  const own = fixtures.filter((fixture) => fixture.agent === agent)
  const streams = own.filter(({bytes}) => bytes.includes('{"'))

  test('has a name that finds it', () => {
    expect(id).toMatch(/^[a-z]+(?:-[a-z]+)*$/)
    expect(agent.label).not.toBe('')
    expect(findAgent(id)).toBe(agent)
    expect(agents.filter((other) => other.id === id)).toHaveLength(1)
  })

  test('has two letters of its own, if a command starts it', () => {
    const started = agents.filter(({commands}) => commands.length > 0)
    const letters = started.map((each) => monogramOf({...each, agent: each.id}))
    expect(monogramOf({...agent, agent: id})).toMatch(/^[A-Z][a-z]$/)
    expect(letters).toHaveLength(new Set(letters).size)
  })

  test('finds the prompt after its option', () => {
    const option = agent.promptOption === undefined ? [] : [agent.promptOption]
    const args = [...option, 'Fix the tests']
    expect(agent.findPrompt([...agent.flags(args), ...args])).toBe(
      agent.isSession === true ? undefined : 'Fix the tests',
    )
  })

  test.each(agent.commands)('is found by its command %s', (command) => {
    for (const spelling of [
      command,
      `/usr/local/bin/${command}`,
      `C:\\Tools\\${command.toUpperCase()}.EXE`,
      `${command}.cmd`,
      `npx ${command}`,
    ]) {
      expect({spelling, agent: findAgent(spelling)?.id}).toEqual({spelling, agent: id})
    }
  })

  test('is found by its packages', () => {
    for (const name of agent.packages) {
      expect(findAgent(`npx -y ${name}`)).toBe(agent)
      expect(findAgent(`npx ${name}@latest`)).toBe(agent)
      expect(findAgent(`pnpm dlx ${name}@1.2.3`)).toBe(agent)
    }
  })

  test('adds flags once, and none that grants permissions', () => {
    const flags = outputFlags(id, [])
    // An adapter without a command needs none.
    expect(flags.length > 0).toBe(agent.commands.length > 0)
    expect(outputFlags(id, flags)).toEqual([])
    expect(flags.join(' ')).not.toMatch(BYPASS)
    expect(JSON.stringify(agent.env ?? {})).not.toMatch(BYPASS)
    expect(agent.control?.prepare(['x']).args.join(' ') ?? '').not.toMatch(BYPASS)
  })

  test('has at least one recording', () => {
    if (streams.length === 0)
      throw new Error(`Next step: record runs into src/agents/${id}/fixtures/`)
    expect(streams.length).toBeGreaterThan(0)
  })

  test.skipIf(streams.length === 0)('detects its own output', async () => {
    await expectForEach(streams, ({bytes}) => {
      expect(detectAgent(bytes.toString())).toBe(id)
    })
  })

  test.skipIf(streams.length === 0)(
    'decodes every recording without drift and by the rules of events',
    async () => {
      await expectForEach(own, ({bytes}) => {
        const decoder = createEventDecoder(agent, {now: () => 1})
        const events = decodeAll(decoder, [bytes])
        expect(decoder.drift()).toEqual([])
        expect(events.filter(({type}) => type === 'unknown')).toEqual([])
        expectInvariants(events, id)
      })
    },
  )

  test('has a cost at the end of a turn, if its usage has one', async () => {
    await expectForEach(own, ({bytes}) => {
      const events = decodeAll(createEventDecoder(agent, {now: () => 1}), [bytes])
      const lastCost = events.findLastIndex(
        (event) => event.type === 'usage' && event.costUsd !== undefined,
      )
      const end = events.slice(lastCost).find((event) => event.type === 'turn-end')
      expect(lastCost !== -1 && end !== undefined && end.costUsd === undefined).toBe(false)
    })
  })

  test('gives every recording of a process the verdict in its .meta.json', async () => {
    const ended = endings.filter((ending) => ending.agent === agent)
    // Neither hooks nor documentation have an exit code.
    if (ended.length === 0) return
    await expectForEach(ended, ({stdoutFile, stderrFile, exitCode, signal, verdict, reason}) => {
      const [stdout, stderr] = [readOrEmpty(stdoutFile), readOrEmpty(stderrFile)]
      const judged = judgeFixture(agent, {stdout, stderr, exitCode, signal})
      if (verdict === undefined) {
        throw new Error(`add the right verdict to .meta.json; now it is ${JSON.stringify(judged)}`)
      }
      expect(judged).toEqual({verdict, reason: expect.stringContaining(reason ?? '') as string})
      expect(judged.reason).not.toBe('')
    })
  })

  test('decodes recordings alike for any chunks', () => {
    for (const {bytes} of own.filter((fixture) => fixture.bytes.length < 50_000)) {
      const atOnce = decodeAll(createEventDecoder(agent, {now: () => 1}), [bytes])
      const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
      expect(decodeAll(createEventDecoder(agent, {now: () => 1}), single)).toEqual(atOnce)
    }
  })

  test('reports an unknown type as an event and as drift, and continues', () => {
    const parser = createEventParser(agent, {now: () => 1})
    const line = '{"type":"vitrine.drift","role":"vitrine.drift","detail":1}'
    expect(parser.parse(line)).toMatchObject([{type: 'unknown', raw: line, line: 1, agent: id}])
    expect(parser.drift()).toMatchObject([{agent: id, count: 1, line: 1}])
    expect(parser.parse('{"nothing":"known"}')).toMatchObject([{type: 'unknown', line: 2}])
  })

  test.skipIf(streams.length === 0)(
    'reports a tool call and a tool result without an id as drift',
    async () => {
      await expectForEach(streams, ({bytes}) => {
        const parser = createEventParser(agent, {now: () => 1})
        const bare = createEventParser(agent, {now: () => 1})
        const lost: string[] = []
        for (const line of bytes.toString().split('\n')) {
          const ids = parser
            .parse(line)
            .flatMap((event) =>
              event.type === 'tool-start' || event.type === 'tool-end' ? event.toolId : [],
            )
          const stripped = ids.length === 0 ? line : withoutIds(line, new Set(ids))
          if (bare.parse(stripped).length === 0 && ids.length > 0) lost.push(line)
        }
        expect(lost).toEqual([])
      })
    },
  )

  test.skipIf(streams.length === 0)('reports an unknown field of a known type as drift', () => {
    const [record] = streams.flatMap(({bytes}) => records(bytes))
    const parser = createEventParser(agent, {now: () => 1})
    parser.parse(JSON.stringify({...record, vitrine_drift: 1}))
    expect(parser.drift()).toMatchObject([
      {kind: 'field', name: expect.stringMatching(/\.vitrine_drift$/) as string, count: 1},
    ])
  })

  test.skipIf(streams.length === 0)('follows the rules of events for any values of fields', () => {
    expect.hasAssertions()
    const samples = streams.flatMap(({bytes}) => records(bytes)).slice(0, 400)
    const odd = fc.oneof(
      fc.jsonValue({maxDepth: 2}),
      fc.constantFrom('', 0, -1, 1e308, '__proto__'),
    )
    fc.assert(
      fc.property(fc.constantFrom(...samples), fc.infiniteStream(odd), (record, values) => {
        const parser = createEventParser(agent, {now: () => 1})
        const events = parser.parse(JSON.stringify(scramble(record, values)))
        expectInvariants([...events, ...parser.end()], id)
      }),
      {numRuns: 2000},
    )
  })
})

describe('an unknown agent', () => {
  test.each([
    '',
    ' ',
    'vim',
    'npx',
    'npx -y',
    'npx eslint',
    '/',
    'claudette',
    'npm run claude-ish',
  ])('is not found: %j', (command) => {
    expect(findAgent(command)).toBe(null)
    expect(outputFlags(command, [])).toEqual([])
  })

  test.each([
    ['nothing', ''],
    ['prose', 'Hello.\nHow are you?'],
    ['JSON that is not an object', '1\n"a"\nnull\n[]'],
    ['a log', '{"level":"info","msg":"started"}'],
    ['a response of a control channel', '{"type":"control_response","response":{}}'],
  ])('is not guessed from %s', (_, text) => {
    expect(detectAgent(text)).toBe(null)
  })
})

test('an agent is detected among lines that are not JSON', () => {
  const lines = [
    'Reading additional input from stdin...',
    '{"half',
    '{"type":"thread.started","thread_id":"t"}',
  ]
  expect(detectAgent(lines)).toBe('codex')
})

/** A line without the fields whose value is one of these ids. */
function withoutIds(line: string, ids: ReadonlySet<unknown>): string {
  return JSON.stringify(JSON.parse(line), (_, value: unknown) =>
    ids.has(value) ? undefined : value,
  )
}

function records(bytes: Buffer): Record<string, unknown>[] {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line.startsWith('{') && line.length < 100_000)
    .flatMap((line) => {
      try {
        return [JSON.parse(line) as Record<string, unknown>]
      } catch {
        return []
      }
    })
}

/** The same object with other values here and there, at any depth. */
function scramble(value: unknown, values: Iterator<unknown>): unknown {
  const pick = values.next().value
  if (typeof pick === 'number' && pick % 2 !== 0) return pick
  if (Array.isArray(value)) return value.map((item) => scramble(item, values))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === 'type' || key === 'subtype' || key === 'role' ? inner : scramble(inner, values),
      ]),
    )
  }
  return typeof pick === 'string' ? value : pick
}
