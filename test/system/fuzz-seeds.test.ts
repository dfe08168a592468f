import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {checkInput} from '../../scripts/fuzz/campaign.js'
import {readSeeds} from '../../scripts/fuzz/seeds.js'
import {targets} from '../../scripts/fuzz/targets.js'

// What `npm run fuzz` found once, and what reaches code that no recording does.
describe.each(targets)('what was fed to $name before', (target) => {
  const seeds = readSeeds(target.name)

  beforeAll(() => target.open?.())
  afterAll(() => target.close?.())

  test.skipIf(seeds.length === 0)(`is taken well, all ${seeds.length}`, async () => {
    for (const seed of seeds) {
      expect({file: seed.file, flaw: await checkInput(target, seed)}).toEqual({file: seed.file})
    }
  })
})
