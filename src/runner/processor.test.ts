import {spawn} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {setTimeout as sleep} from 'node:timers/promises'
import {pipeline} from 'node:stream/promises'
import {fileURLToPath} from 'node:url'
import {expect, test} from 'vitest'
import type {AgentEvent} from '../core/events/events.ts'
import {createFormatter} from '../terminal/format.ts'
import {createProcessor, type Processor, type ProcessorOptions} from './processor.ts'

const fake = (name: string): string =>
  fileURLToPath(new URL(`../../test/fake-agents/${name}.js`, import.meta.url))

const init = {type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: []}
const message = {type: 'assistant', message: {id: 'm', content: [{type: 'text', text: 'Hello.'}]}}

function make(options: Partial<ProcessorOptions> = {}): {
  processor: Processor
  events: AgentEvent[]
  output: () => string
} {
  const events: AgentEvent[] = []
  let text = ''
  const processor = createProcessor({
    agent: 'claude',
    output: {write: (chunk) => (text += chunk)},
    onEvent: (event) => events.push(event),
    ...options,
  })
  if (processor === null) throw new Error('no processor')
  return {processor, events, output: () => text}
}

test.each(['unknown', '', 'bash -c x'])('is not created for %j', (agent) => {
  expect(createProcessor({agent})).toBeNull()
})

test.each(['claude', 'npx -y @openai/codex exec x', '/usr/bin/gemini'])(
  'is created for %s',
  (agent) => {
    expect(createProcessor({agent})).not.toBeNull()
  },
)

test('formats the output of a process that the caller started', async () => {
  const {processor, events, output} = make({formatter: createFormatter()})
  const child = spawn(process.execPath, [fake('happy')], {stdio: ['ignore', 'pipe', 'ignore']})
  await pipeline(child.stdout, processor)
  expect(events.map(({type}) => type)).toContain('turn-end')
  expect(output()).toContain('[claude] Read: a.txt\n')
  expect(output()).toContain('Complete (cost: $0.0125)')
  expect(processor.stats()).toEqual({events: events.length, errors: 0})
})

test('parses lines in small chunks, and a last line without a newline', async () => {
  const {processor, events} = make()
  const text = `${JSON.stringify(init)}\n${JSON.stringify(message)}`
  for (const letter of text) processor.write(letter)
  expect(events).toHaveLength(1)
  await processor.close()
  expect(events.map(({type}) => type)).toEqual(['session-start', 'text'])
})

test('counts malformed lines and continues', async () => {
  const {processor} = make()
  processor.write(`not json\n${JSON.stringify(init)}\n{"type":\n${JSON.stringify(message)}\n`)
  await processor.close()
  expect(processor.stats()).toEqual({events: 2, errors: 2})
})

test('reports when the last chunk arrived', async () => {
  const {processor} = make()
  const before = processor.lastActivity
  expect(Math.abs(Date.now() - before)).toBeLessThan(1000)
  await sleep(20)
  expect(processor.lastActivity).toBe(before)
  processor.write('\n')
  expect(processor.lastActivity).toBeGreaterThan(before)
})

test('can be closed twice, and after its end', async () => {
  const {processor} = make()
  processor.end(JSON.stringify(init))
  await Promise.all([processor.close(), processor.close()])
  await processor.close()
  expect(processor.stats()).toEqual({events: 1, errors: 0})
})

test('writes nothing without a formatter', async () => {
  const {processor, output} = make()
  processor.write(readFileSync(fake('happy')))
  await processor.close()
  expect(output()).toBe('')
})
