import {statSync, writeFileSync} from 'node:fs'
import {join} from 'node:path'
import {describe} from 'vitest'
import {hashFolder} from '../support/hash-folder.ts'
import {placeTest as test, readLines, type Place} from '../support/run.ts'
import {damage} from '../support/search.ts'
import {hasTerminal, runOnTerminal} from '../support/terminal.ts'
import {copySessions, sessionFolder} from '../support/transcripts.ts'

/** A line of `vitrine search --json`. */
interface Found {
  runId: string
  kind: string
  agent: string
  title: string
  project: string
  startedAt: number
  matches: number
  moments: {role: string; at: number; offsetMs: number; text: string; marks: [number, number][]}[]
}

async function search(place: Place, ...args: string[]): Promise<Found[]> {
  const {exitCode, stdout, stderr} = await place.vitrine(['search', '--json', ...args])
  if (exitCode !== 0 || stderr !== '') throw new Error(`exit code ${exitCode}: ${stderr}`)
  return readLines(stdout) as Found[]
}

describe.concurrent('vitrine search', () => {
  test('finds moments in sessions of several agents and in runs', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'gemini')
    await place.runFake('happy', ['--id', 'happy'])
    const before = hashFolder(sessionFolder(place.folder, 'claude'))
    const found = await search(place, 'greeter', '--limit', '100')
    expect(new Set(found.map(({agent}) => agent))).toEqual(new Set(['claude', 'gemini']))
    for (const {moments, matches, startedAt} of found) {
      expect(matches).toBeGreaterThanOrEqual(moments.length)
      expect(moments.length).toBeGreaterThan(0)
      for (const {text, marks, at, offsetMs} of moments) {
        expect(offsetMs).toBe(Math.max(0, at - startedAt))
        for (const [start, end] of marks) expect(text.slice(start, end)).toMatch(/^greeter/i)
      }
    }
    const starts = found.map(({startedAt}) => startedAt)
    expect(starts).toEqual(starts.toSorted((one, other) => other - one))
    const [run] = await search(place, '--kind', 'run', 'says one')
    expect(run).toMatchObject({runId: 'happy', kind: 'run', agent: 'claude'})
    expect(hashFolder(sessionFolder(place.folder, 'claude'))).toMatchObject(before)
    expect(statSync(join(place.dataDir, 'search.db')).mode & 0o777).toBe(0o600)
  })

  test('filters by agent, project, role, time and count', async ({place, expect}) => {
    copySessions(place.folder, 'claude', 'gemini')
    const all = await search(place, 'the', '--limit', '1000')
    const [gemini, webshop, prompts, later, earlier, limited] = await Promise.all([
      search(place, 'the', '--limit', '1000', '--agent', 'gemini'),
      search(place, 'the', '--limit', '1000', '--project', 'webshop'),
      search(place, 'the', '--limit', '1000', '--role', 'prompt'),
      search(place, 'the', '--limit', '1000', '--since', '2026-11-17').catch(() => []),
      search(place, 'the', '--limit', '1000', '--until', '2026-11-16'),
      search(place, 'the'),
    ])
    const of = (isWanted: (found: Found) => boolean) => all.filter(isWanted)
    expect(gemini).toEqual(of(({agent}) => agent === 'gemini'))
    expect(webshop).toEqual(of(({project}) => project.endsWith('/webshop')))
    expect(webshop.length).toBeGreaterThan(0)
    expect(prompts.length).toBeGreaterThan(0)
    for (const {moments} of prompts) for (const {role} of moments) expect(role).toBe('prompt')
    expect([...later, ...earlier]).toEqual(all)
    expect(limited).toEqual(all.slice(0, 10))
  })

  test('prints lines with tabs for a program', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const {stdout} = await place.vitrine(['search', 'greeter', '--limit', '2'])
    const [head, ...lines] = stdout.trimEnd().split('\n')
    expect(head).toBe('ID\tAGENT\tKIND\tSTARTED\tOFFSET\tROLE\tTEXT')
    expect(lines.length).toBeGreaterThan(1)
    for (const line of lines) {
      expect(line).toMatch(
        /^s[0-9a-f]{11}\tclaude\tsession\t2026-11-16T[\d:.]+Z\t\d+:\d\d\t[a-z]+\t[^\t]*greeter[^\t]*$/i,
      )
    }
  })

  test('a word with spaces is a phrase', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const phrase = await search(place, '"Say good day"')
    expect(phrase.length).toBeGreaterThan(0)
    expect(await search(place, 'Say good day', 'greeter')).toEqual(
      await search(place, '"Say good day" greeter'),
    )
    const {exitCode} = await place.vitrine(['search', '"day good Say"'])
    expect(exitCode).toBe(1)
  })

  test('suggests a word when nothing matches', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const [piped, json] = await Promise.all([
      place.vitrine(['search', 'greeterr']),
      place.vitrine(['search', 'greeterr', '--json']),
    ])
    expect(piped).toMatchObject({exitCode: 1, stdout: ''})
    expect(piped.stderr).toMatch(
      /^vitrine: No match for "greeterr" in \d+ runs and sessions\. Did you mean greeter\?\n$/,
    )
    expect(json).toEqual(piped)
  })

  test('rejects a search without words and wrong options', async ({place, expect}) => {
    const [empty, agent, role, since] = await Promise.all([
      place.vitrine(['search', '?!']),
      place.vitrine(['search', 'x', '--agent', 'nope']),
      place.vitrine(['search', 'x', '--role', 'nope']),
      place.vitrine(['search', 'x', '--since', 'nope']),
    ])
    for (const result of [empty, agent, role, since]) {
      expect(result).toMatchObject({exitCode: 2, stdout: ''})
    }
    expect(empty.stderr).toBe('vitrine: ?!: expected a word to search for\n')
  })

  test('works on after the file with the search is damaged', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const before = await search(place, 'greeter')
    damage(join(place.dataDir, 'search.db'))
    expect(await search(place, 'greeter')).toEqual(before)
    writeFileSync(join(place.dataDir, 'search.db'), '')
    expect(await search(place, 'greeter')).toEqual(before)
  })

  test.skipIf(!hasTerminal)('shows matches on a terminal', async ({place, expect}) => {
    copySessions(place.folder, 'claude')
    const args = ['search', '--data-dir', place.dataDir, 'good', '--limit', '2']
    const lines = await runOnTerminal(place, args, 80)
    expect(lines[0]).toMatch(/^s[0-9a-f]{3,} {2}claude {2}.+ {2}project {2}16 Nov \d\d:\d\d$/)
    expect(lines[1]).toMatch(/^ +\d+:\d\d {2}\w+ +.*good/i)
    expect(lines.at(-1)).toMatch(
      /^\d+ matches in \d+ runs and sessions, the newest 2 shown\. Open one: vitrine view s[0-9a-f]+ --at \d+:\d\d$/,
    )
    for (const line of lines.slice(0, -1)) expect(line.length).toBeLessThanOrEqual(80)
  })
})
