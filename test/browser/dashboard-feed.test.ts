import {defineFeedTests} from '../support/feed-checks.ts'

// test/slow/dashboard-feed.test.ts repeats each action more often, in a longer run.
await defineFeedTests({
  events: 1500,
  keys: 9,
  wheelSteps: 5,
  wheelStepsAtEnd: 3,
  interruptions: 2,
})
