import {test} from 'vitest'
import {expectForEach} from '../support/each-fixture.ts'
import {fixtures} from '../support/fixtures.ts'
import {expectScrubbable} from '../support/scrub.ts'

test('scrubbing keeps the events of every recording, and changes nothing the second time', async () => {
  await expectForEach(fixtures, expectScrubbable)
})
