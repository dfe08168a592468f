import {mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {afterEach, beforeEach, expect, test} from 'vitest'
import {readReportedLimits, saveReportedLimit} from './reported-limits.ts'

const NOW = Date.parse('2026-11-16T14:00Z')
const RESET = Date.parse('2026-11-16T15:00Z')

let dataDir: string

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'vitrine-limits-'))
})

afterEach(() => {
  rmSync(dataDir, {recursive: true, force: true})
})

test('keeps the last report about each block', () => {
  const nested = join(dataDir, 'new', 'data')
  expect(readReportedLimits(nested)).toEqual([])
  saveReportedLimit(nested, {at: NOW - 20_000_000, usedShare: 0.3, resetsAt: RESET - 18_000_000})
  saveReportedLimit(nested, {at: NOW, usedShare: 0.7, resetsAt: RESET})
  saveReportedLimit(nested, {at: NOW + 1000, usedShare: 0.72, resetsAt: RESET})
  expect(readReportedLimits(nested)).toEqual([
    {at: NOW - 20_000_000, usedShare: 0.3, resetsAt: RESET - 18_000_000},
    {at: NOW + 1000, usedShare: 0.72, resetsAt: RESET},
  ])
})

test('writes the same share at most once a minute', () => {
  const save = (at: number) => saveReportedLimit(dataDir, {at, usedShare: 0.5, resetsAt: RESET})
  save(NOW)
  save(NOW + 59_999)
  expect(readReportedLimits(dataDir)[0]?.at).toBe(NOW)
  save(NOW + 60_000)
  expect(readReportedLimits(dataDir)).toEqual([{at: NOW + 60_000, usedShare: 0.5, resetsAt: RESET}])
})

test.each(['', '{', '[]', '{"limits":7}', '{"limits":[null,{"at":"x"},{"at":1,"usedShare":-1}]}'])(
  'reads the damaged file %j as no reports, and replaces it',
  (content) => {
    writeFileSync(join(dataDir, 'limits.json'), content)
    expect(readReportedLimits(dataDir)).toEqual([])
    saveReportedLimit(dataDir, {at: NOW, usedShare: 0.5, resetsAt: RESET})
    expect(JSON.parse(readFileSync(join(dataDir, 'limits.json'), 'utf8'))).toEqual({
      limits: [{at: NOW, usedShare: 0.5, resetsAt: RESET}],
    })
  },
)
