import {beforeAll, describe} from 'vitest'
import {
  checkKillAtStart,
  checkKillEarly,
  checkKillMidRun,
  readKnownAgent,
  type KnownAgent,
} from '../support/kill-run.ts'
import {placeTest as test, sleep} from '../support/run.ts'

let agent: KnownAgent

beforeAll(() => {
  agent = readKnownAgent(60, 15)
})

describe('vitrine attach', () => {
  // From before the first line to after the last.
  const moments = Array.from({length: 20}, () => Math.floor(Math.random() * 1200))

  test.for(moments)(
    'completes a run that was killed %i ms after its first output',
    async (ms, {place, expect}) => {
      await checkKillMidRun({place, expect, agent, id: 'killed', moment: () => sleep(ms)})
    },
  )

  test.for([0, 50, 100, 125, 150, 175, 200, 250, 300])(
    'completes a run that was killed %i ms after its start',
    async (ms, {place, expect}) => {
      await checkKillEarly({place, expect, agent, id: 'early', moment: () => sleep(ms)})
    },
  )

  test.for([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    'completes a run that was killed %i ms after the file for its output was created',
    async (ms, {place, expect}) => {
      await checkKillAtStart({place, expect, id: 'just-started', moment: () => sleep(ms)})
    },
  )
})
