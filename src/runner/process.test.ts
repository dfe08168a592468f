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
import {createInspector, findLateCommand, isSuspended, signalGroup, sweep} from './process.ts'

let children: ChildProcess[] = []

afterEach(() => {
  for (const {pid} of children) signalGroup(pid ?? 0, 'SIGKILL')
  children = []
})

async function shell(
  script: string,
  marks?: string,
): Promise<{pid: number; ended: Promise<unknown>}> {
  const tags = marks?.split(' ').map(toProcessTag).join(' ')
  const env = {...process.env, ...(tags === undefined ? {} : {[RUN_TAGS_ENV]: tags})}
  const child = spawn('sh', ['-c', script], {env, detached: true, stdio: 'ignore'})
  children.push(child)
  const ended = once(child, 'exit')
  await once(child, 'spawn')
  // Until it is the shell, it has our environment.
  await sleep(50)
  return {pid: child.pid ?? 0, ended}
}

const mark = (): string => `test-${Math.random().toString(36).slice(2)}`

describe.skipIf(process.platform !== 'linux')('a process', () => {
  test('is alive until it has ended', async () => {
    const {pid, ended} = await shell('sleep 60')
    const id = toProcessId(pid)
    expect(isAlive(id)).toBe(true)
    process.kill(pid, 'SIGKILL')
    await ended
    expect(isAlive(id)).toBe(false)
  })

  test('is not another that has its number', () => {
    const {pid, startTime} = toProcessId(process.pid)
    expect(startTime).toMatch(/^\d+$/)
    expect(isAlive({pid, startTime})).toBe(true)
    expect(isAlive({pid, startTime: `${startTime}1`})).toBe(false)
  })

  test('that only waits to be noticed is not alive', async () => {
    // It is not waited for by the sleep that the shell becomes.
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

  test('is found by the command that it has a shell run, if that began late enough', async () => {
    const marker = mark()
    const begunAt = Date.now()
    const {pid} = await shell("sh -c 'sleep 60; echo late' & wait", marker)
    await expect.poll(() => findLateCommand(pid, marker, begunAt)).toBe('sleep 60; echo late')
    expect(findLateCommand(pid, marker, Date.now() + 1000)).toBeUndefined()
    expect(findLateCommand(pid, mark(), begunAt)).toBeUndefined()
  })

  test('is no command of a shell when it is another program, or the agent itself', async () => {
    const marker = mark()
    const begunAt = Date.now()
    const {pid} = await shell('sleep 60 & wait', marker)
    expect(findLateCommand(pid, marker, begunAt)).toBeUndefined()
  })
})

describe('signals', () => {
  test.each([0, 1, -1])('to nobody, when nobody is meant: %d', (pid) => {
    // It would end all of us.
    expect(signalGroup(pid, 'SIGKILL')).toBe(false)
  })

  test('to all of a group', async () => {
    const {pid, ended} = await shell('sleep 60 & sleep 60')
    const inspect = createInspector(pid)
    expect(inspect()).toMatchObject({childCount: 2})
    expect(signalGroup(pid, 'SIGTERM')).toBe(true)
    await ended
    await expect.poll(inspect).toMatchObject({childCount: 0})
  })
})

describe.skipIf(process.platform !== 'linux')('what is left behind', () => {
  test('is found by its mark, also among others', async () => {
    const [one, other] = [mark(), mark()]
    const {pid} = await shell('exec sleep 60', `${one} ${other}`)
    expect(findProcessesOfRun(one)).toEqual([pid])
    expect(findProcessesOfRun(other)).toEqual([pid])
    expect(findProcessesOfRun(one.slice(0, -1))).toEqual([])
    expect(findProcessesOfRun(`${one} ${other}`)).toEqual([])
  })

  test('is ended wherever it hides, and nobody else', async () => {
    const [mine, others] = [mark(), mark()]
    const {pid} = await shell('setsid sleep 60 & env -i sleep 60 & sleep 60 & exit 0', mine)
    const bystander = await shell('exec sleep 60', others)
    expect(await sweep(pid, mine)).toBe(3)
    expect(findProcessesOfRun(mine)).toEqual([])
    expect(createInspector(pid)()).toMatchObject({childCount: 0})
    expect(isAlive({pid: bystander.pid})).toBe(true)
  })

  test('is forced when it does not go', async () => {
    const mine = mark()
    const {pid} = await shell('trap "" TERM INT HUP; while :; do sleep 0.2; done', mine)
    expect(await sweep(pid, mine)).toBeGreaterThan(0)
    expect(findProcessesOfRun(mine)).toEqual([])
  })

  test('is nobody, mostly', async () => {
    expect(await sweep(0, mark())).toBe(0)
  })
})
