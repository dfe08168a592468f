import {describe, expect, test} from 'vitest'
import {holdSections, type HeldSections} from './hold-sections.ts'
import type {Section} from '../shell/sections.ts'

function sections(table: Record<string, string>): Section[] {
  return Object.entries(table).map(([key, ids]) => ({key, title: key, runIds: ids.split(' ')}))
}

function read({sections: held}: HeldSections): Record<string, string> {
  return Object.fromEntries(held.map(({key, runIds}) => [key, runIds.join(' ')]))
}

const before = sections({working: 'a b c', ended: 'd e'})

describe('rows of the table', () => {
  test('move immediately without a pointer over them', () => {
    const wanted = sections({working: 'f a', ended: 'b c d e'})
    const held = holdSections(before, wanted, false)
    expect(held).toEqual({sections: wanted, moved: new Map(), fresh: 0})
  })

  test('stay in place under the pointer, with the number of pending moves', () => {
    const wanted = sections({working: 'f a', ended: 'b c d e'})
    const held = holdSections(before, wanted, true)
    expect(read(held)).toEqual({working: 'a b c', ended: 'd e'})
    expect(held.moved).toEqual(new Map([['working', 2]]))
    expect(held.fresh).toBe(1)
  })

  test('appear immediately when they need attention', () => {
    const wanted = sections({'needs-you': 'b', working: 'a c', ended: 'd e'})
    const held = holdSections(before, wanted, true)
    expect(read(held)).toEqual({'needs-you': 'b', working: 'a c', ended: 'd e'})
    expect(held.moved.size).toBe(0)
    const later = holdSections(held.sections, sections({'needs-you': 'g', working: 'a b c'}), true)
    expect(read(later)).toEqual({'needs-you': 'g b', working: 'a c'})
    expect(later.moved).toEqual(new Map([['needs-you', 1]]))
    expect(later.fresh).toBe(0)
  })

  test('disappear when their run is removed', () => {
    const held = holdSections(before, sections({working: 'a'}), true)
    expect(read(held)).toEqual({working: 'a'})
  })

  test('are in their final order at first', () => {
    expect(read(holdSections(undefined, before, true))).toEqual({working: 'a b c', ended: 'd e'})
  })
})
