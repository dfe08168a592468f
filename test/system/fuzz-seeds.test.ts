import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {checkInput} from '../../scripts/fuzz/campaign.js'
import {readSeeds} from '../../scripts/fuzz/seeds.js'
import {targets} from '../../scripts/fuzz/targets.js'

// Inputs that `npm run fuzz` found, and inputs that reach code that no recording reaches.
describe.each(targets)('the fuzz target $name', (target) => {
  const seeds = readSeeds(target.name)

  beforeAll(() => target.open?.())
  afterAll(() => target.close?.())

  test.skipIf(seeds.length === 0)(`handles all ${seeds.length} saved inputs`, async () => {
    for (const seed of seeds) {
      expect({file: seed.file, flaw: await checkInput(target, seed)}).toEqual({file: seed.file})
    }
  })
})
