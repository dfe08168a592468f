import {expect, test} from 'vitest'
import {makeCell} from '../../test/make-cell.ts'
import {formatCsv} from './csv.ts'

test('formats one row per cell, without a cost when it is unknown', () => {
  expect(formatCsv([makeCell(), makeCell({agent: 'codex', costUsd: null})])).toBe(
    'day,agent,model,project,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,' +
      'reasoning_tokens,cost_usd,is_estimate,requests,sessions\r\n' +
      '2026-11-16,claude,opus-5-5,/home/dev/ledger-api,100,20,800,80,5,1,true,1,1\r\n' +
      '2026-11-16,codex,opus-5-5,/home/dev/ledger-api,100,20,800,80,5,,true,1,1\r\n',
  )
})

test('quotes separators and neutralises formulas', () => {
  const cell = makeCell({model: '=HYPERLINK("http://x")', project: '/a, "b"\nc'})
  expect(formatCsv([cell]).split('\r\n')[1]).toBe(
    '2026-11-16,claude,"\'=HYPERLINK(""http://x"")","/a, ""b""\nc",100,20,800,80,5,1,true,1,1',
  )
})
