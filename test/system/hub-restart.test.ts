import {mkdirSync} from 'node:fs'
import {afterAll, beforeAll, expect, test} from 'vitest'
import {commandUntilEnded, startHub, type RunningHub} from '../support/hub.ts'
import {createPlace} from '../support/run.ts'

const place = createPlace()
/** Simulates another machine. */
const other = createPlace()
let hub: RunningHub

beforeAll(async () => {
  hub = await startHub(place)
  mkdirSync(place.file('work'))
})
afterAll(async () => {
  await hub.stop()
  place.clear()
  other.clear()
})

test('runs on this and on another machine wait for an answer while the hub restarts', async () => {
  const start = (runId: string, from: typeof place, args: string[]) =>
    from.startFake('asks', ['--id', runId, ...args, '--permissions', 'ask', '--format', 'json'], {
      cwd: place.file('work'),
      env: {VITRINE_TOKEN: hub.token},
      agentArgs: ['-p', 'Do it'],
    })
  const runs = [
    {runId: 'local', run: start('local', place, [])},
    {runId: 'remote', run: start('remote', other, ['--hub', hub.url])},
  ]
  const receiveRequest = async (runId: string) => {
    const client = await hub.connect()
    client.send({type: 'subscribe', runId, since: 0})
    await client.receives(({type}) => type === 'permission_request')
    return client
  }
  await Promise.all(runs.map(({runId}) => receiveRequest(runId)))
  await hub.kill()
  hub = await startHub(place, ['--port', String(hub.port)])
  await Promise.all(
    runs.map(async ({runId, run}) => {
      const client = await receiveRequest(runId)
      await commandUntilEnded(client, {
        type: 'answer_permission',
        runId,
        requestId: 'request-1',
        allow: true,
        input: {command: 'touch another'},
      })
      const {stdout} = await run.ended
      expect(stdout).toContain('Outcome: allowed')
      client.close()
    }),
  )
})
