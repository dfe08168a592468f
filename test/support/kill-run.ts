import {spawnSync} from 'node:child_process'
import {existsSync} from 'node:fs'
import {join} from 'node:path'
import type {ExpectStatic} from 'vitest'
import {fake, until, type Place} from './run.ts'

/** An agent that prints a known number of lines, and its complete output. */
export interface KnownAgent {
  env: {LINES: string; MS: string}
  output: Buffer
}

/** One round of killing `vitrine run` with SIGKILL. */
interface Round {
  place: Place
  expect: ExpectStatic
  agent: KnownAgent
  id: string
  /** Resolves at the moment of the kill. */
  moment: () => Promise<unknown>
}

/** Reads what the fake agent `slow` prints when it is not disturbed. */
export function readKnownAgent(lines: number, ms: number): KnownAgent {
  const env = {LINES: String(lines), MS: String(ms)}
  const {stdout} = spawnSync(process.execPath, [fake('slow')], {
    env: {...process.env, ...env, MS: '0'},
  })
  return {env, output: stdout}
}

/** Whether bytes are the beginning of the output of an agent. */
export function isPrefix({output}: KnownAgent, bytes: string | Buffer): boolean {
  return output.subarray(0, Buffer.byteLength(bytes)).equals(Buffer.from(bytes))
}

/** Kills `vitrine run` after the agent's first output: the recording stays readable and `attach` completes it. */
export async function checkKillMidRun({place, expect, agent, id, moment}: Round): Promise<void> {
  const {child, ended} = place.startFake('slow', ['--id', id], {env: agent.env})
  await until(() => place.read(id, 'stdout').length > 0)
  await moment()
  child.kill('SIGKILL')
  await ended

  const survivors = place.survivors()
  const before = place.read(id, 'stdout')
  expect(isPrefix(agent, before)).toBe(true)
  expect(before.length === agent.output.length || survivors.length > 0).toBe(true)

  const viewed = await place.vitrine(['view', id, '--format', 'raw'])
  expect({exitCode: viewed.exitCode, isPrefix: isPrefix(agent, viewed.stdout)}).toEqual({
    exitCode: 0,
    isPrefix: true,
  })

  const attached = await place.vitrine(['attach', id, '--format', 'raw'])
  expect(attached.stdout).toBe(agent.output.toString())
  expect(attached.exitCode).toBe(0)
  expect(place.read(id, 'stdout').equals(agent.output)).toBe(true)
  const listed = (await place.list()).find(({runId}) => runId === id)
  expect(listed).toMatchObject({verdict: 'succeeded', costUsd: 0.0125})
  await place.expectNoSurvivors()
}

/** Kills `vitrine run` while it starts the agent: the recording has all of its output, or none. */
export async function checkKillEarly({place, expect, agent, id, moment}: Round): Promise<void> {
  const {child, ended} = place.startFake('slow', ['--id', id], {env: agent.env})
  await moment()
  child.kill('SIGKILL')
  await ended
  const {exitCode, stderr} = await place.vitrine(['runs', '--json'])
  expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
  const attached = await place.vitrine(['attach', id, '--format', 'raw'])
  await place.expectNoSurvivors()
  // The recording is empty when the agent was not started.
  expect(['', agent.output.toString()]).toContain(attached.stdout)
  expect(place.read(id, 'stdout').toString()).toBe(attached.stdout)
  expect(attached.stderr).not.toMatch(/\n\s+at /)
}

/** Kills `vitrine run` right after the file for the agent's output was created, around the start of the agent. */
export async function checkKillAtStart({
  place,
  expect,
  id,
  moment,
}: Omit<Round, 'agent'>): Promise<void> {
  const started = place.file(`${id}.started`)
  const script = `: > '${started}'; sleep 0.5; ${fake('happy')}`
  const {child, ended} = place.startShell(script, ['--id', id])
  await until(() => existsSync(join(place.dirOf(id), 'stdout')), 1)
  await moment()
  child.kill('SIGKILL')
  await ended
  const attached = await place.vitrine(['attach', id, '--format', 'raw'])
  await place.expectNoSurvivors()
  expect(attached.stdout).toBe(place.read(id, 'stdout').toString())
  expect(attached.stdout.includes('"type":"result"')).toBe(existsSync(started))
}
