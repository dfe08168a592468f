import {describe, expect, test} from 'vitest'
import {holdSections, type HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

function sections(table: Record<string, string>): Section[] {
  return Object.entries(table).map(([key, ids]) => ({
    key,
    title: key,
    runIds: ids.split(' '),
    missing: 0,
  }))
}

function read({sections: held}: HeldSections): Record<string, string> {
  return Object.fromEntries(held.map(({key, runIds}) => [key, runIds.join(' ')]))
}

const NONE: ReadonlySet<string> = new Set()
const before = sections({live: 'a b c', today: 'd e'})

describe('rows of the table', () => {
  test('move immediately without a pointer over them', () => {
    const wanted = sections({live: 'f a', today: 'b c d e'})
    const held = holdSections(before, wanted, NONE, false)
    expect(held).toEqual({sections: wanted, moved: new Map(), fresh: 0})
  })

  test('stay in place under the pointer, with the number of pending moves', () => {
    const wanted = sections({live: 'f a', today: 'b c d e'})
    const held = holdSections(before, wanted, NONE, true)
    expect(read(held)).toEqual({live: 'a b c', today: 'd e'})
    expect(held.moved).toEqual(new Map([['live', 2]]))
    expect(held.fresh).toBe(1)
  })

  test('come first immediately when they need attention', () => {
    const wanted = sections({live: 'b a c', today: 'd e'})
    const held = holdSections(before, wanted, new Set('b'), true)
    expect(read(held)).toEqual({live: 'b a c', today: 'd e'})
    expect(held.moved.size).toBe(0)
    const later = holdSections(
      held.sections,
      sections({live: 'g a b c', today: 'd e'}),
      new Set('g'),
      true,
    )
    expect(read(later)).toEqual({live: 'g b a c', today: 'd e'})
    expect(later.fresh).toBe(0)
  })

  test('appear above all others when they are the only ones that need attention', () => {
    const held = holdSections(
      sections({today: 'd e'}),
      sections({live: 'g', today: 'd e'}),
      new Set('g'),
      true,
    )
    expect(read(held)).toEqual({live: 'g', today: 'd e'})
  })

  test('appear at the end when a further page is loaded', () => {
    const wanted = sections({live: 'f a b c', today: 'd e g', october: 'h i'})
    const held = holdSections(before, wanted, NONE, true)
    expect(read(held)).toEqual({live: 'a b c', today: 'd e g', october: 'h i'})
    expect(held.fresh).toBe(1)
  })

  test('disappear when their run is removed', () => {
    const held = holdSections(before, sections({live: 'a'}), NONE, true)
    expect(read(held)).toEqual({live: 'a'})
  })

  test('are in their final order at first', () => {
    expect(read(holdSections(undefined, before, NONE, true))).toEqual({live: 'a b c', today: 'd e'})
  })
})
