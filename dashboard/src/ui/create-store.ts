import {useSyncExternalStore} from 'react'

/** A value outside React that components can follow. */
export interface ReadableStore<T> {
  get(): T
  /** Calls after every change; returns a function that ends it. */
  subscribe(listener: () => void): () => void
}

/** A store that its owner changes. */
export interface Store<T> extends ReadableStore<T> {
  /** Replaces the value and notifies all listeners. */
  set(value: T): void
}

/** Creates a store with an initial value. */
export function createStore<T>(initial: T): Store<T> {
  const listeners = new Set<() => void>()
  let value = initial
  return {
    get: () => value,
    set(next) {
      value = next
      for (const listener of listeners) listener()
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The current value of a store, or a part of it; renders again when it changes. */
export function useStore<T>(store: ReadableStore<T>): T
export function useStore<T, Part>(store: ReadableStore<T>, select: (value: T) => Part): Part
export function useStore<T>(
  {subscribe, get}: ReadableStore<T>,
  select: (value: T) => unknown = (value) => value,
): unknown {
  return useSyncExternalStore(subscribe, () => select(get()))
}
