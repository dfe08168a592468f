import {describe, expect, test} from 'vitest'
import {makeGolden} from '../../src/fixture/golden.ts'
import {fixtures} from '../support/fixtures.ts'

// `npm run golden` writes these files anew; every line of the diff wants a look.
describe.each(fixtures.map((fixture) => [fixture.name, fixture] as const))('%s', (_, fixture) => {
  const {events, text} = makeGolden(fixture.agent, fixture.bytes)

  test('becomes these events', async () => {
    await expect(events).toMatchFileSnapshot(`${fixture.base}.events.ndjson`)
  })

  test('looks like this', async () => {
    await expect(text).toMatchFileSnapshot(`${fixture.base}.txt`)
  })
})
