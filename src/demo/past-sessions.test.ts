import {existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterAll, afterEach, beforeEach, describe, expect, test, vi} from 'vitest'
import {transcriptFormats} from '../agents/transcripts.ts'
import {pathOf} from '../history/transcripts.ts'
import {createPriceFinder} from '../history/prices/find-price.ts'
import {stateOfSession} from '../history/session-state.ts'
import {scanHome, translateSession, type ScannedSession} from '../../test/support/transcripts.ts'
import {writePastSessions} from './past-sessions.ts'

const folder = mkdtempSync(join(tmpdir(), 'vitrine-past-sessions-'))
afterAll(() => rmSync(folder, {recursive: true, force: true}))

const now = new Date(2026, 10, 19, 15).getTime()
const home = join(folder, 'home')
const folderOf = (project: string) => `/home/dev/${project}`
await writePastSessions(home, folderOf, now)
const sessions = scan(home)

function scan(place: string): ScannedSession[] {
  return transcriptFormats.flatMap((format) => scanHome(format, place))
}

describe('the sessions of the demo', () => {
  test('are those of several agents and projects, each with a title', () => {
    const agents = new Set(sessions.map(({agent}) => agent))
    expect([...agents].toSorted()).toEqual(['claude', 'codex', 'gemini', 'pi'])
    expect(new Set(sessions.map(({cwd}) => cwd)).size).toBe(6)
    expect(sessions.length).toBeGreaterThan(50)
    expect(new Set(sessions.map(({title}) => title)).size).toBe(sessions.length)
    expect(sessions.every(({title, prompt}) => title !== undefined && prompt !== undefined)).toBe(
      true,
    )
  })

  test('have only known records and fields', () => {
    for (const session of sessions) {
      const {events, drift} = translateSession(session)
      expect(drift).toEqual([])
      expect(events.filter(({type}) => type === 'unknown' || type === 'malformed')).toEqual([])
      expect(events.some(({type}) => type === 'tool-end')).toBe(true)
    }
  })

  test('cost $5 to $25 on most working days, and every model has a price', () => {
    const {costOf} = createPriceFinder()
    const spent = new Map<string, number>()
    for (const request of sessions.flatMap(({requests}) => requests)) {
      const day = new Date(request.at).toDateString()
      spent.set(day, (spent.get(day) ?? 0) + (costOf(request) ?? Number.NaN))
    }
    const days = [...spent].filter(([day]) => !day.startsWith('S')).map(([, cost]) => cost)
    expect(days.length).toBeGreaterThan(25)
    expect(days.filter((cost) => cost > 5 && cost < 25).length).toBeGreaterThan(days.length / 2)
    expect(Math.max(...days)).toBeLessThan(50)
  })

  test('have ended, except for a live and an idle one', () => {
    const states = sessions.map((session) => stateOfSession(session, now))
    expect(states.filter((state) => state === 'live')).toHaveLength(1)
    expect(states.filter((state) => state === 'idle')).toHaveLength(1)
    expect(states.filter((state) => state === 'ended')).toHaveLength(sessions.length - 2)
  })

  test('contain no request of the future, whatever the time is', async () => {
    const night = new Date(2026, 10, 22, 0, 5).getTime()
    const place = join(folder, 'night')
    await writePastSessions(place, folderOf, night)
    const times = scan(place).flatMap(({requests}) => requests.map(({at}) => at))
    expect(Math.max(...times)).toBeLessThanOrEqual(night)
  })

  test('are the same again at the same time, without the files of before', async () => {
    const paths = sessions.flatMap(({transcripts}) =>
      transcripts.map(({transcript}) => pathOf(transcript)),
    )
    const read = () => paths.map((path) => readFileSync(path, 'utf8'))
    const before = read()
    const other = join(home, '.claude', 'projects', 'other.jsonl')
    writeFileSync(other, '{}')
    await writePastSessions(home, folderOf, now)
    expect(existsSync(other)).toBe(false)
    expect(read()).toEqual(before)
  })
})

describe('the live session', () => {
  beforeEach(() => vi.useFakeTimers({now, toFake: ['Date', 'setInterval', 'clearInterval']}))
  afterEach(() => vi.useRealTimers())

  test('grows until it is stopped', async () => {
    const place = join(folder, 'live')
    const playing = (await writePastSessions(place, folderOf)).play()
    const live = scan(place).find((session) => stateOfSession(session, now) === 'live')
    const path = live?.transcripts.map(({transcript}) => pathOf(transcript))[0] ?? ''
    const sizes = [statSync(path).size]
    const wait = () => {
      vi.advanceTimersByTime(60_000)
      sizes.push(statSync(path).size)
    }
    wait()
    playing.stop()
    wait()
    expect(sizes[1]).toBeGreaterThan(sizes[0] ?? 0)
    expect(sizes[2]).toBe(sizes[1])
    expect(vi.getTimerCount()).toBe(0)
  })

  test('ends when its folder is removed', async () => {
    const place = join(folder, 'removed')
    const {play} = await writePastSessions(place, folderOf)
    play()
    rmSync(place, {recursive: true})
    vi.advanceTimersByTime(60_000)
    expect(vi.getTimerCount()).toBe(0)
  })
})
