import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {makeNames} from './names.ts'

const names = makeNames(
  [{agent: 'claude', label: 'Claude Code', path: '~/.claude', state: 'found', sessions: 1}],
  [makeCell(), makeCell({project: ''})],
  [{agent: 'codex', monogram: 'Cx'}],
)

test('names agents, models and projects', () => {
  expect(names.of('agent', 'claude')).toBe('Claude Code')
  expect(names.of('agent', 'amp')).toBe('Amp')
  expect(names.of('agent', '')).toBe('Other commands')
  expect(names.of('model', 'opus-5-5')).toBe('opus-5-5')
  expect(names.of('model', '')).toBe('Unknown model')
  expect(names.of('project', '/home/dev/ledger-api')).toBe('ledger-api')
  expect(names.of('project', '')).toBe('No folder')
  expect(names.monogram('codex')).toBe('Cx')
})

test('escapes control characters of names', () => {
  expect(names.of('model', 'a\u001B[31mb')).not.toContain('\u001B')
})
