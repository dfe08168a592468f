import {openSync, closeSync, readFileSync} from 'node:fs'
import {spawnSync} from 'node:child_process'
import {describe} from 'vitest'
import {placeTest as test, type Place} from '../support/run.ts'
import {bin} from '../support/vitrine.ts'

const MARKERS = ['##vso[task.complete result=Failed;]', '##teamcity[x]', '##[group]', '::error::']
const COMMANDS = /##[a-z]*\[|^\s*::(?:error|stop)|section_(?:start|end):\d+:\w+\r/m
const RUNNERS = new Set(['TF_BUILD', 'TEAMCITY_VERSION', 'GITLAB_CI', 'GITHUB_ACTIONS'])

/** Prints markers as an agent does, or as any program, and on stderr as well. */
function script(isAgent: boolean): string {
  const text = MARKERS.join('\n')
  const lines = isAgent
    ? [
        {type: 'system', subtype: 'init', session_id: 's', model: 'm', tools: [], cwd: '/'},
        {type: 'assistant', message: {id: 'm', content: [{type: 'text', text}]}, session_id: 's'},
        {type: 'result', subtype: 'success', is_error: false, result: text, session_id: 's'},
      ].map((line) => JSON.stringify(line))
    : [...MARKERS, 'section_start:1:x\r\u001b[0Kbytes \u0001']
  return `process.stdout.write(${JSON.stringify(`${lines.join('\n')}\n`)}); process.stderr.write(${JSON.stringify(`${text}\n`)})`
}

function run(place: Place, args: string[], isAgent: boolean, env: Record<string, string>) {
  const command = [process.execPath, '-e', script(isAgent)]
  const agent = isAgent ? ['--agent', 'claude'] : []
  return place.vitrine(['run', '--data-dir', place.dataDir, ...args, ...agent, '--', ...command], {
    env,
  })
}

describe.concurrent('in the log of a CI runner', () => {
  const cases = [
    ...['pretty', 'json', 'raw', 'quiet'].map((format) => ['TF_BUILD', format] as const),
    ['GITHUB_ACTIONS', 'pretty'],
    ['GITHUB_ACTIONS', 'raw'],
    ['TEAMCITY_VERSION', 'pretty'],
    ['GITLAB_CI', 'pretty'],
  ] as const

  test.for(cases)(
    '%s --format %s prints no command of an agent',
    async ([runner, format], {place, expect}) => {
      const env = {[runner]: 'true'}
      for (const isAgent of [true, false]) {
        const {stdout, stderr} = await run(place, ['--format', format, '-vv'], isAgent, env)
        const own = /^::(?:group|endgroup|notice|error title=Vitrine).*$/gm
        expect(stdout.replaceAll(own, '')).not.toMatch(COMMANDS)
        expect(stderr).not.toMatch(COMMANDS)
        if (format === 'json' && isAgent) {
          const texts = stdout.split('\n').filter((line) => line.includes('"type":"text"'))
          const [event] = texts.map((line) => JSON.parse(line) as {text: string})
          expect(event?.text).toBe(MARKERS.join('\n'))
        }
      }
    },
  )

  test('a file gets the bytes of an unknown program, and so does a pipe outside CI', ({
    place,
    expect,
  }) => {
    const expected = [...MARKERS, 'section_start:1:x\r\u001b[0Kbytes \u0001', ''].join('\n')
    const args = [bin, 'run', '--data-dir', place.dataDir, '--', process.execPath, '-e']
    const file = openSync(place.file('out'), 'w')
    const env = {...process.env, ...place.env}
    spawnSync(process.execPath, [...args, script(false)], {
      env: {...env, TF_BUILD: 'True'},
      stdio: ['ignore', file, 'ignore'],
    })
    closeSync(file)
    expect(readFileSync(place.file('out'), 'utf8')).toBe(expected)
    const clean = Object.fromEntries(Object.entries(env).filter(([name]) => !RUNNERS.has(name)))
    const piped = spawnSync(process.execPath, [...args, script(false)], {env: clean})
    expect(piped.stdout.toString()).toBe(expected)
  })
})
