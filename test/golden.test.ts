import {describe, expect, test} from 'vitest'
import {createEventDecoder, type AgentEvent} from '../src/core/index.ts'
import {createFormatter} from '../src/terminal/index.ts'
import {fixtures, type Fixture} from './fixtures.ts'

// `npm run golden` writes these files anew; every line of the diff wants a look.
describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
  test('becomes these events', async () => {
    const lines = decode(fixture).map((event) => `${JSON.stringify(event, shorten)}\n`)
    await expect(lines.join('')).toMatchFileSnapshot(`${fixture.base}.events.ndjson`)
  })

  test('looks like this', async () => {
    const text = `# piped\n${show(fixture)}\n# 100 columns, -v\n${show(fixture, 100, 1)}`
    await expect(text).toMatchFileSnapshot(`${fixture.base}.txt`)
  })
})

function decode({agent, bytes}: Fixture): AgentEvent[] {
  const decoder = createEventDecoder(agent, {now: () => 0})
  return [...decoder.push(bytes), ...decoder.end()]
}

function show(fixture: Fixture, width?: number, verbose = 0): string {
  const formatter = createFormatter({width, verbose})
  const lines = decode(fixture).map((event) => formatter.format(event))
  return lines.join('') + formatter.end()
}

/** Long texts are in the recording; their beginning and length are enough here. */
function shorten(_key: string, value: unknown): unknown {
  if (typeof value !== 'string' || value.length <= 400) return value
  return `${value.slice(0, 200)}… (${value.length} characters)`
}
