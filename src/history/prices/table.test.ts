import {statSync} from 'node:fs'
import {describe, expect, test} from 'vitest'
import {estimateCost} from '../../agents/claude/prices.ts'
import {createPriceFinder} from './find-price.ts'
import {toModelKey} from './model-names.ts'
import {PRICE_TABLE, PRICES_FROM} from './table.ts'

const names = PRICE_TABLE.flatMap(({models}) => models.split(' '))

describe('price table', () => {
  test('takes less than 60 kB', () => {
    expect(statSync(new URL('table.ts', import.meta.url)).size).toBeLessThan(60_000)
  })

  test('has a date', () => {
    expect(PRICES_FROM).toMatch(/^202\d-\d\d-\d\d$/)
    expect(createPriceFinder().pricesFrom).toBe(PRICES_FROM)
  })

  test('has each name once', () => {
    expect(names.length).toBeGreaterThan(200)
    expect(new Set(names.map(toModelKey)).size).toBe(names.length)
  })

  test('has prices in order of time', () => {
    for (const {prices} of PRICE_TABLE) {
      const dates = prices.map(({from = ''}) => from)
      expect(dates).toEqual(dates.toSorted())
    }
  })

  test('has plausible prices', () => {
    const implausible = PRICE_TABLE.filter(({prices}) =>
      prices.some(({input, output, cacheRead = 0, long, fast}) => {
        const isOrdered = output >= input && input >= cacheRead && cacheRead >= 0
        const isLong = long === undefined || (long.above >= 100_000 && long.input > input)
        const isFast = fast === undefined || fast.input > input
        return !isOrdered || !isLong || !isFast || output >= 1000
      }),
    )
    expect(implausible).toEqual([])
  })

  test('has the current prices of Claude Code', () => {
    const {costOf} = createPriceFinder()
    const models = PRICE_TABLE.flatMap((row) => row.models.split(' ')[0] ?? []).filter((name) =>
      /^claude-.+(?<!-fast)$/.test(name),
    )
    const tokens = {input: 5000, output: 700, cacheRead: 60_000, cacheWrite: 9000}
    const request = {key: 'a', at: Date.now(), tokens, hourCacheWrite: 4000, toolCount: 0}
    const toFigure = (cost: number | null) => cost?.toFixed(9)
    const costs = models.map((model) => [model, toFigure(costOf({...request, model}))])
    expect(models.length).toBeGreaterThan(20)
    expect(costs).toEqual(
      models.map((model) => [model, toFigure(estimateCost(model, tokens, 4000))]),
    )
  })
})
