import {expect, it, vi} from 'vitest'
import {createStore} from './create-store.ts'

it('returns the value that was set last', () => {
  const store = createStore(1)
  expect(store.get()).toBe(1)
  store.set(2)
  expect(store.get()).toBe(2)
})

it('calls every listener after a change, with the new value in place', () => {
  const store = createStore('old')
  const seen: string[] = []
  store.subscribe(() => seen.push(`first ${store.get()}`))
  store.subscribe(() => seen.push(`second ${store.get()}`))
  store.set('new')
  expect(seen).toEqual(['first new', 'second new'])
})

it('does not call a listener after its subscription ended', () => {
  const store = createStore(0)
  const listener = vi.fn<() => void>()
  const end = store.subscribe(listener)
  store.set(1)
  end()
  store.set(2)
  expect(listener).toHaveBeenCalledTimes(1)
})
