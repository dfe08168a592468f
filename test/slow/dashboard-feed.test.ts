import {defineFeedTests} from '../support/feed-checks.ts'

await defineFeedTests({
  events: 4000,
  keys: 30,
  wheelSteps: 20,
  wheelStepsAtEnd: 8,
  interruptions: 20,
})
