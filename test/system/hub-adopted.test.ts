import {once} from 'node:events'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {startHub} from '../support/hub.ts'
import {createPlace, isAlive, until, type Place} from '../support/run.ts'

let place: Place

beforeEach(() => {
  place = createPlace()
})

afterEach(() => place.clear())

test('a hub that ends does not stay for a run that it adopted', async () => {
  const args = ['run', '--data-dir', place.dataDir, '--id', 'a', '--no-hub', '--format', 'quiet']
  const {child} = place.start([...args, '--', 'sleep', '60'])
  const pidOf = (name: string) => {
    const {pid} = (place.readRun('a')[name] ?? {}) as {pid?: number}
    return pid ?? 0
  }
  await until(() => {
    try {
      return pidOf('process') > 0
    } catch {
      return false
    }
  })
  child.kill('SIGKILL')
  await once(child, 'exit')
  const hub = await startHub(place)
  await until(() => pidOf('supervisor') === hub.pid)
  await hub.stop()
  expect(isAlive(hub.pid)).toBe(false)
  expect(isAlive(pidOf('process'))).toBe(true)
})
