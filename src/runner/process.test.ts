import {spawn, type ChildProcess} from 'node:child_process'
import {once} from 'node:events'
import {setTimeout as sleep} from 'node:timers/promises'
import {afterEach, describe, expect, test} from 'vitest'
import {
  findProcessesOfRun,
  toProcessId,
  isAlive,
  RUN_TAGS_ENV,
  toProcessTag,
} from '../recording/process-id.ts'
import {
  createInspector,
  findLateCommand,
  isSuspended,
  signalGroup,
  endRemainingProcesses,
} from './process.ts'

let children: ChildProcess[] = []

afterEach(() => {
  for (const {pid} of children) signalGroup(pid ?? 0, 'SIGKILL')
  children = []
})

async function shell(
  script: string,
  markers?: string,
): Promise<{pid: number; ended: Promise<unknown>}> {
  const tags = markers?.split(' ').map(toProcessTag).join(' ')
  const env = {...process.env, ...(tags === undefined ? {} : {[RUN_TAGS_ENV]: tags})}
  const child = spawn('sh', ['-c', script], {env, detached: true, stdio: 'ignore'})
  children.push(child)
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  // Before exec, the child still has our environment.
  await sleep(50)
  return {pid: child.pid ?? 0, ended}
}

const createTestMarker = (): string => `test-${Math.random().toString(36).slice(2)}`

describe.skipIf(process.platform !== 'linux')('a process', () => {
  test('is alive until it ends', async () => {
    const {pid, ended} = await shell('sleep 60')
    const id = toProcessId(pid)
    expect(isAlive(id)).toBe(true)
    process.kill(pid, 'SIGKILL')
    await ended
    expect(isAlive(id)).toBe(false)
  })

  test('is not confused with another process of the same pid', () => {
    const {pid, startTime} = toProcessId(process.pid)
    expect(startTime).toMatch(/^\d+$/)
    expect(isAlive({pid, startTime})).toBe(true)
    expect(isAlive({pid, startTime: `${startTime}1`})).toBe(false)
  })

  test('is not counted when it is a zombie', async () => {
    // The sleep that replaces the shell never reaps its child.
    const {pid} = await shell('sh -c "exit 0" & exec sleep 60')
    await sleep(100)
    expect(createInspector(pid)()).toMatchObject({childCount: 0})
  })
})

describe.skipIf(process.platform !== 'linux')('a process of a run', () => {
  test('is suspended between SIGSTOP and SIGCONT', async () => {
    const {pid} = await shell('sleep 60')
    expect(isSuspended(pid)).toBe(false)
    process.kill(pid, 'SIGSTOP')
    await expect.poll(() => isSuspended(pid)).toBe(true)
    process.kill(pid, 'SIGCONT')
    await expect.poll(() => isSuspended(pid)).toBe(false)
    expect(isSuspended(0)).toBe(false)
  })

  test('is found by its shell command, if it started late enough', async () => {
    const marker = createTestMarker()
    const begunAt = Date.now()
    const {pid} = await shell("sh -c 'sleep 60; echo late' & wait", marker)
    await expect.poll(() => findLateCommand(pid, marker, begunAt)).toBe('sleep 60; echo late')
    expect(findLateCommand(pid, marker, Date.now() + 1000)).toBeUndefined()
    expect(findLateCommand(pid, createTestMarker(), begunAt)).toBeUndefined()
  })

  test('is not found when it is not a shell, or is the agent itself', async () => {
    const marker = createTestMarker()
    const begunAt = Date.now()
    const {pid} = await shell('sleep 60 & wait', marker)
    expect(findLateCommand(pid, marker, begunAt)).toBeUndefined()
  })
})

describe('signalGroup', () => {
  test.each([0, 1, -1])('sends nothing to the reserved pid %d', (pid) => {
    // These would signal the test itself or every process.
    expect(signalGroup(pid, 'SIGKILL')).toBe(false)
  })

  test('sends a signal to all processes of a group', async () => {
    const {pid, ended} = await shell('sleep 60 & sleep 60')
    const inspect = createInspector(pid)
    expect(inspect()).toMatchObject({childCount: 2})
    expect(signalGroup(pid, 'SIGTERM')).toBe(true)
    await ended
    await expect.poll(inspect).toMatchObject({childCount: 0})
  })
})

describe.skipIf(process.platform !== 'linux')('a remaining process', () => {
  test('is found by its marker, also among several markers', async () => {
    const [one, other] = [createTestMarker(), createTestMarker()]
    const {pid} = await shell('exec sleep 60', `${one} ${other}`)
    expect(findProcessesOfRun(one)).toEqual([pid])
    expect(findProcessesOfRun(other)).toEqual([pid])
    expect(findProcessesOfRun(one.slice(0, -1))).toEqual([])
    expect(findProcessesOfRun(`${one} ${other}`)).toEqual([])
  })

  test('is ended also outside of its group, and other processes are not', async () => {
    const [mine, others] = [createTestMarker(), createTestMarker()]
    const {pid} = await shell('setsid sleep 60 & env -i sleep 60 & sleep 60 & exit 0', mine)
    const bystander = await shell('exec sleep 60', others)
    expect(await endRemainingProcesses(pid, mine)).toBe(3)
    expect(findProcessesOfRun(mine)).toEqual([])
    expect(createInspector(pid)()).toMatchObject({childCount: 0})
    expect(isAlive({pid: bystander.pid})).toBe(true)
  })

  test('is killed when it ignores SIGTERM', async () => {
    const mine = createTestMarker()
    const {pid} = await shell('trap "" TERM INT HUP; while :; do sleep 0.2; done', mine)
    expect(await endRemainingProcesses(pid, mine)).toBeGreaterThan(0)
    expect(findProcessesOfRun(mine)).toEqual([])
  })

  test('is not found for an unknown marker', async () => {
    expect(await endRemainingProcesses(0, createTestMarker())).toBe(0)
  })
})
