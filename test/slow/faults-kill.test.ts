import {existsSync, readdirSync, readFileSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {afterAll, beforeAll, describe, expect, test} from 'vitest'
import {startHub} from '../support/hub.ts'
import {createPlace, fake, isAlive, lastVerdict, sleep, until, type Place} from '../support/run.ts'

let place: Place

beforeAll(() => {
  place = createPlace()
})

afterAll(() => {
  place.clear()
})

/** Starts a run with a shell command as the agent. */
function startShell(id: string, script: string) {
  const args = ['run', '--data-dir', place.dataDir, '--agent', 'claude', '--id', id]
  return place.start([...args, '--format', 'json', '--', 'sh', '-c', script])
}

function startAsking(id: string) {
  const args = ['--id', id, '--format', 'json', '--permissions', 'ask']
  return place.startFake('asks', args, {agentArgs: ['-p', 'Touch a file']})
}

function pidOf(id: string): number {
  return (place.readRun(id)['process'] as {pid: number}).pid
}

const KILLED = 'killed (SIGKILL)'

describe('kill -9 of an agent', () => {
  test.each([
    ['before its first byte', 'exec sleep 1000', '', KILLED],
    [
      'in the middle of a line',
      `printf '{"type":"assi'; exec sleep 1000`,
      '{"type":"assi',
      'the last line is incomplete',
    ],
    ['while a tool runs', `exec ${fake('tool-hangs')}`, 'tool_use', KILLED],
  ])('ends the run with a reason and leaves no process, %s', async (when, script, text, reason) => {
    const id = when.replaceAll(' ', '-')
    const {ended} = startShell(id, script)
    await until(() => existsSync(join(place.dirOf(id), 'run.json')))
    await until(() => place.readRun(id)['process'] !== undefined)
    await until(() => place.read(id, 'stdout').includes(text))
    process.kill(pidOf(id), 'SIGKILL')
    expect(lastVerdict(await ended)).toMatchObject({reason, signal: 'SIGKILL'})
    await place.expectNoSurvivors()
  })

  test('closes the permission request that the agent waits for', async () => {
    const hub = await startHub(place)
    const {ended} = startAsking('asking')
    await until(() => place.read('asking', 'stdout').includes('can_use_tool'))
    process.kill(pidOf('asking'), 'SIGKILL')
    expect(lastVerdict(await ended)).toMatchObject({signal: 'SIGKILL'})
    const readRun = async () => (await hub.json('/api/runs/asking'))['run']
    await expect.poll(readRun).toMatchObject({state: 'over', requests: []})
    await hub.stop()
    await place.expectNoSurvivors()
  })
})

describe('kill -9 of vitrine run', () => {
  test('ends an agent that waits for a permission, and attach adds the verdict', async () => {
    const hub = await startHub(place)
    const {child, ended} = startAsking('left-asking')
    await until(() => place.read('left-asking', 'stdout').includes('can_use_tool'))
    await hub.stop()
    child.kill('SIGKILL')
    await ended
    const attached = await place.vitrine(['attach', 'left-asking', '--format', 'json'])
    expect(lastVerdict(attached).verdict).toMatch(/truncated|failed/)
    await place.expectNoSurvivors()
  })

  /** Environment that makes Vitrine kill its own process with SIGKILL before the NTH call of a function of `node:fs` on a path. */
  function killBefore(name: string, path: string): Record<string, string> {
    const file = place.file(`kill-before-${name}-${path.replaceAll('/', '-')}.mjs`)
    writeFileSync(
      file,
      `import fs from 'node:fs'
      import {syncBuiltinESMExports} from 'node:module'
      const original = fs.${name}
      let count = 0
      fs.${name} = (...args) => {
        const isOurs = process.argv[1]?.endsWith('bin.js') && args.join(' ').includes('${path}')
        if (isOurs && ++count === Number(process.env.NTH)) process.kill(process.pid, 'SIGKILL')
        return original(...args)
      }
      syncBuiltinESMExports()`,
    )
    return {NODE_OPTIONS: `--import ${pathToFileURL(file).href}`}
  }

  // The first two writes start the run; the last one ends it.
  test.each([1, 2, 3])(
    'leaves a run that attach completes, during write %i of run.json',
    async (nth) => {
      const id = `record-${nth}`
      const env = {...killBefore('renameSync', 'run.json'), NTH: String(nth), LINES: '5', MS: '5'}
      const run = await place.startFake('slow', ['--id', id, '--no-hub'], {env}).ended
      expect(run.signal).toBe('SIGKILL')
      const {exitCode, stderr} = await place.vitrine(['runs', '--json'])
      expect({exitCode, stderr}).toEqual({exitCode: 0, stderr: ''})
      const attached = await place.vitrine(['attach', id, '--format', 'json'])
      // Without a record, the agent was not started and the run does not exist.
      const output = nth === 1 ? 'does not exist' : '"verdict":"succeeded"'
      expect(attached.stdout + attached.stderr).toContain(output)
      await place.expectNoSurvivors()
    },
  )

  test('leaves a run that attach judges, between the end of the agent and the verdict', async () => {
    const env = {...killBefore('rmSync', 'reserve'), NTH: '1', LINES: '5', MS: '5'}
    const run = await place.startFake('slow', ['--id', 'unjudged', '--no-hub'], {env}).ended
    expect(run.signal).toBe('SIGKILL')
    const listed = (await place.list()).find(({runId}) => runId === 'unjudged')
    expect(listed?.verdict).toBeNull()
    const attached = await place.vitrine(['attach', 'unjudged', '--format', 'json'])
    expect(lastVerdict(attached)).toMatchObject({verdict: 'succeeded', turns: 5})
  })

  test('leaves no incomplete page of vitrine export', async () => {
    await place.runFake('happy', ['--id', 'exported', '--no-hub'])
    const page = place.file('page.html')
    const data = ['--data-dir', place.dataDir, '--output', page]
    for (const ms of [100, 200, 300, 400]) {
      const {child, ended} = place.start(['export', 'exported', ...data, '--force'])
      await sleep(ms)
      child.kill('SIGKILL')
      await ended
      expect(existsSync(page) ? readFileTail(page) : '</html>').toContain('</html>')
    }
    const {exitCode} = await place.start(['export', 'exported', ...data, '--force']).ended
    expect(exitCode).toBe(0)
    expect(readFileTail(page)).toContain('</html>')
  })
})

test('kill -9 of vitrine reindex leaves an index that the next hub completes', async () => {
  for (let round = 0; round < 6; round++) {
    const hub = place.start(['reindex', '--data-dir', place.dataDir])
    await sleep(80 + round * 60)
    hub.child.kill('SIGKILL')
    await hub.ended
  }
  const hub = await startHub(place)
  const count = readdirSync(join(place.dataDir, 'runs')).filter((name) =>
    existsSync(join(place.dirOf(name), 'run.json')),
  ).length
  const list = async () => ((await hub.json('/api/runs?limit=100'))['runs'] as unknown[]).length
  await expect.poll(list).toBe(count)
  await hub.stop()
  expect(isAlive(hub.pid)).toBe(false)
})

function readFileTail(path: string): string {
  return readFileSync(path, 'utf8').slice(-200)
}
