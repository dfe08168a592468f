import {readFileSync} from 'node:fs'
import {placeTest as test, readLines} from '../support/run.ts'
import {fixture} from '../support/vitrine.ts'

test('vitrine hook records every payload of every captured session, and prints nothing', async ({
  place,
  expect,
}) => {
  const scenarios = ['compact', 'cleared', 'denied', 'quiet', 'tools']
  for (const scenario of scenarios) {
    const text = readFileSync(fixture(`claude-hooks/2.1.325/${scenario}`), 'utf8')
    for (const input of text.trimEnd().split('\n')) {
      const ended = await place.vitrine(['hook'], {input})
      expect(ended).toMatchObject({exitCode: 0, stdout: '', stderr: ''})
    }
  }
  const recorded = (await place.list()).flatMap(({runId}) =>
    place.read(runId, 'stdout').toString().trimEnd().split('\n'),
  )
  const payloads = scenarios.flatMap((scenario) =>
    readFileSync(fixture(`claude-hooks/2.1.325/${scenario}`), 'utf8')
      .trimEnd()
      .split('\n'),
  )
  expect(recorded.toSorted()).toEqual(payloads.toSorted())
})

test('vitrine hook loses no payload of many that arrive at once', async ({place, expect}) => {
  const payloads = Array.from({length: 20}, (_, index) =>
    JSON.stringify({
      session_id: 'parallel',
      cwd: '/p',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: {command: `${index}: ${'x'.repeat(index * 10_000)}`},
      tool_use_id: `tool-${index}`,
    }),
  )
  const hook = (input: string) => place.vitrine(['hook'], {input})
  for (const ended of await Promise.all(payloads.map(hook))) {
    expect(ended).toMatchObject({exitCode: 0, stdout: '', stderr: ''})
  }
  const [{runId} = {runId: ''}, ...others] = await place.list()
  expect(others).toEqual([])
  const lines = place.read(runId, 'stdout').toString().trimEnd().split('\n')
  expect(lines.toSorted()).toEqual(payloads.toSorted())
  let end = 0
  const ends = lines.map((line) => (end += Buffer.byteLength(line) + 1))
  expect(readLines(place.read(runId, 'timing.ndjson').toString())).toEqual(
    ends.map((at) => [expect.any(Number), 'out', at]),
  )
})
