import {expect, test} from 'vitest'
import {createProgressMeter} from './progress.ts'
import {initialRunState, type RunState} from './run-state.ts'

const item = (status: 'pending' | 'completed' | 'cancelled') => ({text: 'x', status})

test('progress never decreases and is 100 only at the end', () => {
  const meter = createProgressMeter()
  const read = (state: Partial<RunState>) =>
    meter.read({...initialRunState, ...state}, 1000).percentage
  const seen = [
    read({}),
    read({toolCount: 10}),
    read({
      toolCount: 10,
      plan: [item('completed'), item('pending'), item('pending'), item('pending')],
    }),
    read({plan: [item('completed'), item('cancelled')]}),
    read({toolCount: 1_000_000, plan: [item('pending')]}),
    meter.finish().percentage,
  ]
  expect(seen).toEqual([0, 35, 35, 99, 99, 100])
})

test('without a plan, time and tool calls count by the kind of the task', () => {
  const read = (state: Partial<RunState>, minutes: number) =>
    createProgressMeter().read({...initialRunState, ...state}, minutes * 60_000).percentage
  const files = {older: {}, recent: {a: {action: 'modified', added: 1, removed: 0} as const}}
  expect(read({}, 20)).toBe(89)
  expect([read({}, 2), read({toolCount: 1}, 2), read({toolCount: 1, files}, 2)]).toEqual([
    56, 32, 13,
  ])
  expect(read({toolCount: 40, files}, 0)).toBe(56)
})

test('the remaining time is reported when there is a plan to measure by', () => {
  const meter = createProgressMeter()
  const plan = [item('completed'), item('pending'), item('pending')]
  expect(meter.read({...initialRunState, plan}, 2000).remainingMs).toBeCloseTo(4000)
  expect(meter.read({...initialRunState, plan: [item('pending')]}, 2000).remainingMs).toBe(
    undefined,
  )
  expect(meter.read(initialRunState, 2000).remainingMs).toBe(undefined)
})

test.each([
  [{}, 'Starting'],
  [{activity: {type: 'thinking', detail: '', since: 0}}, 'Thinking'],
  [{activity: {type: 'text', detail: '', since: 0}}, 'Working'],
  [
    {
      activity: {type: 'tool', detail: '', since: 0},
      openTools: [{toolId: 't', name: 'Bash', tool: 'Bash', summary: '', startedAt: 0}],
    },
    'Running commands',
  ],
  ...(
    [
      ['Read', 'Reading files'],
      ['Write', 'Writing code'],
      ['Edit', 'Writing code'],
      ['Grep', 'Searching'],
    ] as const
  ).map(([tool, phase]) => [
    {
      activity: {type: 'tool', detail: '', since: 0},
      openTools: [{toolId: 't', name: 'x', tool, summary: '', startedAt: 0}],
    },
    phase,
  ]),
  [
    {activity: {type: 'rate-limit', detail: '', since: 0, isBlocking: true}},
    'Waiting for the model',
  ],
  [{activity: {type: 'rate-limit', detail: '', since: 0, isBlocking: false}}, 'Working'],
] as [Partial<RunState>, string][])('the phase of %j is %s', (state, phase) => {
  expect(createProgressMeter().read({...initialRunState, ...state}, 0).phase).toBe(phase)
})

test.each([
  ['npm test', 'Running tests'],
  ['go test ./...', 'Running tests'],
  ['cd app && CI=1 pnpm run test:unit', 'Running tests'],
  ['cargo nextest run', 'Running tests'],
  ['npx vitest run', 'Running tests'],
  ['uv run pytest -q', 'Running tests'],
  ['python -m unittest', 'Running tests'],
  ['./gradlew test', 'Running tests'],
  ['cat test/support/run.ts', 'Running commands'],
  ['git commit -m "npm test"', 'Running commands'],
  ['npm install vitest', 'Running commands'],
  ['test -f a.txt', 'Running commands'],
])('the phase while %s runs is %s', (summary, phase) => {
  const openTools = [{toolId: 't', name: 'Bash', tool: 'Bash', summary, startedAt: 0} as const]
  const activity = {type: 'tool', detail: '', since: 0} as const
  const state: RunState = {...initialRunState, activity, openTools}
  expect(createProgressMeter().read(state, 0).phase).toBe(phase)
})

test('progress without a plan is measured by earlier durations, then by the limit of turns', () => {
  const ground = {earlierMs: [8000, 2000, 4000], maxTurns: 10}
  const read = (elapsedMs: number, turns: number) =>
    createProgressMeter(ground).read({...initialRunState, turns}, elapsedMs)
  expect(read(1000, 9)).toMatchObject({percentage: 25, remainingMs: 3000})
  // After the usual duration only the turns can be measured.
  expect(read(5000, 5)).toMatchObject({percentage: 50, remainingMs: 5000})
  expect(createProgressMeter({maxTurns: 4}).read({...initialRunState, turns: 9}, 1)).toMatchObject({
    percentage: 99,
    remainingMs: 0,
  })
})
