import {describe, expect, test} from 'vitest'
import {createKeyboard, listHints, type KeyPress} from './keyboard.ts'

function createWorld() {
  const keyboard = createKeyboard()
  const done: string[] = []
  const does = (words: string, outcome?: false) => ({
    words,
    act() {
      if (outcome !== false) done.push(words)
      return outcome
    },
  })
  const press = (key: string, fields: Partial<KeyPress> = {}) =>
    keyboard.press({key, isRepeated: false, at: 0, focus: 'page', ...fields})
  return {keyboard, done, does, press}
}

describe('the keyboard', () => {
  test('calls the innermost handler first, then the next one', () => {
    const {keyboard, done, does, press} = createWorld()
    keyboard.add({title: 'All', table: {a: does('outer a'), b: does('outer b')}})
    const remove = keyboard.add({title: 'Page', table: {a: does('inner a'), b: does('no', false)}})
    expect([press('a'), press('b'), press('c')]).toEqual([true, true, false])
    remove()
    press('a')
    keyboard.add({title: 'Frame', table: {a: does('frame a')}, isOutermost: true})
    press('a')
    expect(done).toEqual(['inner a', 'outer b', 'outer a', 'outer a'])
  })

  test('leaves keys to fields and buttons', () => {
    const {keyboard, done, does, press} = createWorld()
    const table = {a: does('a'), Enter: does('enter'), Escape: does('escape')}
    keyboard.add({title: 'All', table})
    press('a', {focus: 'field'})
    press('Enter', {focus: 'control'})
    press('a', {focus: 'control'})
    press('Escape', {focus: 'field'})
    press('Enter')
    expect(done).toEqual(['a', 'escape', 'enter'])
  })

  test('leaves arrows to a group of options, and no other key but Enter and space', () => {
    const {keyboard, done, does, press} = createWorld()
    keyboard.add({title: 'All', table: {a: does('a'), ArrowDown: does('down'), ' ': does('space')}})
    press('ArrowDown', {focus: 'option'})
    press(' ', {focus: 'option'})
    press('a', {focus: 'option'})
    press('ArrowDown', {focus: 'control'})
    expect(done).toEqual(['a', 'down'])
  })

  test('supports sequences of two keys within a second', () => {
    const {keyboard, done, does, press} = createWorld()
    keyboard.add({title: 'All', table: {'g r': does('runs'), r: does('r')}})
    press('g', {at: 0})
    press('r', {at: 900})
    press('r', {at: 950})
    press('g', {at: 2000})
    press('r', {at: 3100})
    expect(done).toEqual(['runs', 'r', 'r'])
  })

  test('repeats only repeatable commands', () => {
    const {keyboard, done, does, press} = createWorld()
    const table = {a: does('allow'), j: {...does('next'), canRepeat: true, also: ['ArrowDown']}}
    keyboard.add({title: 'All', table})
    press('a', {isRepeated: true})
    press('j', {isRepeated: true})
    press('ArrowDown')
    expect(done).toEqual(['next', 'next'])
  })

  test('uses only the keys of an open dialog', () => {
    const {keyboard, done, does, press} = createWorld()
    keyboard.add({title: 'All', table: {a: does('a')}})
    const remove = keyboard.add({title: 'Dialog', table: {}, isExclusive: true})
    expect(press('a')).toBe(false)
    remove()
    press('a')
    expect(done).toEqual(['a'])
  })

  test('lists hints, the innermost first, and merges keys with the same meaning', () => {
    const {keyboard, does} = createWorld()
    keyboard.add({title: 'All', table: {t: does('theme'), n: {...does('next'), hint: 'next'}}})
    const move = (words: string) => ({...does(words), hint: 'move'})
    keyboard.add({title: 'Page', table: {j: move('down'), k: move('up')}})
    expect(listHints(keyboard.scopes.get())).toEqual([
      {hint: 'move', keys: ['j', 'k']},
      {hint: 'next', keys: ['n']},
    ])
  })
})
