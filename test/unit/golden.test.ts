import {existsSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {agents} from '../../src/agents/list.ts'
import {decodeFixture, createGolden} from '../../src/fixture/golden.ts'
import {createFormatter} from '../../src/terminal/format.ts'
import {textWidth} from '../../src/terminal/text-width.ts'
import {expectForEach} from '../support/each-fixture.ts'
import {fixtures} from '../support/fixtures.ts'

const shown = fixtures.filter(({base}) => existsSync(`${base}.txt`))

// `npm run golden` rewrites these files; review every line of the diff.
describe('golden files', () => {
  test('hold the events of every recording', async () => {
    await expectForEach(fixtures, async ({agent, base, bytes}) => {
      await expect(createGolden(agent, bytes).events).toMatchFileSnapshot(`${base}.events.ndjson`)
    })
  })

  test('hold the text of the recordings chosen to show the format', async () => {
    await expectForEach(shown, async ({agent, base, bytes}) => {
      await expect(createGolden(agent, bytes).text).toMatchFileSnapshot(`${base}.txt`)
    })
  })

  test('hold the text of at least one recording of every agent', () => {
    const missing = agents.filter((agent) => !shown.some((fixture) => fixture.agent === agent))
    // An empty file is enough: `npm run golden` fills it.
    expect(missing.map(({id}) => `src/agents/${id}/fixtures/<version>/<name>.txt`)).toEqual([])
  })
})

describe.each([
  {width: undefined, verbose: 0},
  {width: undefined, verbose: 2},
  {width: 40, verbose: 0},
  {width: 80, verbose: 1},
  {width: 100, verbose: 2},
])('the text of every recording at width $width and verbosity $verbose', ({width, verbose}) => {
  test('has complete lines that fit and no control characters', async () => {
    await expectForEach(fixtures, ({agent, bytes}) => {
      const formatter = createFormatter({width, verbose})
      const events = decodeFixture(agent, bytes)
      const text = events.map((event) => formatter.format(event)).join('') + formatter.end()
      expect(text).toMatch(/^(?:.*\n)*$/)
      // eslint-disable-next-line no-control-regex
      expect(text.replaceAll('\n', '')).not.toMatch(/[\u0000-\u001F\u007F-\u009F]/)
      const wide = text.split('\n').filter((line) => textWidth(line) > (width ?? Infinity))
      expect(wide).toEqual([])
    })
  })
})
