import {defineFeedTests} from '../support/feed-checks.ts'

// test/slow/dashboard-feed.test.ts repeats each action more often, in a longer run, also on a phone.
await defineFeedTests({
  widths: [1280],
  events: 1500,
  keys: 9,
  wheelSteps: 5,
  wheelStepsAtEnd: 3,
  interruptions: 2,
})
