import {defineFeedTests} from '../support/feed-checks.ts'

await defineFeedTests({
  widths: [390, 1280],
  events: 4000,
  keys: 30,
  wheelSteps: 20,
  wheelStepsAtEnd: 8,
  interruptions: 20,
})
